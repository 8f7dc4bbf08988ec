"""How good the search is: nDCG@10 and recall@100 on judged collections, by words, by meaning and hybrid.

    python -m bench.quality.relevance FOLDER [--model FOLDER]      (default: $PAPERSITE_BENCH_DATA/relevance)

The folder holds one folder per collection with corpus.jsonl, queries.jsonl and qrels.tsv.
"""

from bench.quality import judged
from bench.quality.judged import SearchMethod, search_ids
from papercore.retrieval import Index


def main() -> None:
    arguments = judged.arguments(__doc__)
    with judged.collections(arguments.data, arguments.model) as collections:
        print(f"{'nDCG@10 ; recall@100':24}" + "".join(f"{collection.name:>16}" for collection in collections))
        for name, method in METHODS.items():
            measured = [collection.quality(method) for collection in collections]
            print(f"{name:24}" + "".join(f"{found.ndcg_at_10:>9.3f} ;{found.recall_at_100:.3f}" for found in measured))


def _all_words(index: Index, text: str) -> list[str]:
    """Baseline: a document must have every word."""
    joined = " AND ".join(word for word in text.replace('"', " ").split() if word.isalnum())
    return search_ids(index, joined, "words")


METHODS: dict[str, SearchMethod] = {
    "all words must match": _all_words,
    "words": lambda index, text: search_ids(index, text, "words"),
    "meaning": lambda index, text: search_ids(index, text, "meaning"),
    "hybrid": lambda index, text: search_ids(index, text, "hybrid"),
}


if __name__ == "__main__":
    main()
