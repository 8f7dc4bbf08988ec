"""Search in the snapshot's own tables, behind the same interface as an index, for a library that has none."""

from collections.abc import Mapping, Sequence
from functools import lru_cache, reduce
from operator import or_

from django.db.models import Case, IntegerField, Model, Q, QuerySet, Value, When

from papercore import limits
from papercore.bibliography.identifiers import paper_key
from papercore.retrieval import (
    Completion,
    Count,
    DocumentNotFound,
    Filters,
    Hit,
    QueryTerms,
    Request,
    Results,
    best_snippet,
    with_marks,
)
from papercore.snapshot.file import facet_key
from papercore.snapshot.fulltext import match_expression, query_terms, without_cjk_blanks
from papers.catalogue.facets import TABLES
from papers.catalogue.names import authors_of, display_name
from papers.snapshot import queries, served
from papers.snapshot.models import (
    Paper,
    PaperAuthor,
    PaperBibtex,
    PaperInstitution,
    PaperKeyAlias,
    PaperKeyword,
    PaperSummary,
    PaperTag,
    PaperTranslation,
    PaperVenue,
)
from papers.snapshot.queries import has_words, year_number
from papers.snapshot.served import IndexedPaper, connection

# How much of each text is scanned for a snippet: a page of hits must not wait for it.
SNIPPET_TEXT_CHARS = 20_000
_NOTHING_SOUGHT = QueryTerms()
_UNDATED_LAST = Case(When(year="unknown", then=Value(1)), default=Value(0), output_field=IntegerField())
_NEWEST_FIRST = (_UNDATED_LAST, "-year", "title", "paper_id")
_ORDERS = {"title": ("title", "paper_id"), "oldest": (_UNDATED_LAST, "year", "title", "paper_id")}
# A filter on the keywords and tags that contain a text.
TOPIC = "topic"
LINKS: dict[str, type[Model]] = {
    "author": PaperAuthor,
    "venue": PaperVenue,
    "keyword": PaperKeyword,
    "tag": PaperTag,
    "institution": PaperInstitution,
}


class SnapshotTables:
    """Answers what an index answers, by words alone; similar papers are those that share keywords, tags or authors."""

    def search(self, request: Request) -> Results:
        papers = Paper.objects.filter(fitting(request.filters) & matching(request.query))
        terms = query_terms(request.query)
        if request.sort == "relevance" and terms and not paper_key(request.query):
            snippets = _best_papers(papers, request, terms)
        else:
            ordered = papers.order_by(*_ORDERS.get(request.sort, _NEWEST_FIRST)).values_list("paper_id", flat=True)
            snippets = dict.fromkeys(ordered[request.offset : request.offset + request.limit], "")
        return Results(self.hits(snippets, _sought(terms)), papers.count(), "words", _counts(request, papers))

    def similar(self, document_id: str, limit: int) -> tuple[Hit, ...]:
        """Papers that share keywords, tags or authors."""
        if not Paper.objects.filter(pk=document_id).exists():
            raise DocumentNotFound("No such paper.", document_id=document_id)
        return self.hits(dict.fromkeys(queries.papers_sharing_facets(connection(), document_id, limit), ""))

    def suggest(self, prefix: str, kinds: Sequence[str], limit: int) -> list[Completion]:
        start = facet_key(prefix)
        found = []
        for kind in kinds if start else ():
            if kind == "title":
                titles = Paper.objects.filter(title__istartswith=start).order_by("title")
                rows = [(title, 1) for title in titles.values_list("title", flat=True)[:limit]]
            else:
                values = TABLES[kind]._default_manager.filter(value__startswith=start, paper_count__gt=0)
                rows = list(values.order_by("-paper_count", "value").values_list("value", "paper_count")[:limit])
            found += [Completion(kind, display_name(kind, value), count) for value, count in rows]
        return found

    def hits(self, snippets: Mapping[str, str], sought: QueryTerms = _NOTHING_SOUGHT) -> tuple[Hit, ...]:
        """The papers of these ids in their order; one without a snippet shows the start of its summary."""
        papers = queries.papers_with_ids(connection(), snippets)
        authors = authors_of(list(papers))
        return tuple(
            Hit(
                id=paper_id,
                title=paper.title,
                marked_title=with_marks(paper.title, sought),
                score=None,
                snippet=snippets[paper_id] or paper.summary_preview,
                matched=(),
                payload=IndexedPaper(paper.title, year_number(paper.year), paper.venue, authors[paper_id]).payload(),
            )
            for paper_id, paper in papers.items()
        )


