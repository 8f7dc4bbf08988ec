"""Splits words into the subwords that have vectors, by byte-pair encoding.

The package tokenizers does the same and reads many words faster, but takes longer to load than the rest of a search.
"""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path

import orjson
from msgspec import Struct

# What a word begins with in the vocabulary.
_START = "▁"
# The rank of a pair that is not joined.
_NEVER = 1 << 30


class Subwords(Struct, frozen=True):
    """The number of each subword, and the rank of each pair that is joined, written with a blank between its parts."""

    numbers: Mapping[str, int]
    ranks: Mapping[str, int]

    @classmethod
    def read(cls, path: Path) -> "Subwords":
        """From a file of the package tokenizers."""
        model = orjson.loads(path.read_bytes())["model"]
        return cls(model["vocab"], {pair: rank for rank, pair in enumerate(model["merges"])})

    def of(self, word: str) -> list[int]:
        """The numbers of a word's subwords; none for an empty one."""
        parts = list(self._letters(word)) if word else []
        ranks = [self._rank(*pair) for pair in pairwise(parts)]
        while ranks and (rank := min(ranks)) != _NEVER:
            at = ranks.index(rank)
            parts[at : at + 2] = [parts[at] + parts[at + 1]]
            # The two neighbours have become the joined part's, where there are any.
            del ranks[at]
            if at > 0:
                ranks[at - 1] = self._rank(parts[at - 1], parts[at])
            if at < len(ranks):
                ranks[at] = self._rank(parts[at], parts[at + 1])
        return [self.numbers[part] for part in parts]

    def _rank(self, left: str, right: str) -> int:
        return self.ranks.get(f"{left} {right}", _NEVER)

    def _letters(self, word: str) -> Iterator[str]:
        """Its letters; of one that has no number, the bytes."""
        for letter in f"{_START}{word.replace(' ', _START)}":
            if letter in self.numbers:
                yield letter
            else:
                yield from (f"<0x{byte:02X}>" for byte in letter.encode())
