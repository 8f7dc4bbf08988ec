"""Lists and counts from the snapshot's own tables: for a library without an index, and for lists without words."""

import json
from dataclasses import dataclass

from django.db.models import Q, QuerySet
from django.db.models.expressions import RawSQL

from paper_search import limits
from papers import facets, fulltext
from papers.listing import NEWEST_FIRST, number, within_years
from papers.models import (
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
    YearCount,
)
from papers.schemas import FacetValue
from papers.snapshot import connection
from papers.wish import FACETS, Facet, Wish

# Values of a facet that a page may show.
FACET_VALUES = 16
LINKED: tuple[Facet, ...] = ("venue", "keyword", "author", "institution", "tag")
# A paper has a language when its summary or a translation is in it.
_LANGUAGES = """(SELECT paper_id, lang FROM paper_translation
  UNION SELECT paper_id, output_language FROM paper WHERE output_language <> '')"""
_COLUMNS: dict[Facet, tuple[str, str]] = {
    "template": ("paper_summary", "template_tag"),
    "language": (_LANGUAGES, "lang"),
}


@dataclass(frozen=True)
class Place:
    """Where a paper stands in a list, before its row is read."""

    paper_id: str
    snippet: str
    why: str = ""
    authors: tuple[str, ...] = ()


@dataclass(frozen=True)
class Listed:
    places: list[Place]
    total: int


@dataclass(frozen=True)
class Counts:
    facets: dict[Facet, list[FacetValue]]
    years: dict[int, int]


def listed(wish: Wish, limit: int, offset: int) -> Listed:
    """A part of the list, best or newest first."""
    papers = Paper.objects.filter(condition(wish))
    expression = fulltext.match_expression(wish.q)
    if wish.order == "relevance" and expression and not fulltext.identifier_key(wish.q):
        return _ranked(papers, wish, expression, limit, offset)
    orders = {"oldest": ("year", "title", "paper_id"), "title": ("title", "paper_id")}
    rows = papers.order_by(*orders.get(wish.order, NEWEST_FIRST)).values_list("paper_id", "summary_preview")
    return Listed([Place(*row) for row in rows[offset : offset + limit]], papers.count())


def _ranked(papers: QuerySet[Paper], wish: Wish, expression: str, limit: int, offset: int) -> Listed:
    """Rank row ids alone, drop those that the filters exclude, then make snippets for the few that are shown."""
    rows = fulltext.best(expression, limits.OFFSET, 0)
    allowed = set(papers.values_list("paper_id", flat=True)) if wish.narrowed else None
    kept = [row for row in rows if allowed is None or row[1] in allowed]
    page = kept[offset : offset + limit]
    snippets = fulltext.snippets(wish.q, [rowid for rowid, _ in page])
    places = [Place(paper_id, snippets.get(rowid, "")) for rowid, paper_id in page]
    return Listed(places, len(kept) if len(rows) < limits.OFFSET else papers.count())


def condition(wish: Wish) -> Q:
    """Everything that a paper must have."""
    found = _words(wish.q) & within_years(wish.year_from, wish.year_to)
    for facet, value in wish.values:
        found &= _having(facet, value)
    return found


def _words(text: str) -> Q:
    if key := fulltext.identifier_key(text):
        return Q(pk__in=PaperKeyAlias.objects.filter(paper_key=key).values("paper_id"))
    expression = fulltext.match_expression(text)
    if not expression:  # signs alone ask for nothing
        return Q()
    return Q(pk__in=RawSQL("SELECT paper_id FROM paper_fts WHERE paper_fts MATCH %s", [expression]))


def _having(facet: Facet, value: str) -> Q:
    ids = {
        "author": PaperAuthor.objects.filter(author__value=value),
        "venue": PaperVenue.objects.filter(venue__value=value),
        "keyword": PaperKeyword.objects.filter(keyword__value=value),
        "tag": PaperTag.objects.filter(tag__value=value),
        "institution": PaperInstitution.objects.filter(institution__value=value),
        "template": PaperSummary.objects.filter(template_tag=value),
        "language": PaperTranslation.objects.filter(lang=value),
    }
    if facet == "has":
        return _has(value)
    found = Q(pk__in=ids[facet].values("paper_id"))
    return found | Q(output_language=value) if facet == "language" else found


def _has(what: str) -> Q:
    conditions = {
        "source": Q(source_md_content_hash__isnull=False),
        "pdf": Q(pdf_content_hash__isnull=False),
        "translation": Q(pk__in=PaperTranslation.objects.values("paper_id")),
        "bibtex": Q(pk__in=PaperBibtex.objects.values("paper_id")),
    }
    return conditions[what]


def counted(wish: Wish) -> Counts:
    """Counts over all papers that fit; those by year leave the wish's own years aside."""
    all_years = wish.but(year_from=None, year_to=None)
    if not all_years.narrowed and not wish.q.strip():
        years = dict(YearCount.objects.values_list("year", "paper_count"))
    else:
        years = dict(_rows("SELECT year, count(*) FROM paper WHERE {within} GROUP BY 1", _ids(all_years)))
    known = {year: count for text, count in years.items() if (year := number(text)) is not None}
    return Counts(facet_counts(wish), dict(sorted(known.items())))


def facet_counts(wish: Wish) -> dict[Facet, list[FacetValue]]:
    everything = not wish.narrowed and not wish.q.strip()
    ids = None if everything else _ids(wish)
    return {facet: _counted(facet, ids) for facet in FACETS}


def _ids(wish: Wish) -> str:
    rows = Paper.objects.filter(condition(wish)).values_list("paper_id", flat=True)
    return json.dumps(list(rows[: limits.OFFSET]))


def _counted(facet: Facet, ids: str | None) -> list[FacetValue]:
    if facet == "has":
        counts = [(what, _rows(sql, ids)[0][1]) for what, sql in _HAS_COUNTS.items()]
        return [FacetValue(value=what, paper_count=count) for what, count in counts if count]
    if facet in LINKED and ids is None:
        return facets.top_values(facet, FACET_VALUES)  # type: ignore[arg-type]  # LINKED are categories
    table, column = _COLUMNS.get(facet, ("", ""))
    sql = (
        f"SELECT {column}, count(*) FROM {table} WHERE {{within}} GROUP BY 1"  # noqa: S608 (constants)
        if table
        else f"SELECT value, count(*) FROM paper_{facet} JOIN {facet} USING ({facet}_id) WHERE {{within}} GROUP BY 1"  # noqa: S608
    )
    rows = _rows(f"{sql} ORDER BY 2 DESC, 1 LIMIT {FACET_VALUES}", ids)
    return [FacetValue(value=value, paper_count=count) for value, count in rows]


_HAS_COUNTS = {
    "source": "SELECT 'source', count(*) FROM paper WHERE source_md_content_hash IS NOT NULL AND {within}",
    "translation": "SELECT 'translation', count(DISTINCT paper_id) FROM paper_translation WHERE {within}",
    "bibtex": "SELECT 'bibtex', count(*) FROM paper_bibtex WHERE {within}",
    "pdf": "SELECT 'pdf', count(*) FROM paper WHERE pdf_content_hash IS NOT NULL AND {within}",
}


def _rows(sql: str, ids: str | None) -> "list[tuple[str, int]]":
    """Rows of a counting query; `{within}` in it stands for: the paper is one of these."""
    within = "TRUE" if ids is None else "paper_id IN (SELECT value FROM json_each(%s))"
    with connection().cursor() as cursor:
        cursor.execute(sql.format(within=within), [] if ids is None else [ids])
        rows: list[tuple[str, int]] = cursor.fetchall()
        return rows
