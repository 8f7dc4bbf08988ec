"""For crawlers and browsers: the sitemap, and the OpenSearch description."""

import math
from collections.abc import Sequence

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from papers.pages.caching import snapshot_page
from papers.snapshot.models import Paper
from papers.snapshot.served import reading

# Fewer than the format's own limit of addresses in one file, which the site's other pages share.
SITEMAP_PAPERS = 49_000


@snapshot_page
def sitemap(request: HttpRequest) -> HttpResponse:
    """Lists the sitemap files that list the papers."""
    with reading():
        files = max(1, math.ceil(Paper.objects.count() / SITEMAP_PAPERS))
    addresses = [request.build_absolute_uri(reverse("sitemap-file", args=[number])) for number in range(1, files + 1)]
    return render(request, "papers/sitemap.xml", {"addresses": addresses}, content_type="application/xml")


@snapshot_page
def sitemap_file(request: HttpRequest, number: str, pages: Sequence[str]) -> HttpResponse:
    """The addresses of one share of the papers. The first file begins with `pages`, given by the names of routes."""
    root, start = request.build_absolute_uri("/").rstrip("/"), (int(number) - 1) * SITEMAP_PAPERS
    with reading():
        ids = list(Paper.objects.order_by("pk").values_list("pk", flat=True)[start : start + SITEMAP_PAPERS])
    if start and not ids:
        raise Http404("The library has fewer papers than that.")
    paths = [] if start else [reverse(page) for page in pages]
    papers = reverse("search")  # the papers lie below it; asking for each address would take seconds
    lines = [f"{root}{path}" for path in (*paths, *(f"{papers}{paper_id}/" for paper_id in ids))]
    return HttpResponse("\n".join(lines) + "\n", content_type="text/plain; charset=utf-8")


def opensearch(request: HttpRequest) -> HttpResponse:
    """Lets a browser offer this library as a search engine."""
    root = request.build_absolute_uri("/").rstrip("/")
    response = render(request, "papers/opensearch.xml", {"root": root})
    response["Content-Type"] = "application/opensearchdescription+xml; charset=utf-8"
    return response
