"""Two texts of a paper in rows: what says the same stands side by side."""

from collections.abc import Sequence
from functools import lru_cache

from msgspec import Struct

from papers.texts.alignment import align, joined
from papers.texts.block_traits import BlockTraits, block_traits

# A side of this many letters fits every window, so it can stay in view while the longer one is read.
_FITS_LETTERS = 900


class Side(Struct, frozen=True):
    """The blocks of one text in a row."""

    html: str
    stays_in_view: bool


class SideBySideRow(Struct, frozen=True):
    left: Side
    right: Side


# Keyed by the texts themselves. A row holds its HTML again, so only a few are kept.
@lru_cache(maxsize=16)
def rows(left: tuple[str, ...], right: tuple[str, ...]) -> list[SideBySideRow]:
    """The blocks of two rendered texts, aligned."""
    first, second = [block_traits(block) for block in left], [block_traits(block) for block in right]
    return [
        SideBySideRow(_side(left, first, row.left), _side(right, second, row.right))
        for row in joined(align(first, second), first, second)
    ]


def _side(blocks: Sequence[str], traits: Sequence[BlockTraits], shown: range) -> Side:
    lengths = sum(traits[number].length for number in shown)
    small = all(traits[number].kind in ("heading", "text", "formula") for number in shown)
    return Side("".join(blocks[number] for number in shown), small and lengths <= _FITS_LETTERS)
