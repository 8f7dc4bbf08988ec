"""Filters on papers, as conditions on the snapshot's tables."""

from functools import reduce
from operator import or_

from django.db.models import Model, Q, QuerySet

from papercore.bibliography.identifiers import paper_key
from papercore.retrieval import Filters
from papercore.snapshot.fulltext import match_expression, query_terms
from papers.snapshot.models import (
    PaperAuthor,
    PaperBibtex,
    PaperInstitution,
    PaperKeyAlias,
    PaperKeyword,
    PaperSummary,
    PaperTag,
    PaperTranslation,
    PaperVenue,
    facet_key,
)
from papers.snapshot.queries import has_words

# A filter on the keywords and tags that contain a text.
TOPIC = "topic"
LINKS: dict[str, type[Model]] = {
    "author": PaperAuthor,
    "venue": PaperVenue,
    "keyword": PaperKeyword,
    "tag": PaperTag,
    "institution": PaperInstitution,
}


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
