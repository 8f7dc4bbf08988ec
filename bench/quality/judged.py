"""Collections with relevance judgements (corpus.jsonl, queries.jsonl, qrels.tsv), and measures of quality."""

import argparse
import json
import os
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from math import log2
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory
from typing import NamedTuple, get_args

from bench.data.papers import FACETS, CollectionPaper
from bench.quality.sets import Question
from papercore.retrieval import (
    Index,
    IndexFolder,
    Mode,
    Request,
    SentenceModel,
    Verdict,
    build_index,
    fill_sentence_vectors,
)

SearchMethod = Callable[[Index, str], list[str]]


class Quality(NamedTuple):
    """Averages over the questions of a collection."""

    ndcg_at_10: float
    recall_at_100: float


@dataclass(frozen=True)
class Collection:
    """An index over a collection, its questions, and per question the grades of the documents that answer it."""

    folder: Path
    index: Index
    questions: Mapping[str, str]
    judgements: Mapping[str, Mapping[str, int]]

    @property
    def name(self) -> str:
        return self.folder.name

    def papers(self) -> Iterator[CollectionPaper]:
        return papers(self.folder)

    def quality(self, method: SearchMethod) -> Quality:
        found = {key: method(self.index, self.questions[key]) for key in self.judgements}
        gains = [ndcg(grades, found[key][:10]) for key, grades in self.judgements.items()]
        recalls = [_recall(grades, found[key][:100]) for key, grades in self.judgements.items()]
        return Quality(sum(gains) / len(gains), sum(recalls) / len(recalls))


def arguments(description: str | None) -> argparse.Namespace:
    """The command line: the folder of collections, and a sentence model."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    data = Path(os.environ.get("PAPERSITE_BENCH_DATA", "."))
    parser.add_argument("data", nargs="?", type=Path, default=data / "relevance")
    parser.add_argument("--model", type=Path, help="folder of an ONNX sentence model")
    return parser.parse_args()


@contextmanager
def collections(folder: Path, model_folder: Path | None) -> Iterator[list[Collection]]:
    """Every collection in the folder, indexed; the indexes are removed when the block ends."""
    paths = sorted(path.parent for path in folder.glob("*/qrels.tsv"))
    if not paths:
        sys.exit(f"No judged collections in {folder}: name their folder, or set PAPERSITE_BENCH_DATA.")
    model = SentenceModel.load(model_folder) if model_folder else None
    with TemporaryDirectory() as scratch:
        yield [_indexed(path, Path(scratch) / path.name, model) for path in paths]


def search_ids(index: Index, text: str, mode: Mode) -> list[str]:
    return [hit.id for hit in index.search(Request(text, limit=100, mode=mode)).hits]


def _indexed(collection: Path, path: Path, model: SentenceModel | None) -> Collection:
    documents = (paper.document() for paper in papers(collection))
    build_index(path, documents, facets=FACETS, build_id="judged", model=model)
    for _ in fill_sentence_vectors(path, model) if model else ():
        pass
    index = IndexFolder(path, model).open("judged")
    assert index is not None
    return Collection(collection, index, _questions(collection), _judgements(collection))


def papers(collection: Path) -> Iterator[CollectionPaper]:
    for line in _lines(collection / "corpus.jsonl"):
        yield CollectionPaper.model_validate(line)


def ndcg(grades: Mapping[str, int], ids: list[str]) -> float:
    """nDCG@10 of at most ten documents."""
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
        question, document, grade = line.split("\t")
        if int(grade) > 0:
            judged[question][document] = int(grade)
    return dict(judged)


def _questions(collection: Path) -> dict[str, str]:
    return {str(line["_id"]): str(line["text"]) for line in _lines(collection / "queries.jsonl")}


def _lines(path: Path) -> Iterator[dict[str, object]]:
    with path.open(encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)


class Answer(NamedTuple):
    """What a search found: the names of the documents, best first, the verdict, and whether there are passages."""

    found: list[str]
    verdict: Verdict
    has_passages: bool | None = None


# The columns of a row, after its name.
COLUMNS = (
    *("questions", "nDCG@10", "recall@100", "first", "in 3", "in 10"),
    *("answered", "unsure", "nothing", "passages"),
)


def row(name: str, asked: Sequence[Question], search: Callable[[str], Answer]) -> list[str]:
    """A row of the table; questions without grades are off topic, and have no figures about what was found."""
    answers = [search(question.text) for question in asked]
    judged = [(question.grades, answer.found) for question, answer in zip(asked, answers, strict=True)]
    cells = [name, str(len(asked))]
    if any(grades for grades, _ in judged):
        cells += [_share(ndcg(grades, found[:10]) for grades, found in judged)]
        cells += [_share(_recall(grades, found[:100]) for grades, found in judged)]
        cells += [_share(not grades.keys().isdisjoint(found[:most]) for grades, found in judged) for most in (1, 3, 10)]
    else:
        cells += ["-"] * 5
    cells += [_share(answer.verdict == verdict for answer in answers) for verdict in get_args(Verdict)]
    passages = [answer.has_passages for answer in answers if answer.has_passages is not None]
    return [*cells, _share(passages) if passages else "-"]


def _share(values: Iterable[float]) -> str:
    return f"{fmean(values):.3f}"
