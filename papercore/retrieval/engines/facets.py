"""Facet values as numbers, by which every engine filters and counts, and the commonest of them."""

from collections.abc import Callable, Iterable, Sequence
from typing import TypedDict

from papercore.retrieval.basics import analysis
from papercore.retrieval.basics.request import Count


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
