"""The page that answers a question with evidence: passages of the papers, word for word."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from papercore.retrieval import Filters, QueryTerms, with_marks
from papercore.text import one_line
from papers import tools
from papers.pages.caching import snapshot_page
from papers.pages.search import chips_of
from papers.passages.schemas import PassageHit
from papers.passages.search import find_passages
from papers.passages.tools import hit_of
from papers.schemas import PaperMetadata
from papers.search.list_query import ListQuery, read_list_query
from papers.search.snippet_text import without_markup

# As many as a person reads; of one paper at most three.
PASSAGES = 12


@dataclass(frozen=True)
class Evidence:
    """A passage: with the words of the question marked, and as a quotation with its citation, for copying."""

    hit: PassageHit
    marked: str
    quotation: str


@dataclass(frozen=True)
class PaperEvidence:
    """What one paper says about the question."""

    paper: PaperMetadata
    passages: list[Evidence]


@snapshot_page
def ask(request: HttpRequest) -> HttpResponse:
    """A question, and below it the passages that bear on it, by paper, the best paper first."""
    query = read_list_query(request.GET)
    question = one_line(query.q)
    board = _board(question, _passages(question, query)) if question else []
    context = {
        "question": question,
        "board": board,
        "passages": sum(len(item.passages) for item in board),
        "papers": query.changed(sort=None),
        "filters": [(name, value) for name, value in query.parameters() if name not in ("q", "page", "sort")],
        "chips": chips_of(query, reverse("ask")),
    }
    return render(request, "papers/ask.html", context)


def _passages(question: str, query: ListQuery) -> list[PassageHit]:
    filters = Filters(tuple(query.values), query.year_from, query.year_to)
    return [hit_of(found) for found in find_passages(question, filters, (), PASSAGES)]


def _board(question: str, hits: Sequence[PassageHit]) -> list[PaperEvidence]:
    if not hits:
        return []
    sought = QueryTerms.of_words(question.split())
    papers = tools.get_papers(tuple(dict.fromkeys(hit.paper_id for hit in hits))).papers
    return [
        PaperEvidence(paper, list(_evidence(paper, (hit for hit in hits if hit.paper_id == paper.paper_id), sought)))
        for paper in papers
    ]


def _evidence(paper: PaperMetadata, hits: Iterable[PassageHit], sought: QueryTerms) -> Iterable[Evidence]:
    for hit in hits:
        plain = without_markup(one_line(hit.quote))
        yield Evidence(
            hit, without_markup(with_marks(one_line(hit.quote), sought)), f"“{plain}” ({_cited(paper, hit)})"
        )


def _cited(paper: PaperMetadata, hit: PassageHit) -> str:
    """`Vaswani et al., 2017, p. 3. Attention Is All You Need`"""
    family_names = [name.split()[-1] for name in paper.authors if name.split()]
    authors = " and ".join(family_names) if len(family_names) < 3 else f"{family_names[0]} et al."
    year, page = str(paper.year or "n.d."), f"p. {hit.page}" if hit.page else ""
    return f"{', '.join(part for part in (authors, year, page) if part)}. {paper.title}"
