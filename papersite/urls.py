"""The site's addresses."""

from django.contrib import admin
from django.urls import include, path
from django.views.generic import RedirectView

from papersite import api_docs, connect, health, metrics, views
from papersite.api import api

urlpatterns = [
    path("", include("mcpapi.urls")),
    path("", include("papers.urls")),
    path("", include("specs.urls")),
    path("", include("searches.urls")),
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    path("metrics", metrics.metrics, name="metrics"),
    path("admin/", admin.site.urls),
    path("api/docs", api_docs.docs, name="api-docs"),
    path("api/", RedirectView.as_view(url="/api/docs")),
    path("api/", api.urls),
    path("connect/", connect.connect, name="connect"),
    path("diagram/", views.diagram, name="diagram"),
    path("favicon.ico", views.favicon, name="favicon"),
]
