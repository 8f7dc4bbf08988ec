"""How good the search is: nDCG@10 and recall@100 on judged collections, by words, meaning and both.

    python -m bench.relevance FOLDER      (default: $PAPERSITE_BENCH_DATA/relevance)

The folder holds one folder per collection with corpus.jsonl, queries.jsonl and qrels.tsv.
"""

import argparse
import json
import os
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from math import log2
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.data import FACETS, Paper
from paper_search.retrieval import Document, Index, IndexFolder, Mode, Request, SentenceModel, build_index

Judgements = Mapping[str, Mapping[str, int]]


def main() -> None:
    arguments = _arguments()
    collections = sorted(path.parent for path in arguments.data.glob("*/qrels.tsv"))
    if not collections:
        sys.exit(f"No judged collections in {arguments.data}: name their folder, or set PAPERSITE_BENCH_DATA.")
    model = SentenceModel.load(arguments.model) if arguments.model else None
    print(f"{'nDCG@10 ; recall@100':24}" + "".join(f"{path.name:>16}" for path in collections))
    measured = [_measured(path, model) for path in collections]
    for name in measured[0]:
        print(f"{name:24}" + "".join(f"{table[name][0]:>9.3f} ;{table[name][1]:.3f}" for table in measured))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    data = Path(os.environ.get("PAPERSITE_BENCH_DATA", "."))
    parser.add_argument("data", nargs="?", type=Path, default=data / "relevance")
    parser.add_argument("--model", type=Path, help="folder of an ONNX sentence model")
    return parser.parse_args()


def _measured(collection: Path, model: SentenceModel | None) -> dict[str, tuple[float, float]]:
    """Per way of searching, nDCG@10 and recall@100."""
    judgements = _judgements(collection)
    queries = _queries(collection)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "index"
        build_index(path, _documents(collection), facets=FACETS, build_id="judged", model=model)
        index = IndexFolder(path, model).open("judged")
        assert index is not None
        return {
            name: _averages(judgements, {key: way(index, queries[key]) for key in judgements})
            for name, way in WAYS.items()
        }


def _all_words(index: Index, text: str) -> list[str]:
    """The baseline: a document must have every word."""
    joined = " AND ".join(word for word in text.replace('"', " ").split() if word.isalnum())
    return _found(index, joined, "words")


def _found(index: Index, text: str, mode: Mode) -> list[str]:
    return [hit.id for hit in index.search(Request(text, limit=100, mode=mode)).hits]


WAYS: dict[str, Callable[[Index, str], list[str]]] = {
    "all words must match": _all_words,
    "words": lambda index, text: _found(index, text, "words"),
    "meaning": lambda index, text: _found(index, text, "meaning"),
    "hybrid": lambda index, text: _found(index, text, "hybrid"),
}


def _documents(collection: Path) -> Iterator[Document]:
    for line in _lines(collection / "corpus.jsonl"):
        yield Paper.model_validate(line).document()


def _averages(judgements: Judgements, found: Mapping[str, list[str]]) -> tuple[float, float]:
    gains = [_ndcg(grades, found[key][:10]) for key, grades in judgements.items()]
    recalls = [_recall(grades, found[key][:100]) for key, grades in judgements.items()]
    return sum(gains) / len(gains), sum(recalls) / len(recalls)


def _ndcg(grades: Mapping[str, int], ids: list[str]) -> float:
    ideal = sorted(grades.values(), reverse=True)[:10]
    return _discounted([grades.get(key, 0) for key in ids]) / _discounted(ideal)


def _discounted(grades: list[int]) -> float:
    return sum(grade / log2(place + 2) for place, grade in enumerate(grades))


def _recall(grades: Mapping[str, int], ids: list[str]) -> float:
    relevant = {key for key, grade in grades.items() if grade > 0}
    return len(relevant.intersection(ids)) / len(relevant)


def _judgements(collection: Path) -> dict[str, dict[str, int]]:
    judged: dict[str, dict[str, int]] = defaultdict(dict)
    for line in (collection / "qrels.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        query, document, grade = line.split("\t")
        if int(grade) > 0:
            judged[query][document] = int(grade)
    return dict(judged)


def _queries(collection: Path) -> dict[str, str]:
    return {str(line["_id"]): str(line["text"]) for line in _lines(collection / "queries.jsonl")}


def _lines(path: Path) -> Iterator[dict[str, object]]:
    with path.open(encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)


if __name__ == "__main__":
    main()
