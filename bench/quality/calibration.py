"""Whether a score means the same everywhere: off-topic questions get the empty answer, relevant papers stay.

    python -m bench.quality.calibration [FOLDER] [--fit]      (default: $PAPERSITE_BENCH_DATA, with relevance/ and acl/)

Libraries: three judged collections, the ACL Anthology and the demo. Off-topic questions are those of off_topic.tsv
whose topic the library does not have. On topic are the collections' questions with their judgements, and for the other
two some words of a title, which ask for that paper, and the questions of on_topic.tsv, whose answers nobody judged.
Weights and floor were chosen on every other question (--fit chooses them again), and the remaining ones are reported;
then each library with weights fitted on the others alone.
"""

import argparse
import os
import random
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from tempfile import TemporaryDirectory

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from bench.data import papers as data
from bench.quality import judged
from papercore.retrieval import Index, IndexFolder, Request, build_index
from papercore.retrieval.engines.generation import Generation
from papercore.retrieval.ranking import judge as floor
from papercore.retrieval.ranking.evidence import WEIGHTS
from papercore.retrieval.ranking.plan import RankingPlan, plan_search
from papercore.retrieval.ranking.rank import Ranking
from papercore.snapshot.file import index_beside
from tests.server import manage

# Topics of off_topic.tsv that a library does have.
KNOWN_TOPICS = {
    "cacm": {"language"},
    "cisi": {"language"},
    "cranfield": {"aviation", "materials", "building"},
    "acl": {"language"},
    "demo": {"language", "materials", "astronomy"},
}
TITLES = 150
# The share of off-topic questions that may pass the floor where it is chosen, in the library where most do.
MAY_PASS = 0.03
STEPS, STEP = 10_000, 2.0
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Asked:
    """A question to a library: its evidence, and what the floor does to it."""

    on_topic: bool
    evidence: tuple[float, ...]
    # A document has all the words, or a name that is asked for, so that the evidence decides nothing.
    typed: bool
    answered: bool
    relevant: int
    kept: int


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="?", type=Path, default=Path(os.environ.get("PAPERSITE_BENCH_DATA", ".")))
    parser.add_argument("--fit", action="store_true", help="print weights fitted on every other question")
    options = parser.parse_args()
    asked = {name: list(_asked(name, index, questions)) for name, index, questions in _libraries(options.data)}
    if options.fit:
        weights, bias = fitted([found[::2] for found in asked.values()])
        print("weights", np.round(weights, 2).tolist(), "bias", round(bias, 2))
    heads = (
        f"{'held-out questions':20}{'off topic':>10}{'empty':>8}{'on topic':>10}{'empty':>8}{'relevant':>10}{'lost':>8}"
    )
    print(f"{heads}{'fitted on the others: empty':>29}{'empty':>8}{'lost':>8}")
    for name, found in asked.items():
        others = [questions for other, questions in asked.items() if other != name]
        print(_row(name, found[1::2], *fitted(others)))


def _row(name: str, asked: list[Asked], weights: Floats, bias: float) -> str:
    passed = [_passes(question, weights, bias) for question in asked]
    here = _shares(asked, [question.answered for question in asked], sum(question.kept for question in asked))
    kept = sum(question.relevant for question, yes in zip(asked, passed, strict=True) if yes)
    off, on, lost = here
    elsewhere = "".join(
        f"{share:>{width}.1%}" for share, width in zip(_shares(asked, passed, kept), (29, 8, 8), strict=True)
    )
    counts = [sum(not question.on_topic for question in asked), sum(question.on_topic for question in asked)]
    relevant = sum(question.relevant for question in asked)
    return f"{name:20}{counts[0]:>10}{off:>8.1%}{counts[1]:>10}{on:>8.1%}{relevant:>10}{lost:>8.1%}{elsewhere}"


def _shares(asked: Sequence[Asked], answered: Sequence[bool], kept: int) -> tuple[float, float, float]:
    """The shares of empty answers off topic and on topic, and of relevant papers that are lost."""
    empty = {
        topic: mean(not yes for question, yes in zip(asked, answered, strict=True) if question.on_topic == topic)
        for topic in (False, True)
    }
    return empty[False], empty[True], 1 - kept / sum(question.relevant for question in asked)


def _passes(question: Asked, weights: Floats, bias: float) -> bool:
    return question.typed or float(np.dot(weights, question.evidence)) + bias >= 0


