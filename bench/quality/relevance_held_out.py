"""How good the search is on a held-out collection, with weights tuned on the others.

    python -m bench.quality.relevance_held_out FOLDER [--model FOLDER]      (default: $PAPERSITE_BENCH_DATA/relevance)

Each collection is held out in turn; the weights come from a grid around those in use. Nothing was tuned on the figures
printed here, unlike those of bench.quality.relevance.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from statistics import mean
from typing import NamedTuple

from bench.quality import judged
from bench.quality.judged import Collection, Quality, search_ids
from papercore.retrieval.engines import word_clauses
from papercore.retrieval.ranking import head


class Weights(NamedTuple):
    """The ranking weights that are varied."""

    meaning: float
    feedback: float
    title: float


IN_USE = Weights(head.MEANING_WEIGHT, head.FEEDBACK_WEIGHT, word_clauses.TITLE_BOOST)
GRID = [Weights(*chosen) for chosen in product((0.3, 0.45, 0.6), (0.6, 0.8, 1.0), (0.15, 0.3, 0.5))]


def main() -> None:
    arguments = judged.arguments(__doc__)
    with judged.collections(arguments.data, arguments.model) as collections:
        measured = {weights: _measured(collections, weights) for weights in GRID}
    print(f"{len(GRID)} combinations, {len(collections)} collections. nDCG@10 ; recall@100 of the one held out")
    for held_out, collection in enumerate(collections):
        chosen = max(GRID, key=lambda weights: _without(measured[weights], held_out))
        best = max(found[held_out].ndcg_at_10 for found in measured.values())
        print(f"{collection.name:12} {_shown(measured[chosen][held_out])}", end="   ")
        print(f"weights in use {_shown(measured[IN_USE][held_out])}   best of the grid {best:.3f}   {chosen}")


def _measured(collections: list[Collection], weights: Weights) -> list[Quality]:
    with _using(weights):
        return [each.quality(lambda index, text: search_ids(index, text, "hybrid")) for each in collections]


@contextmanager
def _using(weights: Weights) -> Iterator[None]:
    _use(weights)
    try:
        yield
    finally:
        _use(IN_USE)


def _use(weights: Weights) -> None:
    head.MEANING_WEIGHT, head.FEEDBACK_WEIGHT = weights.meaning, weights.feedback
    word_clauses.TITLE_BOOST = weights.title


def _without(qualities: list[Quality], held_out: int) -> float:
    return mean(quality.ndcg_at_10 for number, quality in enumerate(qualities) if number != held_out)


def _shown(quality: Quality) -> str:
    return f"{quality.ndcg_at_10:.3f} ; {quality.recall_at_100:.3f}"


if __name__ == "__main__":
    main()
