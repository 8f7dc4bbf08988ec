"""Top facet values and totals of the library, computed once per snapshot."""

from functools import lru_cache

from django.db.models import Count, Model, QuerySet
from msgspec import Struct

from papers.catalogue.names import as_written
from papers.catalogue.schemas import Category, DatabaseStats, FacetValue
from papers.snapshot import served
from papers.snapshot.models import (
    Author,
    Institution,
    Keyword,
    Paper,
    PaperBibtex,
    PaperSummary,
    PaperTranslation,
    Tag,
    Venue,
    YearCount,
)
from papers.snapshot.queries import year_number

# As many as a page shows.
FIRST_VALUES = 200
TABLES: dict[str, type[Model]] = {
    "author": Author,
    "venue": Venue,
    "keyword": Keyword,
    "institution": Institution,
    "tag": Tag,
}


class FirstValues(Struct, frozen=True):
    """The most common values of a facet with their papers, as the tables have them, and how many values there are."""

    rows: list[tuple[str, int]]
    total: int


def top_values(category: Category, limit: int) -> list[FacetValue]:
    """The most common values, names as people write them."""
    rows = first_values(category).rows[:limit]
    written = as_written(category, [value for value, _ in rows])
    return [FacetValue(value=value, paper_count=count) for value, (_, count) in zip(written, rows, strict=True)]


def first_values(category: Category, containing: str = "") -> FirstValues:
    """Of all values, or of those that contain a text."""
    if not containing:
        return _first_values(served.version(), category)
    rows = facet_counts(category).filter(value__contains=containing)
    return FirstValues(list(rows[:FIRST_VALUES]), rows.count())


# Room for two snapshots: the one served, and the one it replaces.
@lru_cache(maxsize=12)
def _first_values(version: int, category: Category) -> FirstValues:
    rows = facet_counts(category)
    return FirstValues(list(rows[:FIRST_VALUES]), rows.count())


def facet_counts(category: Category) -> "QuerySet[Model, tuple[str, int]]":
    if category == "year":
        known = YearCount.objects.exclude(year="unknown")
        return known.order_by("-paper_count", "-year").values_list("year", "paper_count")
    used = TABLES[category]._default_manager.filter(paper_count__gt=0)
    return used.order_by("-paper_count", "value").values_list("value", "paper_count")


def stats() -> DatabaseStats:
    return _stats(served.version())


@lru_cache(maxsize=2)
def _stats(version: int) -> DatabaseStats:
    def papers_by(model: type[Model], field: str) -> dict[str, int]:
        rows = model._default_manager.values_list(field).annotate(papers=Count("paper_id"))
        return dict(rows.order_by("-papers", field))

    years = [
        year for text in YearCount.objects.values_list("year", flat=True) if (year := year_number(text)) is not None
    ]
    return DatabaseStats(
        papers=Paper.objects.count(),
        authors=Author.objects.count(),
        venues=Venue.objects.count(),
        keywords=Keyword.objects.count(),
        institutions=Institution.objects.count(),
        tags=Tag.objects.count(),
        year_from=min(years, default=None),
        year_to=max(years, default=None),
        with_source=Paper.objects.filter(source_md_content_hash__isnull=False).count(),
        with_bibtex=PaperBibtex.objects.count(),
        with_doi=Paper.objects.filter(doi__isnull=False).count(),
        summary_templates=papers_by(PaperSummary, "template_tag"),
        translations=papers_by(PaperTranslation, "lang"),
        build_id=served.facts().build_id,
        built_at=served.facts().built_at,
    )