def _best_papers(papers: QuerySet[Paper], request: Request, terms: Sequence[str]) -> dict[str, str]:
    """Rank row ids alone, drop those that the filters exclude, then fetch snippets for the few that are shown.

    FTS5's own snippet() is quadratic in the number of matches, and no time limit can interrupt it.
    """
    end = request.offset + request.limit
    rows = queries.ranked_rows(connection(), match_expression(terms), limits.OFFSET if request.filters else end)
    if request.filters:
        allowed = set(papers.values_list("paper_id", flat=True))
        rows = [row for row in rows if row.paper_id in allowed]
    page = rows[request.offset : end]
    texts = queries.texts_of_rows(connection(), [row.rowid for row in page], SNIPPET_TEXT_CHARS)
    sought = _sought(terms)
    return {row.paper_id: best_snippet([without_cjk_blanks(text) for text in texts[row.rowid]], sought) for row in page}


def _sought(terms: Sequence[str]) -> QueryTerms:
    """The words to mark in titles and snippets."""
    return QueryTerms.of_words(word for term in terms for word in without_cjk_blanks(term).split())


def _counts(request: Request, papers: QuerySet[Paper]) -> dict[str, tuple[Count, ...]]:
    """The most common values of each requested facet among the papers, or in the whole library."""
    if not request.facets:
        return {}
    if not request.filters and not request.query.strip():
        found = {name: _counts_of_all(served.version(), name, request.counted(name)) for name in request.facets}
    else:
        ids = list(papers.values_list("paper_id", flat=True)[: limits.OFFSET])
        found = {name: queries.facet_counts(connection(), name, request.counted(name), ids) for name in request.facets}
    return {
        name: tuple(Count(display_name(name, value) if name in TABLES else value, count) for value, count in rows)
        for name, rows in found.items()
    }


# Counting a large library takes a second. Room for two snapshots: the one served, and the one it replaces.
@lru_cache(maxsize=18)
def _counts_of_all(version: int, name: str, limit: int) -> list[tuple[str, int]]:
    return queries.facet_counts(connection(), name, limit)


def fitting(filters: Filters) -> Q:
    """Papers that pass all the filters."""
    found = within_years(*filters.years)
    for name, values in filters.alternatives.items():
        found &= reduce(or_, (having(name, value) for value in values))
    for name, value in filters.without:
        found &= ~having(name, value)
    return found


def having(name: str, value: str) -> Q:
    if name in LINKS:
        return linked(name, value)
    if name == TOPIC:
        by_keyword, by_tag = (containing(facet, value).values("paper_id") for facet in ("keyword", "tag"))
        return Q(pk__in=by_keyword.union(by_tag))
    if name == "template":
        return Q(pk__in=PaperSummary.objects.filter(template_tag=value).values("paper_id"))
    if name == "language":
        translated = PaperTranslation.objects.filter(lang=value.lower()).values("paper_id")
        return Q(output_language__iexact=value) | Q(pk__in=translated)
    # Papers that have a source, a PDF, a translation or BibTeX.
    present = {
        "source": Q(source_md_content_hash__isnull=False),
        "pdf": Q(pdf_content_hash__isnull=False),
        "translation": Q(pk__in=PaperTranslation.objects.values("paper_id")),
        "bibtex": Q(pk__in=PaperBibtex.objects.values("paper_id")),
    }
    return present.get(value, Q(pk__in=[]))


def linked(facet: str, value: str) -> Q:
    """Papers with exactly this facet value; if there is none, with a value that contains it."""
    links = LINKS[facet]._default_manager
    exactly = links.filter(**{f"{facet}__value": facet_key(value)})
    found = exactly if exactly.exists() else containing(facet, value)
    return Q(pk__in=found.values("paper_id"))


def containing(facet: str, value: str) -> QuerySet[Model]:
    """Links to facet values that contain the text; `%` and `_` are plain characters."""
    return LINKS[facet]._default_manager.filter(**{f"{facet}__value__contains": facet_key(value)})


def within_years(year_from: int | None, year_to: int | None) -> Q:
    """Years are four-digit texts in the snapshot, so that they compare as texts."""
    condition = Q() if year_from is None and year_to is None else ~Q(year="unknown")
    if year_from is not None:
        condition &= Q(year__gte=f"{year_from:04}")
    if year_to is not None:
        condition &= Q(year__lte=f"{year_to:04}")
    return condition


def matching(query: str) -> Q:
    """Papers with any of the words, or the one with the given DOI or arXiv id; punctuation alone matches all."""
    if key := paper_key(query):
        return Q(pk__in=PaperKeyAlias.objects.filter(paper_key=key).values("paper_id"))
    expression = match_expression(query_terms(query))
    return has_words(expression) if expression else Q()
