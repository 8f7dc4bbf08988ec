"""How good the search is on a collection kept aside: weights are chosen on the others, from a grid round those in use.

    python -m bench.relevance_aside FOLDER [--model FOLDER]      (default: $PAPERSITE_BENCH_DATA/relevance)

Each collection is kept aside once. Its figure was then not chosen on, unlike those of bench.relevance.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from statistics import mean
from typing import NamedTuple

from bench import judged
from bench.judged import Collection, Quality, found
from papercore.retrieval import fusion, wordquery


class Weights(NamedTuple):
    """Some of the numbers by which hits are ranked."""

    meaning: float
    feedback: float
    title: float


IN_USE = Weights(fusion.MEANING_WEIGHT, fusion.FEEDBACK_WEIGHT, wordquery.TITLE_BOOST)
GRID = [Weights(*chosen) for chosen in product((0.3, 0.45, 0.6), (0.6, 0.8, 1.0), (0.15, 0.3, 0.5))]


def main() -> None:
    arguments = judged.arguments(__doc__)
    with judged.collections(arguments.data, arguments.model) as collections:
        measured = {weights: _measured(collections, weights) for weights in GRID}
    print(f"{len(GRID)} combinations, {len(collections)} collections. nDCG@10 ; recall@100 of the one kept aside")
    for aside, collection in enumerate(collections):
        chosen = max(GRID, key=lambda weights: _without(measured[weights], aside))
        print(
            f"{collection.name:12} {_shown(measured[chosen][aside])}   weights in use {_shown(measured[IN_USE][aside])}"
            f"   best of the grid {max(one[aside].ndcg_at_10 for one in measured.values()):.3f}   {chosen}"
        )


def _measured(collections: list[Collection], weights: Weights) -> list[Quality]:
    with _using(weights):
        return [one.quality(lambda index, text: found(index, text, "hybrid")) for one in collections]


@contextmanager
def _using(weights: Weights) -> Iterator[None]:
    _use(weights)
    try:
        yield
    finally:
        _use(IN_USE)


def _use(weights: Weights) -> None:
    fusion.MEANING_WEIGHT, fusion.FEEDBACK_WEIGHT = weights.meaning, weights.feedback
    wordquery.TITLE_BOOST = weights.title


def _without(qualities: list[Quality], aside: int) -> float:
    return mean(quality.ndcg_at_10 for number, quality in enumerate(qualities) if number != aside)


def _shown(quality: Quality) -> str:
    return f"{quality.ndcg_at_10:.3f} ; {quality.recall_at_100:.3f}"


if __name__ == "__main__":
    main()
