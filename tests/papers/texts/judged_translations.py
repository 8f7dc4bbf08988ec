"""The demo's translations, and what of the source stands in each block of them, as a reader judged it."""

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import papers
from papercore.rendering.markdown import MarkdownSource, convert
from papers.texts.side_by_side import AlignedRow, BlockTraits, block_traits

DEMO = Path(papers.__file__).parent / "demo"
SHARE = 0.2  # of the paragraphs, for each change
# Shortened translations: for each block of the translation, the blocks of the source that say the same. Some stand
# at another place than in the source, which no alignment in order can show: they count as wrong.
JUDGED = {
    "devlin-2019-bert.zh": "0 1 2 3 4 5 6-12 13 14 15-16 17-18 7 19 19-20 20 21 21-26 30 31",
    "flajolet-2007-hyperloglog.fr": "0 1 2 3 4 5-6 5-6 7 10-12 9-16 14 17 18-25 28 30 33 34",
    "he-2016-resnet.zh": "0 1 2 3 4 5-6 7 8 9 10-13 14 12 15-21 22-23 24 25-31 32 33",
    "ho-2020-ddpm.ja": "0 1 2 3 7 8-10 11 13-14 15 12 16 17-21 20-22 21-23 24 25 27 30 31",
    "ongaro-2014-raft.de": "0 1 2 3 6 7-10 8 12 13 14 15-18 19 20 20-22 21 22 23 29 30-32 33 34",
    "rivest-1978-rsa.de": "0 1 2 3 11 12 13 14 15 14-17 16 17-18 19 20 21 26 27-28 29 31 32",
    "vaswani-2017-attention.zh": "0 1 2 3 7 8-12 67 23 25 26-28 32 33 34 39-41 42 43-55 44-58 59 61-64 93 94-104 106"
    " 110-119 137 138",
}
WHOLE = [
    "abbott-2016-gw150914.zh",
    "einstein-1905-electrodynamics.de",
    "kojima-2009-perovskite.zh",
    "lorenz-1963-nonperiodic-flow.de",
    "molina-1974-ozone.es",
    "takahashi-2006-ips.ja",
]


@dataclass(frozen=True)
class Translation:
    """A translation, and for each of its blocks those of the source that say the same."""

    blocks: list[str]
    same: list[set[int]]


def demo_blocks(path: str) -> list[str]:
    return list(convert(MarkdownSource((DEMO / path).read_text(encoding="utf-8"), "/picture/", passages=True)).blocks)


def source_of(name: str) -> list[str]:
    return demo_blocks(f"markdown/{name.rpartition('.')[0]}.md")


def whole(name: str) -> Translation:
    blocks = demo_blocks(f"translations/{name}.md")
    return Translation(blocks, [{number} for number in range(len(blocks))])


def shortened(name: str) -> Translation:
    ranges = [item.partition("-") for item in JUDGED[name].split()]
    same = [set(range(int(first), int(last or first) + 1)) for first, _, last in ranges]
    return Translation(demo_blocks(f"translations/{name}.md"), same)


def changed(text: Translation, change: str, chance: random.Random) -> Translation:
    """The text with a fifth of its paragraphs removed, joined with the next, or split in two."""
    blocks, same = list(text.blocks), list(text.same)
    paragraphs = [number for number, block in enumerate(blocks) if block_traits(block).is_text]
    for number in sorted(chance.sample(paragraphs, max(1, round(SHARE * len(paragraphs)))), reverse=True):
        if change == "removed":
            del blocks[number], same[number]
        elif change == "joined" and number + 1 < len(blocks) and block_traits(blocks[number + 1]).is_text:
            blocks[number : number + 2] = ["".join(blocks[number : number + 2])]
            same[number : number + 2] = [same[number] | same[number + 1]]
        elif change == "split" and (parts := _split(blocks[number])):
            blocks[number : number + 1] = parts
            same[number : number + 1] = [same[number]] * len(parts)
    return Translation(blocks, same)


def _split(block: str) -> list[str]:
    """A paragraph as two, cut at the end of the sentence nearest to its middle."""
    ends = [place for mark in (". ", "。", "? ") for place in _places(block, mark)]
    if not block.startswith("<p>") or not ends:
        return []
    middle = min(ends, key=lambda place: abs(place - len(block) / 2))
    return [f"{block[:middle]}</p>", f"<p>{block[middle:]}"]


def _places(block: str, mark: str) -> Iterator[int]:
    place = block.find(mark)
    while 0 <= place < len(block) - len("</p>") - 3:
        yield place + len(mark)
        place = block.find(mark, place + 1)


def all_traits(blocks: Iterable[str]) -> list[BlockTraits]:
    return [block_traits(block) for block in blocks]


def right_share(text: Translation, rows: Sequence[AlignedRow], exactly: bool = True) -> float:
    """The share of the translation's blocks that stand beside what says the same: exactly that, or some of it."""
    beside = {number: set(row.left) for row in rows for number in row.right}
    right = [beside[number] == same if exactly else beside[number] & same for number, same in enumerate(text.same)]
    return sum(map(bool, right)) / len(right)
