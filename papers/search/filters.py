"""The filters of a list as a page offers them: values to choose, those in use, and what finds more without them."""

from collections.abc import Sequence
from hashlib import blake2s
from typing import NamedTuple

from msgspec import Struct

from papercore.snapshot.file import facet_key
from papers.catalogue.names import as_written, display_name, facet_labels
from papers.search.list_query import FACETS, Facet, ListQuery
from papers.search.results import PaperList, count

# Facet values visible before "more", and the facets that are open at first.
VISIBLE = 6
OPEN: tuple[Facet, ...] = ("venue", "keyword", "has")
# Filters that are dropped one by one when nothing is found.
WIDER_QUERIES = 5
_FACET_NAMES = {"template": "Summary template", "has": "Has"}


class FacetOption(NamedTuple):
    """A facet value as a link that adds it to the query or removes it, and to itself on the new page."""

    id: str
    label: str
    # None: in use, but too rare to be counted.
    papers: int | None
    url: str
    on: bool


class FacetGroup(Struct, frozen=True):
    facet: Facet
    open: bool
    visible: list[FacetOption]
    more: list[FacetOption]

    @property
    def name(self) -> str:
        return _FACET_NAMES.get(self.facet, self.facet.capitalize())

    @property
    def open_more(self) -> bool:
        return any(option.on for option in self.more)


class Chip(Struct, frozen=True):
    """A filter in use, with the address of the list without it."""

    name: str
    label: str
    url: str
    # After another value of the same facet: a paper needs only one of them.
    is_alternative: bool = False


class WiderQuery(Struct, frozen=True):
    """A query with fewer conditions that finds something."""

    label: str
    url: str
    count: int


def facet_group(query: ListQuery, results: PaperList, facet: Facet) -> FacetGroup | None:
    """The values of a facet, as many as are offered; None if there is none."""
    counts = _option_counts(query, results, facet)
    if not counts:
        return None
    keys, chosen = list(map(facet_key, counts)), query.facet_keys(facet)
    written = {facet_key(item.value): item.value for item in results.counts[facet]}
    unknown = {key: value for key, value in zip(keys, counts, strict=True) if not written.get(key)}
    if unknown:
        written |= zip(unknown, as_written(facet, list(unknown.values())), strict=True)
    labels = facet_labels(facet, [written[key] for key in keys])
    urls = query.toggle_urls(facet, counts)
    # Short ids, and the same on the next page.
    ids = [f"f-{blake2s(f'{facet} {key}'.encode(), digest_size=4).hexdigest()}" for key in keys]
    options = [
        FacetOption(option_id, label, number, url, key in chosen)
        for option_id, key, label, number, url in zip(ids, keys, labels, counts.values(), urls, strict=True)
    ]
    return FacetGroup(facet, facet in OPEN or bool(chosen), options[:VISIBLE], options[VISIBLE:])


def _option_counts(query: ListQuery, results: PaperList, facet: Facet) -> dict[str, int | None]:
    """Papers per value in the order of the counts, after the values in use that were not counted.

    Nothing moves when a value is chosen, so that it stays under the pointer.
    """
    counted = results.facet_counts(facet)
    # Once for each, however often and however it is written.
    chosen = {facet_key(value): value for value in getattr(query, facet)}
    keys = set(map(facet_key, counted)) if chosen else ()
    # A name that stands alone in its facet is in every paper of the list.
    alone = results.total if len(chosen) == 1 else None
    return {**{value: alone for key, value in chosen.items() if key not in keys}, **counted}


def chips_of(query: ListQuery, path: str = "") -> list[Chip]:
    """The filters in use, each with the address without it: of the list, or of the page at this path."""

    def url(other: ListQuery) -> str:
        return other.address(path) if path else other.url

    facets = [facet for facet, _ in query.values]
    chips = [
        Chip(facet, display_name(facet, value), url(query.toggled(facet, value)), is_alternative=facet in facets[:n])
        for n, (facet, value) in enumerate(query.values)
    ]
    low, high = query.year_from, query.year_to
    if query.has_years:
        label = str(low) if low == high else f"{low or 'any'} to {high or 'now'}"
        chips.append(Chip("year", label, url(query.without_years())))
    return chips


def conditions_of(query: ListQuery, corrected: str, only: Sequence[str], path: str = "") -> list[Chip]:
    """What the words ask of authors and years, each with the address of the words without it, as `chips_of`."""
    words = " ".join((corrected or query.q).split())
    chips = []
    for said in only:
        name, _, label = said.partition(" ")
        other = query.changed(q=" ".join(words.replace(said, " ").split()))
        chips.append(Chip(name, label, other.address(path) if path else other.url))
    return chips


def wider_queries(query: ListQuery) -> list[WiderQuery]:
    """Queries that find something when this one does not."""
    used = {facet: [display_name(facet, value) for value in getattr(query, facet)] for facet in FACETS}
    wider = [
        (f"Without {facet}: {' or '.join(values)}", query.without_facet(facet))
        for facet, values in used.items()
        if values
    ]
    if query.has_years:
        wider.append(("In any year", query.without_years()))
    if query.q.strip() and query.is_filtered:
        wider.append(("Without any filter", query.without_filters()))
    found = [WiderQuery(label, other.url, count(other)) for label, other in wider[:WIDER_QUERIES]]
    return [item for item in found if item.count]
