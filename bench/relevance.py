"""How good the search is: nDCG@10 and recall@100 on judged collections, by words, meaning and both.

    python -m bench.relevance FOLDER [--model FOLDER]      (default: $PAPERSITE_BENCH_DATA/relevance)

The folder holds one folder per collection with corpus.jsonl, queries.jsonl and qrels.tsv.
"""

from bench import judged
from bench.judged import Way, found
from papercore.retrieval import Index


def main() -> None:
    arguments = judged.arguments(__doc__)
    with judged.collections(arguments.data, arguments.model) as collections:
        print(f"{'nDCG@10 ; recall@100':24}" + "".join(f"{one.name:>16}" for one in collections))
        for name, way in WAYS.items():
            measured = [collection.quality(way) for collection in collections]
            print(f"{name:24}" + "".join(f"{one.ndcg_at_10:>9.3f} ;{one.recall_at_100:.3f}" for one in measured))


def _all_words(index: Index, text: str) -> list[str]:
    """The baseline: a document must have every word."""
    joined = " AND ".join(word for word in text.replace('"', " ").split() if word.isalnum())
    return found(index, joined, "words")


WAYS: dict[str, Way] = {
    "all words must match": _all_words,
    "words": lambda index, text: found(index, text, "words"),
    "meaning": lambda index, text: found(index, text, "meaning"),
    "hybrid": lambda index, text: found(index, text, "hybrid"),
}


if __name__ == "__main__":
    main()
