"""Counts the values of facets over all hits of a query."""

from collections.abc import Iterable, Mapping
from typing import TypedDict

import tantivy
from msgspec import Struct
from tantivy import Occur, Query

from papercore.retrieval.basics.request import Count, Request
from papercore.retrieval.engines import fields
from papercore.retrieval.engines.facets import Bucket, FacetValueTable, commonest

# Values that each segment of the index reports at first: all of most facets, and of a hundred thousand authors so many
# that few have to be counted by themselves. And more than any facet has.
PER_SEGMENT, EVERY = 2_000, 2**31
# How many times more values are asked for than returned, so that ties are broken by name.
MARGIN = 3


class Terms(TypedDict):
    """What tantivy answers about a facet."""

    buckets: list[Bucket]
    # The highest count of a value that a segment has not reported.
    doc_count_error_upper_bound: int


class FacetCounter(Struct, frozen=True):
    """Counts what one request asks for. `year` may be one of its facets."""

    schema: tantivy.Schema
    searcher: tantivy.Searcher
    values: Mapping[str, FacetValueTable]
    request: Request

    def counts(self, query: tantivy.Query, *, is_broad: bool) -> dict[str, tuple[Count, ...]]:
        """For each facet asked for, the commonest values among the query's hits."""
        known = [name for name in self.request.facets if name == fields.YEAR or name in self.values]
        found = self._of_frequent(query, known) if is_broad else {}
        found |= self._of_all(query, [name for name in known if name not in found])
        unsure = [name for name in known if self._may_be_wrong(name, found[name])]
        recounted = {name: self._recounted(query, name, found[name]) for name in unsure}
        found |= {name: terms for name, terms in recounted.items() if terms}
        found |= self._of_all(query, [name for name in unsure if not recounted[name]], per_segment=EVERY)
        counts = {name: self._commonest(name, found[name]["buckets"]) for name in known}
        return {name: counts.get(name, ()) for name in self.request.facets}

    def _of_frequent(self, query: tantivy.Query, names: Iterable[str]) -> dict[str, Terms]:
        """The frequent values of those facets where no other value can be among the commonest."""
        apart = {name: table.frequent for name in names if (table := self.values.get(name)) and table.frequent}
        found = self._aggregate(query, {name: fields.frequent_field(name) for name in apart}, EVERY)
        return {
            name: terms for name, terms in found.items() if self._last_count(name, terms) > apart[name].most_of_others
        }

    def _last_count(self, name: str, found: Terms) -> int:
        """The count of the last value that is shown; zero if there are fewer."""
        limit = self.request.counted(name)
        return found["buckets"][limit - 1]["doc_count"] if 0 < limit <= len(found["buckets"]) else 0

    def _of_all(self, query: tantivy.Query, names: Iterable[str], per_segment: int = PER_SEGMENT) -> dict[str, Terms]:
        return self._aggregate(query, {name: _field(name) for name in names}, per_segment)

    def _may_be_wrong(self, name: str, found: Terms) -> bool:
        """Whether a segment has kept back values that would be shown, or would add to those that are."""
        kept_back, buckets = found["doc_count_error_upper_bound"], found["buckets"]
        if not kept_back:
            return False
        shown = buckets[: self.request.counted(name) + 1]
        return self.searcher.num_segments > 1 or any(bucket["doc_count"] <= kept_back for bucket in shown)

    def _recounted(self, query: tantivy.Query, name: str, found: Terms) -> Terms | None:
        """The values that may be shown, each counted by itself; None if others may be, too."""
        kept_back, buckets = found["doc_count_error_upper_bound"], found["buckets"]
        least = self._last_count(name, found)
        candidates = [bucket for bucket in buckets if bucket["doc_count"] + kept_back >= least]
        if kept_back >= least or len(candidates) == len(buckets):
            return None
        exact = [Bucket(key=bucket["key"], doc_count=self._count(query, name, bucket)) for bucket in candidates]
        return Terms(buckets=sorted(exact, key=lambda bucket: -bucket["doc_count"]), doc_count_error_upper_bound=0)

    def _count(self, query: tantivy.Query, name: str, bucket: Bucket) -> int:
        has_value = Query.term_query(self.schema, _field(name), int(bucket["key"]))
        found = self.searcher.search(Query.boolean_query([(Occur.Must, query), (Occur.Must, has_value)]), 1)
        return int(found.count)  # type: ignore[attr-defined]  # the stubs lack it

    def _aggregate(self, query: tantivy.Query, fields: Mapping[str, str], per_segment: int) -> dict[str, Terms]:
        """The commonest numbers in these fields, of which each segment reports so many."""
        if not fields:
            return {}
        terms = {}
        for name, field in fields.items():
            size = MARGIN * self.request.counted(name) + 1  # one more for the unknown year
            terms[name] = {"terms": {"field": field, "size": size, "segment_size": max(per_segment, size)}}
        return self.searcher.aggregate(query, terms)

    def _commonest(self, name: str, buckets: list[Bucket]) -> tuple[Count, ...]:
        limit = self.request.counted(name)
        if name == fields.YEAR:
            return commonest([bucket for bucket in buckets if bucket["key"] != fields.NO_YEAR], limit, str)
        return commonest(buckets, limit, self.values[name].name)


def _field(name: str) -> str:
    return fields.YEAR if name == fields.YEAR else fields.facet_field(name)
