"""Readers that ask a cluster all the time while something happens to it, and compare each answer with the right one."""

import random
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Literal, Self

from papercore.retrieval import Document, EngineFailed, Filters, Index, Request, SearchIndexes
from tests.papercore.retrieval.collection import ids, paper

TOPICS = (
    "bread",
    "soup",
    "glass",
    "stars",
    "rivers",
    "engines",
    "poems",
    "bridges",
    "radio",
    "cheese",
    "moss",
    "tides",
)
YEARS = range(1960, 2020)
READERS = 4


def collection(mark: str, size: int = 300) -> tuple[Document, ...]:
    """Papers on two of the topics each; every title has the mark."""
    chance = random.Random(mark)
    return tuple(
        paper(
            f"{mark}-{number}",
            f"{mark} {' and '.join(chance.sample(TOPICS, 2))} {number}",
            " ".join(chance.choices(TOPICS, k=12)),
            authors=(f"Author {number % 20}",),
            year=chance.choice(YEARS),
        )
        for number in range(size)
    )


@dataclass(frozen=True)
class Outcome:
    at: float
    kind: Literal["right", "wrong", "failed"]


@dataclass
class Load:
    """Asks one build of the cluster. `expected` is the embedded index of the same papers."""

    indexes: SearchIndexes
    build_id: str
    expected: Index
    outcomes: list[Outcome] = field(default_factory=list)

    @contextmanager
    def running(self) -> Iterator[Self]:
        stopped = threading.Event()
        threads = [threading.Thread(target=self._ask, args=(stopped, number)) for number in range(READERS)]
        for thread in threads:
            thread.start()
        try:
            yield self
        finally:
            stopped.set()
            for thread in threads:
                thread.join(60)

    def kinds(self, since: float = 0.0) -> set[str]:
        """What has happened to the questions that were answered after this moment."""
        return {outcome.kind for outcome in self.outcomes if outcome.at >= since}

    def count(self, kind: str, since: float = 0.0) -> int:
        return sum(outcome.kind == kind and outcome.at >= since for outcome in self.outcomes)

    def _ask(self, stopped: threading.Event, seed: int) -> None:
        chance = random.Random(seed + time.time_ns())
        while not stopped.is_set():
            # Hardly ever the same twice: what a process has read it keeps.
            years = Filters(year_from=chance.choice(YEARS), year_to=chance.choice(YEARS))
            request = Request(" ".join(chance.sample(TOPICS, 2)), 1000, mode="words", filters=years, facets=("author",))
            began = time.monotonic()
            self.outcomes.append(Outcome(began, self._outcome(request)))
            stopped.wait(0.02)

    def _outcome(self, request: Request) -> Literal["right", "wrong", "failed"]:
        index = self.indexes.open(self.build_id)
        if index is None:
            return "failed"
        try:
            with self.indexes.failures_of(index):
                found = index.search(request)
        except EngineFailed:
            return "failed"
        expected = self.expected.search(request)
        same = (found.total, sorted(ids(found)), found.facets) == (
            expected.total,
            sorted(ids(expected)),
            expected.facets,
        )
        return "right" if same else "wrong"
