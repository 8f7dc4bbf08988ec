"""Facet values as numbers, which the index filters and counts by, the spelling of each, and their counts."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

import numpy as np
import tantivy
from numpy.typing import NDArray

from papercore.npy import map_array
from papercore.retrieval import analysis, schema
from papercore.retrieval.results import Count, Request

NAMES, OFFSETS, KEYS, ORDER = "names.npy", "offsets.npy", "keys.npy", "order.npy"
# Values that each segment of the index reports, so that the counts of the commonest are right.
PER_SEGMENT = 500
# How many times more values are asked for than returned, so that ties are broken by name.
MARGIN = 3


def same_value_key(value: str) -> str:
    """Equal for two spellings of one value: case and blanks do not matter, accents do."""
    return " ".join(analysis.clean(value).lower().split())


class ValueNumbers:
    """The values of one facet while an index is built, numbered as they appear."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self.names: list[str] = []
        # Number of documents with each value.
        self.counts: list[int] = []

    def add(self, values: Iterable[str]) -> list[int]:
        """Count one document's values; their numbers, each once."""
        found = list(dict.fromkeys(map(self._number, values)))
        for number in found:
            self.counts[number] += 1
        return found

    def _number(self, value: str) -> int:
        key = same_value_key(value)
        number = self._numbers.setdefault(key, len(self.names))
        if number == len(self.names):
            self.names.append(analysis.clean(value))
            self.counts.append(0)
        elif self.names[number] == key:
            # Tables keep names in lower case; any other spelling is the author's own.
            self.names[number] = analysis.clean(value)
        return number

    def write(self, folder: Path) -> None:
        folder.mkdir(parents=True)
        encoded = [name.encode() for name in self.names]
        keys = np.array([analysis.key_hash(name) for name in self.names], dtype=np.uint64)
        order = np.argsort(keys, kind="stable").astype(np.uint32)
        np.save(folder / NAMES, np.frombuffer(b"".join(encoded), dtype=np.uint8))
        np.save(folder / OFFSETS, np.cumsum([0, *map(len, encoded)], dtype=np.uint32))
        np.save(folder / KEYS, keys[order])
        np.save(folder / ORDER, order)


@dataclass(frozen=True)
class FacetValueTable:
    """The values of one facet of an opened index, memory-mapped."""

    names: NDArray[np.uint8]
    offsets: NDArray[np.uint32]
    # Hashes of the folded names in ascending order, and the numbers of their values.
    keys: NDArray[np.uint64]
    order: NDArray[np.uint32]

    @classmethod
    def open(cls, folder: Path) -> "FacetValueTable":
        return cls(*(map_array(folder / name) for name in (NAMES, OFFSETS, KEYS, ORDER)))

    def name(self, number: int) -> str:
        """The spelling of a value."""
        return self.names[self.offsets[number] : self.offsets[number + 1]].tobytes().decode()

    def numbers(self, value: str) -> Sequence[int]:
        """The number of this value; if there is none, those of the values that differ only by accents."""
        key = np.uint64(analysis.key_hash(value))
        first, last = np.searchsorted(self.keys, key, "left"), np.searchsorted(self.keys, key, "right")
        alike: list[int] = self.order[first:last].tolist()
        same = [number for number in alike if same_value_key(self.name(number)) == same_value_key(value)]
        return same or alike

    def written(self, value: str) -> str | None:
        """The spelling of a value that is given in any case; None if there is no such value."""
        numbers = self.numbers(value)
        return self.name(numbers[0]) if numbers else None


class Bucket(TypedDict):
    """A value's number and how many hits have it, as tantivy reports them."""

    key: float
    doc_count: int


def count_facets(
    searcher: tantivy.Searcher, values: Mapping[str, FacetValueTable], query: tantivy.Query, request: Request
) -> dict[str, tuple[Count, ...]]:
    """For each facet asked for, the commonest values among the query's hits. `year` may be one of the facets."""
    known = [name for name in request.facets if name == schema.YEAR or name in values]
    found = searcher.aggregate(query, {name: {"terms": _terms(name, request.counted(name))} for name in known})
    counts = {name: _counts(values, name, found[name]["buckets"], request.counted(name)) for name in known}
    return {name: counts.get(name, ()) for name in request.facets}


def _terms(name: str, limit: int) -> dict[str, object]:
    field = schema.YEAR if name == schema.YEAR else schema.facet_field(name)
    size = MARGIN * limit + 1  # one more for the unknown year
    return {"field": field, "size": size, "segment_size": max(PER_SEGMENT, size)}


def _counts(values: Mapping[str, FacetValueTable], name: str, buckets: list[Bucket], limit: int) -> tuple[Count, ...]:
    known = [bucket for bucket in buckets if name != schema.YEAR or bucket["key"] != schema.NO_YEAR]
    least = known[limit - 1]["doc_count"] if len(known) > limit else 0
    counts = [
        Count(_name(values, name, int(bucket["key"])), bucket["doc_count"])
        for bucket in known
        if bucket["doc_count"] >= least
    ]
    return tuple(sorted(counts, key=lambda count: (-count.count, count.value.lower()))[:limit])


def _name(values: Mapping[str, FacetValueTable], facet: str, number: int) -> str:
    return str(number) if facet == schema.YEAR else values[facet].name(number)
