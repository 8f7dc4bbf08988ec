"""The page of a paper's references, the papers that cite it, and the graph of both."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from papercore import limits
from papers import tools
from papers.pages.caching import snapshot_page
from papers.pages.paper import paper_context
from papers.references.graph import DOT, WIDTH, citation_graph
from papers.references.tools import citations_of
from papers.texts import rendered


@snapshot_page
def references(request: HttpRequest, paper_id: str) -> HttpResponse:
    found = tools.get_paper_metadata(paper_id)
    citations = citations_of(found.paper_id)
    listed = list(zip(citations.references, citations.cited, strict=True))
    context = paper_context(request, found, rendered.choices(found), "references") | {
        "references": listed[: limits.REFERENCES],
        "in_library": len({paper.paper_id for paper in citations.cited if paper}),
        "citing": citations.citing,
        "graph": citation_graph(citations),
        "graph_width": WIDTH,
        "graph_dot": DOT,
    }
    return render(request, "papers/references.html", context)
