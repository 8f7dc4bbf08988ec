"""Adds facet values to those of a finished index. The known ones keep their numbers and spellings."""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from papercore.retrieval.basics import analysis
from papercore.retrieval.engines.facets import KEYS, NAMES, OFFSETS, ORDER, FacetValueTable, same_value_key


class GrowingValues:
    """The values of one facet, old and new, and by how many documents the count of each changes."""

    def __init__(self, known: FacetValueTable) -> None:
        self._known = known
        self._new: dict[str, int] = {}
        self._new_names: list[str] = []
        self.changes: Counter[int] = Counter()
        self.frequent = set(known.frequent.numbers.tolist()) if known.frequent else set[int]()

    def add(self, values: Iterable[str]) -> list[int]:
        """Count the values of a document that comes; their numbers, each once."""
        found = list(dict.fromkeys(map(self._number, values)))
        self.changes.update(found)
        return found

    def remove(self, values: Iterable[str]) -> None:
        """Count the values of a document that goes."""
        self.changes.subtract(set(map(self._number, values)))

    def name(self, number: int) -> str:
        known = len(self._known.order)
        return self._known.name(number) if number < known else self._new_names[number - known]

    def _number(self, value: str) -> int:
        key = same_value_key(value)
        alike = self._known.numbers(value)
        same = next((number for number in alike if same_value_key(self._known.name(number)) == key), None)
        if same is not None:
            return same
        if key not in self._new:
            self._new[key] = len(self._known.order) + len(self._new_names)
            self._new_names.append(analysis.clean(value))
        return self._new[key]

    def write(self, folder: Path) -> None:
        folder.mkdir(parents=True)
        known, encoded = self._known, [name.encode() for name in self._new_names]
        ends = int(known.offsets[-1]) + np.cumsum([len(name) for name in encoded], dtype=np.int64)
        keys = np.array([analysis.key_hash(name) for name in self._new_names], dtype=np.uint64)
        keys = np.concatenate([known.keys, keys])
        numbers = np.arange(len(known.order), len(keys), dtype=np.uint32)
        ascending = np.argsort(keys, kind="stable")
        np.save(folder / NAMES, np.concatenate([known.names, np.frombuffer(b"".join(encoded), dtype=np.uint8)]))
        np.save(folder / OFFSETS, np.concatenate([known.offsets, ends.astype(np.uint32)]))
        np.save(folder / KEYS, keys[ascending])
        np.save(folder / ORDER, np.concatenate([known.order, numbers])[ascending])
        if known.frequent:
            known.frequent.changed(self.changes, len(keys)).write(folder)
