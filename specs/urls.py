"""The addresses of the specs' pages."""

from django.urls import path, re_path
from django.views.generic import RedirectView

from specs.pages import formats, views

KIND = r"\.(?P<kind>json|md)"
# A spec's id may hold slashes, and whatever else the name of a folder may hold.
PLACE = r"(?P<project>[^/]+)/(?P<local_id>[\s\S]+)"

urlpatterns = [
    path("specs/", views.spec_list, name="specs"),
    path("specs/search/", views.search_page, name="spec-search"),
    path("specs/changes/", views.change_list, name="spec-changes"),
    path("specs/warnings/", views.warning_page, name="spec-warnings"),
    re_path(rf"^specs{KIND}$", formats.list_file, name="specs-file"),
    re_path(rf"^specs/search{KIND}$", formats.search_file, name="spec-search-file"),
    re_path(rf"^specs/changes{KIND}$", formats.change_list_file, name="spec-changes-file"),
    re_path(rf"^specs/warnings{KIND}$", formats.warnings_file, name="spec-warnings-file"),
    re_path(rf"^specs/changes/{PLACE}/$", views.change_page, name="spec-change"),
    re_path(rf"^specs/changes/{PLACE}{KIND}$", formats.change_file, name="spec-change-file"),
    re_path(rf"^specs/{PLACE}/$", views.spec_page, name="spec"),
    re_path(rf"^specs/{PLACE}{KIND}$", formats.spec_file, name="spec-file"),
    # An address cut off after the project, and one typed without its closing slash.
    path("specs/<str:project>/", views.project_page, name="spec-project"),
    re_path(r"^specs/(?P<rest>.*[^/])$", RedirectView.as_view(url="/specs/%(rest)s/", query_string=True)),
]
