"""What browsers and crawlers ask for at fixed addresses: the icon, and robots.txt."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.templatetags.static import static
from django.urls import reverse
from django.views.decorators.cache import cache_control

# Pages that are of no use to others: the reader's own, the operator's, and answers that a model writes.
PRIVATE_PAGES = ("admin:index", "basket", "searches", "ask-answers")


@cache_control(max_age=3600)
def favicon(request: HttpRequest) -> HttpResponse:
    """Browsers ask here where a page, such as the admin's, names no icon."""
    return redirect(static("papersite/favicon.svg"))


def robots(request: HttpRequest) -> HttpResponse:
    lines = ["User-agent: *", *(f"Disallow: {reverse(page)}" for page in PRIVATE_PAGES)]
    lines.append(f"Sitemap: {request.build_absolute_uri(reverse('sitemap'))}")
    return HttpResponse("\n".join(lines) + "\n", content_type="text/plain; charset=utf-8")
