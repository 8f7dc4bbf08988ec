"""The passages of a requirement that a sentence model reads: its text and each scenario; and their nearness."""

from collections.abc import Callable, Sequence
from functools import cached_property
from hashlib import blake2b
from typing import Protocol

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from papercore.retrieval import Matrix, Vector
from specs.reading.document import Requirement

# Enough texts that the model can run those of similar length together.
BATCH = 256
DIGEST_BYTES = 16
# Two near passages say more than one; measured by bench/quality/specs.py, and flat around this value.
SHARE_OF_SECOND = 0.5
# Called with how many are done, and of how many.
ProgressCallback = Callable[[int, int], None]


class SentenceEncoder(Protocol):
    """A sentence model: one row of length one per text."""

    @property
    def model_id(self) -> str: ...

    def reads(self, text: str) -> bool: ...

    def encode(self, texts: Sequence[str]) -> Matrix: ...

    def relatedness(self, cosines: Vector) -> Vector:
        """Cosines on a scale from 0, for texts that have nothing in common, to 1."""


class Passages(Struct, frozen=True, dict=True):
    """A column per passage, so that scanning runs along the memory, and the digest of its text.

    Those of one requirement are adjacent: `starts` has the first of each, and the end.
    """

    columns: Matrix
    starts: NDArray[np.int64]
    digests: NDArray[np.uint8]

    @cached_property
    def _owners(self) -> NDArray[np.int64]:
        return np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))

    def nearness(self, query: Vector) -> Vector:
        """For each requirement the mean cosine of its two nearest passages, the second counting half."""
        cosines = np.asarray(query @ self.columns, dtype=np.float32)
        nearest = np.maximum.reduceat(cosines, self.starts[:-1])
        equal = np.flatnonzero(cosines == nearest[self._owners])
        _, first = np.unique(self._owners[equal], return_index=True)
        cosines[equal[first]] = -1  # the nearest is out, and the maximum now is the second
        second = np.maximum.reduceat(cosines, self.starts[:-1])
        second = np.where(np.diff(self.starts) > 1, second, nearest)
        return np.asarray((nearest + SHARE_OF_SECOND * second) / (1 + SHARE_OF_SECOND), dtype=np.float32)


NO_PASSAGES = Passages(
    np.zeros((0, 0), dtype=np.float32), np.zeros(1, dtype=np.int64), np.zeros((0, DIGEST_BYTES), dtype=np.uint8)
)


def texts_of(requirement: Requirement) -> list[str]:
    """Its own text first; each scenario comes with the requirement's name, without which it often says little."""
    scenarios = [f"{requirement.name}: {scenario.name}. {scenario.body}" for scenario in requirement.scenarios]
    return [f"{requirement.name}. {requirement.text}", *scenarios]


def embed(
    requirements: Sequence[Requirement], encoder: SentenceEncoder, former: Passages, progress: ProgressCallback
) -> Passages:
    """The passages of all requirements; the model reads only those that are not among the former ones."""
    listed = [texts_of(item) for item in requirements]
    if not listed:
        return NO_PASSAGES
    digested = [
        (blake2b(text.encode("utf-8", errors="surrogatepass"), digest_size=DIGEST_BYTES).digest(), text)
        for texts in listed
        for text in texts
    ]
    known = {row.tobytes(): column for row, column in zip(former.digests, former.columns.T, strict=True)}
    fresh = list({digest: text for digest, text in digested if digest not in known}.items())
    for start in range(0, len(fresh), BATCH):
        batch = fresh[start : start + BATCH]
        rows = encoder.encode([text for _, text in batch])
        known |= {digest: row for (digest, _), row in zip(batch, rows, strict=True)}
        progress(start + len(batch), len(fresh))
    return Passages(
        columns=np.stack([known[digest] for digest, _ in digested], axis=1).astype(np.float32),
        starts=np.cumsum([0, *map(len, listed)], dtype=np.int64),
        digests=np.array([list(digest) for digest, _ in digested], dtype=np.uint8),
    )
