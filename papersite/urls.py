"""The site's addresses."""

from django.conf import settings
from django.contrib import admin
from django.urls import include, path, re_path
from django.views.generic import RedirectView

from papers.pages import files
from papers.pages.urls import IdConverter
from papersite import monitoring
from papersite.accounts import pages as accounts
from papersite.pages import check, connect, library, records, rest, state, tidying, well_known

# What the sitemap lists besides the papers, by the names of the routes.
SITEMAP_PAGES = ("home", "search", "stats", *(["specs"] if settings.SPECS else []))

urlpatterns = [
    path("", include("mcpapi.transport.http")),
    path("", include("papers.pages.urls")),
    path("", include("searches.urls")),
    *([path("", include("specs.urls"))] if settings.SPECS else []),
    path("healthz", monitoring.healthz, name="healthz"),
    path("readyz", monitoring.readyz, name="readyz"),
    path("metrics", monitoring.metrics, name="metrics"),
    path("admin/", admin.site.urls),
    # The admin's own logout does nothing for who may not enter the admin.
    path("logout/", accounts.SignOut.as_view(), name="logout"),
    path("sign-in/", accounts.SignIn.as_view(), name="login"),
    path("password/", accounts.ChangePassword.as_view(), name="password"),
    path("invitation/<uidb64>/<token>/", accounts.Invitation.as_view(), name="invitation"),
    path("enter/", accounts.enter, name="enter"),
    path("api/docs", rest.docs, name="api-docs"),
    path("api/", RedirectView.as_view(pattern_name="api-docs"), name="rest"),
    path("api/", rest.api.urls),
    path("connect/", connect.connect, name="connect"),
    path("state/", state.state, name="state"),
    path("check/", check.check, name="check"),
    path("check/<slug:check_id>/", check.draft, name="check-draft"),
    path("check/<slug:check_id>/decision/", check.decision, name="check-decision"),
    path("check/<slug:check_id>/reading/", check.model_reading, name="check-reading"),
    path("check/<slug:check_id>/discard/", check.discard, name="check-discard"),
    path("library/add/", library.add, name="library-add"),
    path("library/add/<slug:addition_id>/", library.addition, name="library-addition"),
    path("library/add/<slug:addition_id>/page/<int:number>/", library.addition_page, name="library-page"),
    path("library/add/<slug:addition_id>/apply/", library.apply, name="library-apply"),
    path("library/add/<slug:addition_id>/discard/", library.discard, name="library-discard"),
    path("library/undo/", library.undo, name="library-undo"),
    path("library/papers/<id:paper_id>/edit/", records.edit, name="record-edit"),
    path("library/papers/<id:paper_id>/history/", records.history, name="record-history"),
    path("library/papers/<id:paper_id>/remove/", records.remove, name="record-remove"),
    path("library/papers/<id:paper_id>/merge/", tidying.merge, name="record-merge"),
    path("library/papers/<id:paper_id>/split/", tidying.split, name="record-split"),
    path("library/papers/<id:paper_id>/look-up/", tidying.look_up_again, name="record-look-up"),
    path("library/duplicates/", tidying.duplicates, name="library-duplicates"),
    path("library/incomplete/", tidying.incomplete, name="library-incomplete"),
    path("diagram/", well_known.diagram, name="diagram"),
    path("favicon.ico", well_known.favicon, name="favicon"),
    path("robots.txt", well_known.robots, name="robots"),
    path("sitemap.xml", files.sitemap, name="sitemap"),
    re_path(
        r"^sitemap-(?P<number>[1-9][0-9]{0,5})\.txt$",
        files.sitemap_file,
        {"pages": SITEMAP_PAGES},
        name="sitemap-file",
    ),
    # Typed by hand without the closing slash.
    re_path(
        rf"^(?P<path>papers|stats|connect|check|basket|specs|searches|library/add|papers/{IdConverter.regex})$",
        RedirectView.as_view(url="/%(path)s/", query_string=True),
    ),
]
