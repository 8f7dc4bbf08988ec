"""For crawlers and browsers: sitemap, robots, OpenSearch."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from papers.caching import snapshot_page
from papers.models import Paper
from papers.snapshot import reading

# The format's own limit for one file.
SITEMAP_PAPERS = 50_000


@snapshot_page
def sitemap(request: HttpRequest) -> HttpResponse:
    root = request.build_absolute_uri("/").rstrip("/")
    with reading():
        ids = list(Paper.objects.order_by("pk").values_list("pk", flat=True)[:SITEMAP_PAPERS])
    lines = [f"{root}{path}" for path in ("/", "/papers/", "/stats/", *(f"/papers/{paper_id}/" for paper_id in ids))]
    return HttpResponse("\n".join(lines) + "\n", content_type="text/plain; charset=utf-8")


def robots(request: HttpRequest) -> HttpResponse:
    sitemap_url = request.build_absolute_uri("/sitemap.txt")
    body = f"User-agent: *\nDisallow: /admin/\nDisallow: /basket/\nDisallow: /searches/\nSitemap: {sitemap_url}\n"
    return HttpResponse(body, content_type="text/plain; charset=utf-8")


def opensearch(request: HttpRequest) -> HttpResponse:
    """Lets a browser offer this library as a search engine."""
    root = request.build_absolute_uri("/").rstrip("/")
    response = render(request, "papers/opensearch.xml", {"root": root})
    response["Content-Type"] = "application/opensearchdescription+xml; charset=utf-8"
    return response