def fitted(libraries: Sequence[Sequence[Asked]]) -> tuple[Floats, float]:
    """Weights by logistic regression, both kinds of question counting equally, and a bias that few off-topic pass."""
    libraries = [[question for question in questions if not question.typed] for questions in libraries]
    asked = [question for questions in libraries for question in questions]
    values = np.array([question.evidence for question in asked])
    target = np.array([question.on_topic for question in asked], dtype=float)
    counts = np.where(target == 1, [max(question.relevant, 1) for question in asked], 1.0)
    counts *= np.where(target == 1, 0.5 / counts[target == 1].sum(), 0.5 / counts[target == 0].sum())
    mean, spread = values.mean(axis=0), values.std(axis=0) + 1e-9
    scaled = (values - mean) / spread
    weights, bias = np.zeros(scaled.shape[1]), 0.0
    for _ in range(STEPS):
        error = (1 / (1 + np.exp(-(scaled @ weights + bias))) - target) * counts
        weights -= STEP * (scaled.T @ error + weights / len(asked))
        bias -= STEP * error.sum()
    return weights / spread, -max(_highest(questions, weights / spread) for questions in libraries)


def _highest(asked: Sequence[Asked], weights: Floats) -> float:
    """The score that only so many off-topic questions reach."""
    scores = sorted(float(np.dot(weights, question.evidence)) for question in asked if not question.on_topic)
    return scores[int(len(scores) * (1 - MAY_PASS))]


def _asked(name: str, index: Index, questions: Iterable[tuple[str, Mapping[str, int]]]) -> Iterator[Asked]:
    for text, grades in questions:
        yield _ask(index, text, grades)
    for line in Path(__file__).with_name("off_topic.tsv").read_text(encoding="utf-8").splitlines():
        topic, _, text = line.split("\t")
        if topic not in KNOWN_TOPICS[name]:
            yield _ask(index, text, None)


def _ask(index: Index, text: str, grades: Mapping[str, int] | None) -> Asked:
    generation = index.generation
    plan = plan_search(generation, Request(text))
    relevant = [key for key in _first_ten(generation, plan) if grades and grades.get(key)]
    found = {hit.id for hit in index.search(Request(text, limit=100)).hits}
    evidence, typed = _evidence(generation, plan)
    return Asked(grades is not None, evidence, typed, bool(found), len(relevant), len(found.intersection(relevant)))


def _first_ten(generation: Generation, plan: RankingPlan) -> list[str]:
    """What the search would list first without a floor."""
    documents = Ranking(generation, replace(plan, judged=False)).page(0, 10)
    return [document.id for document in generation.words.stored([document.row for document in documents])]


def _evidence(generation: Generation, plan: RankingPlan) -> tuple[tuple[float, ...], bool]:
    question = floor.question_of(generation, plan.query.node)
    if question is None or plan.vector is None or generation.meaning is None:
        return (0.0,) * len(WEIGHTS), True
    best = generation.words.ranked(plan.query, floor.LOOKED_AT).rows
    matched = question.matched(generation.words, best)
    cosines = generation.meaning.vectors.of(best) @ plan.vector
    typed = float(matched.max(initial=0.0)) > question.weight * floor.ALL_OF_IT or bool(question.names())
    return question.evidence(matched, cosines).values, typed


def _libraries(folder: Path) -> Iterator[tuple[str, Index, list[tuple[str, Mapping[str, int]]]]]:
    with judged.collections(folder / "relevance", None) as collections:
        for collection in collections:
            asked = [(collection.questions[key], grades) for key, grades in collection.judgements.items()]
            yield collection.name, collection.index, asked
    for name, opened in (("acl", _acl), ("demo", _demo)):
        with opened(folder) as index:
            yield name, index, [*_titles(index), *((text, {}) for text in _natural_questions(name))]


def _natural_questions(library: str) -> Iterator[str]:
    for line in Path(__file__).with_name("on_topic.tsv").read_text(encoding="utf-8").splitlines():
        name, text = line.split("\t")
        if name == library:
            yield text


def _titles(index: Index) -> Iterator[tuple[str, Mapping[str, int]]]:
    """Two to five words of a title."""
    chosen = random.Random(5)
    count = index.manifest.documents
    for document in index.generation.words.stored(chosen.sample(range(count), min(count, TITLES))):
        words = document.title.split()
        length = chosen.randint(2, 5)
        if length < len(words):
            start = chosen.randint(0, len(words) - length)
            yield " ".join(words[start : start + length]), {document.id: 1}


@contextmanager
def _acl(folder: Path) -> Iterator[Index]:
    with TemporaryDirectory() as scratch:
        papers = data.read(folder / "acl" / "papers.jsonl.gz")
        build_index(Path(scratch), papers, facets=data.FACETS, build_id="acl")
        index = IndexFolder(Path(scratch)).open("acl")
        assert index is not None
        yield index


@contextmanager
def _demo(_: Path) -> Iterator[Index]:
    with TemporaryDirectory() as scratch:
        made = manage(Path(scratch), "demo", "--no-serve")
        database = Path(scratch) / "demo" / "paper_snapshot.db"
        if made.returncode:
            raise SystemExit(made.stderr)
        connection = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
        (build_id,) = connection.execute("SELECT value FROM snapshot_meta WHERE key = 'snapshot_build_id'").fetchone()
        connection.close()
        index = IndexFolder(index_beside(database)).open(str(build_id))
        assert index is not None
        yield index


if __name__ == "__main__":
    main()
