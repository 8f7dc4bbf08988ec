"""How many paragraphs of two texts are put side by side rightly: python -m bench.quality.alignment

The demo's translations, whole ones also with paragraphs removed, joined and split, against what a reader judged.
"""

import random
import time
from collections.abc import Iterable

from papers.texts.side_by_side import AlignedRow, align
from tests.papers.texts.judged_translations import (
    JUDGED,
    WHOLE,
    Translation,
    all_traits,
    changed,
    right_share,
    shortened,
    source_of,
    whole,
)


def by_counting(left: list[str], right: list[str]) -> list[AlignedRow]:
    """Paragraph n beside paragraph n, for comparison."""
    rows = range(max(len(left), len(right)))
    return [AlignedRow(range(n, min(n + 1, len(left))), range(n, min(n + 1, len(right)))) for n in rows]


def measured(text: Translation, source: list[str], exactly: bool) -> tuple[float, float, float]:
    left, right = all_traits(source), all_traits(text.blocks)
    began = time.process_time()
    rows = align(left, right)
    spent = time.process_time() - began
    counted = by_counting(source, text.blocks)
    return right_share(text, counted, exactly), right_share(text, rows, exactly), spent


def main() -> None:
    print("| translation | change | by counting | aligned | ms |\n|---|---|---:|---:|---:|")
    for name in WHOLE:
        for change in ("none", "removed", "joined", "split"):
            texts = [changed(whole(name), change, random.Random(seed)) for seed in range(20)]
            results = [measured(text, source_of(name), exactly=True) for text in texts]
            _print(name, change, [sum(column) / len(results) for column in zip(*results, strict=True)])
    for name in JUDGED:
        _print(name, "shortened", measured(shortened(name), source_of(name), exactly=False))


def _print(name: str, change: str, figures: Iterable[float]) -> None:
    counted, aligned, seconds = figures
    print(f"| {name} | {change} | {counted:.1%} | {aligned:.1%} | {seconds * 1000:.0f} |")


if __name__ == "__main__":
    main()
