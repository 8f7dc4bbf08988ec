"""The addresses of search sessions."""

from django.urls import path, re_path
from django.views.decorators.cache import never_cache

from searches.pages import views

urlpatterns = [
    path("searches/", never_cache(views.searches), name="searches"),
    re_path(r"^searches/(?P<session_id>[0-9a-f]{32})/$", never_cache(views.session), name="search-session"),
    re_path(r"^searches/(?P<session_id>[0-9a-f]{32})/decide$", never_cache(views.decide), name="search-decide"),
    re_path(r"^searches/(?P<session_id>[0-9a-f]{32})/marks$", never_cache(views.mark), name="search-marks"),
    re_path(
        r"^searches/(?P<session_id>[0-9a-f]{32})/export\.(?P<suffix>[a-z]+)$",
        never_cache(views.export),
        name="search-export",
    ),
    re_path(r"^searches/(?P<session_id>[0-9a-f]{32})/snapshot$", never_cache(views.snapshot), name="search-snapshot"),
]
