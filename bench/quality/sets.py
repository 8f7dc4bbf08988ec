"""The judged sets: documents, questions with what answers them, and questions off topic.

They are in $PAPERSITE_BENCH_DATA: `relevance` (collections with graded answers), `evidence` (claims and the abstracts
that bear on them), `citing` (experts' sentences and the passages they cite), `queries` (questions to the ACL Anthology
in `acl`, and to the demo).
"""

import gzip
import json
import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from bench.data.papers import CollectionPaper
from papercore.retrieval import Document

# Papers beside those that questions are about, in the smaller library made of the ACL Anthology.
OTHERS = 4_000
SMALL_ACL = "acl of 4,000"
# What it is asked: a file of `queries`, its columns of the text and of the title that answers it, and a kind.
SMALL_ACL_ASKED: dict[str, tuple[str, int, int | None, str]] = {
    "other words": ("on_topic_acl.dev.tsv", 0, 1, ""),
    "known items, famous": ("known_items.dev.tsv", 0, 1, "famous"),
    "known items, others": ("known_items.dev.tsv", 0, 1, "subfield"),
    "slips": ("slips.dev.tsv", 0, 2, ""),
    "off topic": ("off_topic_acl.dev.tsv", 0, None, ""),
}


class Question(Struct, frozen=True):
    """What is asked, and the grades of the documents that answer it, by id or title; none: it is off topic."""

    text: str
    grades: Mapping[str, int]


class JudgedSet(Struct, frozen=True):
    """Documents, and questions to them, by the name of their row."""

    documents: Callable[[], Iterator[Document]]
    questions: Mapping[str, Sequence[Question]]


def rows_of(data: Path) -> dict[str, list[str]]:
    """The rows of each set of which the data is there."""
    found = sorted(path.parent.name for path in data.glob("relevance/*/qrels.tsv"))
    found += ["claims"] if (data / "evidence" / "corpus.jsonl.gz").is_file() else []
    found += ["citing"] if (data / "citing" / "passages.jsonl").is_file() else []
    has_acl = (data / "acl" / "papers.jsonl.gz").is_file() and (data / "queries").is_dir()
    acl = {SMALL_ACL: [f"{SMALL_ACL}, {asked}" for asked in SMALL_ACL_ASKED]} if has_acl else {}
    return {name: [name] for name in found} | acl


def judged_sets(data: Path, names: Iterable[str]) -> Iterator[JudgedSet]:
    """The sets of these names, one after the other."""
    for name in names:
        if name == "claims":
            yield _claims(data / "evidence")
        elif name == "citing":
            yield _citing(data / "citing")
        else:
            yield small_acl(data) if name == SMALL_ACL else _collection(data / "relevance" / name)


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
        lambda: (CollectionPaper.model_validate(line).document() for line in _lines(folder / "corpus.jsonl")),
        {folder.name: [Question(texts[key], grades) for key, grades in judged.items()]},
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
    return JudgedSet(documents, {"claims": claims})


def _citing(folder: Path) -> JudgedSet:
    sentences = [
        Question(str(line["sentence"]), dict.fromkeys(line["gold"], 1))  # type: ignore[call-overload]
        for line in _lines(folder / "sentences.jsonl")
    ]
    return JudgedSet(
        lambda: (
            Document(str(line["key"]), str(line["title"]), str(line["abstract"]))
            for line in _lines(folder / "passages.jsonl")
        ),
        {"citing": sentences},
    )


def acl_papers(data: Path) -> list[CollectionPaper]:
    return [CollectionPaper.model_validate(line) for line in _lines(data / "acl" / "papers.jsonl.gz")]


def small_acl(data: Path) -> JudgedSet:
    """The papers that questions are about, and so many others."""
    papers = acl_papers(data)
    by_title: dict[str, list[str]] = defaultdict(list)
    for paper in papers:
        by_title[paper.title].append(paper.id)
    asked = {
        name: titled(data / "queries" / file, text, title, kind)
        for name, (file, text, title, kind) in SMALL_ACL_ASKED.items()
    }
    titles = {title for questions in asked.values() for question in questions for title in question.grades}
    wanted = {key for found in titles for key in by_title[found]}
    rest = [paper.id for paper in papers if paper.id not in wanted and paper.text]
    wanted.update(random.Random(1).sample(rest, OTHERS))
    chosen = [paper for paper in papers if paper.id in wanted]
    return JudgedSet(
        lambda: (paper.document() for paper in chosen),
        {
            f"{SMALL_ACL}, {name}": [
                Question(item.text, {key: 1 for title in item.grades for key in by_title[title]}) for item in questions
            ]
            for name, questions in asked.items()
        },
    )


def titled(path: Path, text: int, title: int | None, kind: str = "") -> list[Question]:
    """Questions in a table, by the columns of the text and the title that answers it; of a kind, the third column."""
    rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines() if line]
    return [Question(row[text], {} if title is None else {row[title]: 1}) for row in rows if not kind or row[2] == kind]
