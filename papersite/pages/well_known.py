"""What has no content of its own: the icon, robots.txt, and the frame in which diagrams are drawn."""

from csp.decorators import csp_replace
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.urls import reverse
from django.views.decorators.cache import cache_control
from django.views.decorators.clickjacking import xframe_options_sameorigin

# Pages that are of no use to others: the reader's own, the operator's, and answers that a model writes.
PRIVATE_PAGES = ("admin:index", "state", "login", "basket", "searches", "ask-answers")


@cache_control(max_age=3600)
def favicon(request: HttpRequest) -> HttpResponse:
    """Browsers ask here where a page, such as the admin's, names no icon."""
    return redirect(static("papersite/favicon.svg"))


def robots(request: HttpRequest) -> HttpResponse:
    lines = ["User-agent: *", *(f"Disallow: {reverse(page)}" for page in PRIVATE_PAGES)]
    lines.append(f"Sitemap: {request.build_absolute_uri(reverse('sitemap'))}")
    return HttpResponse("\n".join(lines) + "\n", content_type="text/plain; charset=utf-8")


# The drawing script sets inline styles. The frame has no origin and no network, so that is all it can do.
@csp_replace({"style-src": ["'self'", "'unsafe-inline'"], "connect-src": ["'none'"], "frame-ancestors": ["'self'"]})
@xframe_options_sameorigin
@cache_control(max_age=3600)
def diagram(request: HttpRequest) -> HttpResponse:
    """See diagram.js, which puts the frame into a page."""
    return render(request, "diagram.html")
