"""The frame in which diagrams are drawn."""

from csp.decorators import csp_replace
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import cache_control
from django.views.decorators.clickjacking import xframe_options_sameorigin


# The drawing script sets inline styles. The frame has no origin and no network, so that is all it can do.
@csp_replace({"style-src": ["'self'", "'unsafe-inline'"], "connect-src": ["'none'"], "frame-ancestors": ["'self'"]})
@xframe_options_sameorigin
@cache_control(max_age=3600)
def diagram(request: HttpRequest) -> HttpResponse:
    """See diagram.js, which puts the frame into a page."""
    return render(request, "diagram.html")
