"""The site's addresses."""

from django.contrib import admin
from django.urls import include, path

from papersite import health, metrics, views

urlpatterns = [
    path("", include("mcpapi.urls")),
    path("", include("papers.urls")),
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    path("metrics", metrics.metrics, name="metrics"),
    path("admin/", admin.site.urls),
    path("diagram/", views.diagram, name="diagram"),
]
