"""Pages of the site itself."""

from csp.decorators import csp_replace
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.views.decorators.cache import cache_control
from django.views.decorators.clickjacking import xframe_options_sameorigin


# The drawing script sets styles of its own; the frame has no origin and no network, so that is all it can do.
@csp_replace({"style-src": ["'self'", "'unsafe-inline'"], "connect-src": ["'none'"], "frame-ancestors": ["'self'"]})
@xframe_options_sameorigin
@cache_control(max_age=3600)
def diagram(request: HttpRequest) -> HttpResponse:
    """The frame in which a diagram is drawn; see diagram.js."""
    return render(request, "diagram.html")


@cache_control(max_age=3600)
def favicon(request: HttpRequest) -> HttpResponse:
    """Browsers ask here where a page, such as the admin's, names no icon."""
    return redirect(static("papersite/favicon.svg"))
