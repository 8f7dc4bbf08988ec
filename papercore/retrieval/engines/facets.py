"""Facet values as numbers, which engines filter and count by, the spelling of each, and the commonest of them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TypedDict

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from papercore.npy import map_array
from papercore.retrieval.basics import analysis
from papercore.retrieval.basics.request import Count

NAMES, OFFSETS, KEYS, ORDER = "names.npy", "offsets.npy", "keys.npy", "order.npy"
# Where some values are counted apart: their numbers, and how many documents have each of all values.
FREQUENT, COUNTS = "frequent.npy", "counts.npy"


def same_value_key(value: str) -> str:
    """Equal for two spellings of one value: case and blanks do not matter, accents do."""
    return " ".join(analysis.clean(value).lower().split())


class FrequentValues(Struct, frozen=True, dict=True):
    """Values that many documents have. What is counted of them alone is right as long as no other can be commoner."""

    numbers: NDArray[np.uint32]
    # By number, of all values.
    counts: NDArray[np.uint32]

    @classmethod
    def open(cls, folder: Path) -> "FrequentValues | None":
        return cls(map_array(folder / FREQUENT), map_array(folder / COUNTS)) if (folder / FREQUENT).exists() else None

    def write(self, folder: Path) -> None:
        np.save(folder / FREQUENT, self.numbers)
        np.save(folder / COUNTS, self.counts)

    def changed(self, changes: Mapping[int, int], total: int) -> "FrequentValues":
        """After some counts have changed, and values have come."""
        counts = np.zeros(total, dtype=np.int64)
        counts[: len(self.counts)] = self.counts
        for number, change in changes.items():
            counts[number] += change
        return FrequentValues(self.numbers, counts.astype(np.uint32))

    @cached_property
    def most_of_others(self) -> int:
        """The most documents that any other value has."""
        return int(np.delete(self.counts, self.numbers).max(initial=0))


class ValueNumbers:
    """The values of one facet while an index is built, numbered as they appear."""

    def __init__(self, frequent: Iterable[str] = ()) -> None:
        """`frequent` are values that many documents have, as far as that is known before."""
        self._frequent_keys = frozenset(map(same_value_key, frequent))
        self.frequent: set[int] = set()
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
            if key in self._frequent_keys:
                self.frequent.add(number)
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
        if self.frequent:
            numbers = np.array(sorted(self.frequent), dtype=np.uint32)
            FrequentValues(numbers, np.array(self.counts, dtype=np.uint32)).write(folder)


class FacetValueTable(Struct, frozen=True):
    """The values of one facet of an opened index, memory-mapped."""

    names: NDArray[np.uint8]
    offsets: NDArray[np.uint32]
    # Hashes of the folded names in ascending order, and the numbers of their values.
    keys: NDArray[np.uint64]
    order: NDArray[np.uint32]
    # None where all values are counted alike.
    frequent: FrequentValues | None

    @classmethod
    def open(cls, folder: Path) -> "FacetValueTable":
        names, offsets, keys, order = (map_array(folder / name) for name in (NAMES, OFFSETS, KEYS, ORDER))
        return cls(names, offsets, keys, order, FrequentValues.open(folder))

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
    """A value's number and how many hits have it, as engines report them."""

    key: float
    doc_count: int


def commonest(buckets: Sequence[Bucket], limit: int, name_of: Callable[[int], str]) -> tuple[Count, ...]:
    """The values with most hits; ties by name. `buckets` come in descending order."""
    least = buckets[limit - 1]["doc_count"] if len(buckets) > limit else 0
    tied = [bucket for bucket in buckets if bucket["doc_count"] >= least]
    counts = [Count(name_of(int(bucket["key"])), bucket["doc_count"]) for bucket in tied]
    return tuple(sorted(counts, key=lambda count: (-count.count, count.value.lower()))[:limit])
