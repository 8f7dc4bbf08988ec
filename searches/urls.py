"""The addresses of search sessions."""

from django.urls import path, re_path

from searches import views

urlpatterns = [
    path("searches/", views.searches, name="searches"),
    re_path(r"^searches/(?P<session_id>[0-9a-f]{32})/$", views.session, name="search-session"),
    re_path(r"^searches/(?P<session_id>[0-9a-f]{32})/decide$", views.decide, name="search-decide"),
    re_path(r"^searches/(?P<session_id>[0-9a-f]{32})/export\.(?P<suffix>[a-z]+)$", views.export, name="search-export"),
    re_path(r"^searches/(?P<session_id>[0-9a-f]{32})/snapshot$", views.snapshot, name="search-snapshot"),
]
