"""The judged sets: documents, questions with what answers them, and questions off topic.

They are in $PAPERSITE_BENCH_DATA: `relevance` (collections with graded answers), `evidence` (claims and the abstracts
that bear on them), `citing` (experts' sentences and the passages they cite), `queries` (questions to the ACL Anthology
in `acl`, and to the demo).
"""

import gzip
import json
import random
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from msgspec import Struct, field

from bench.data.papers import CollectionPaper
from papercore.retrieval import Document

# Papers beside those that questions are about, in the smaller library made of the ACL Anthology.
OTHERS = 4_000


class Question(Struct, frozen=True):
    """What is asked, and the grades of the documents that answer it, by id. Several may have the same title."""

    text: str
    grades: Mapping[str, int]


class JudgedSet(Struct, frozen=True):
    """Documents, and questions to them."""

    name: str
    documents: Callable[[], Iterator[Document]]
    questions: tuple[Question, ...] = ()
    off_topic: tuple[str, ...] = ()
    # Further questions, by what they are called.
    others: Mapping[str, tuple[Question, ...]] = field(default_factory=dict)


def judged_sets(data: Path) -> Iterator[JudgedSet]:
    """Every set of which the data is there."""
    for folder in sorted(path.parent for path in data.glob("relevance/*/qrels.tsv")):
        yield _collection(folder)
    if (data / "evidence" / "corpus.jsonl.gz").is_file():
        yield _claims(data / "evidence")
    if (data / "citing" / "passages.jsonl").is_file():
        yield _citing(data / "citing")
    if (data / "acl" / "papers.jsonl.gz").is_file() and (data / "queries").is_dir():
        yield acl(data, others=OTHERS)


def _lines(path: Path) -> Iterator[dict[str, object]]:
    with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as lines:
        yield from map(json.loads, lines)


def _collection(folder: Path) -> JudgedSet:
    judged: dict[str, dict[str, int]] = defaultdict(dict)
    for line in (folder / "qrels.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        question, document, grade = line.split("\t")
        if int(grade) > 0:
            judged[question][document] = int(grade)
    texts = {str(line["_id"]): str(line["text"]) for line in _lines(folder / "queries.jsonl")}
    return JudgedSet(
        folder.name,
        lambda: (CollectionPaper.model_validate(line).document() for line in _lines(folder / "corpus.jsonl")),
        tuple(Question(texts[key], grades) for key, grades in judged.items()),
    )


def _claims(folder: Path) -> JudgedSet:
    def documents() -> Iterator[Document]:
        for line in _lines(folder / "corpus.jsonl.gz"):
            sentences = line["sentences"]
            assert isinstance(sentences, list)
            yield Document(str(line["_id"]), str(line["title"]), " ".join(sentences))

    claims = [
        Question(str(line["claim"]), dict.fromkeys(map(str, line["evidence"]), 1))  # type: ignore[call-overload]
        for line in _lines(folder / "claims.jsonl")
        if line["evidence"]
    ]
    return JudgedSet("claims", documents, tuple(claims))


def _citing(folder: Path) -> JudgedSet:
    sentences = [
        Question(str(line["sentence"]), dict.fromkeys(line["gold"], 1))  # type: ignore[call-overload]
        for line in _lines(folder / "sentences.jsonl")
    ]
    return JudgedSet(
        "citing",
        lambda: (
            Document(str(line["key"]), str(line["title"]), str(line["abstract"]))
            for line in _lines(folder / "passages.jsonl")
        ),
        tuple(sentences),
    )


def acl(data: Path, others: int | None) -> JudgedSet:
    """The papers that questions are about, and so many others; None: all papers."""
    papers = [CollectionPaper.model_validate(line) for line in _lines(data / "acl" / "papers.jsonl.gz")]
    by_title: dict[str, list[str]] = defaultdict(list)
    for paper in papers:
        by_title[paper.title].append(paper.id)

    def asked(name: str, text: int, title: int) -> tuple[Question, ...]:
        rows = _rows(data / "queries" / name)
        return tuple(Question(row[text], dict.fromkeys(by_title[row[title]], 1)) for row in rows)

    named = {
        "known items": asked("known_items.dev.tsv", 0, 1),
        "slips": asked("slips.dev.tsv", 0, 2),
        "slips, meant": asked("slips.dev.tsv", 1, 2),
    }
    questions = asked("on_topic_acl.dev.tsv", 0, 1)
    if others is not None:
        wanted = {key for found in (questions, *named.values()) for question in found for key in question.grades}
        rest = [paper.id for paper in papers if paper.id not in wanted and paper.text]
        wanted.update(random.Random(1).sample(rest, others))
        papers = [paper for paper in papers if paper.id in wanted]
    return JudgedSet(
        f"acl-{len(papers)}",
        lambda: (paper.document() for paper in papers),
        questions,
        tuple(row[0] for row in _rows(data / "queries" / "off_topic_acl.dev.tsv")),
        named,
    )


def _rows(path: Path) -> list[list[str]]:
    return [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines() if line]
