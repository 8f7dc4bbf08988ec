"""How well search in specs finds the right requirement: words alone, the default, and with a sentence model."""

import re
import sqlite3
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import comb, inf
from pathlib import Path

from bench.quality.spec_queries import CJK, Query, RequirementPosition, identifiers, judged_projects, read_queries
from papercore.retrieval import SentenceModel, Vector
from specs.reading.catalogue import Spec, current_catalogue
from specs.reading.document import Requirement
from specs.reading.files import Project
from specs.search.index import SpecIndex, build
from specs.search.ranking import query_words, rank, score
from specs.search.search import word_embedder
from specs.search.soft_match import match

# Recall falls as a project grows, so figures are also given for projects cut to one size.
CUT = 120
GROUPS: dict[str, Callable[[Query], bool]] = {
    "free": lambda query: query.kind == "free",
    "everyday": lambda query: query.kind == "everyday",
    "tuned on": lambda query: query.half == "chosen",
    "unseen": lambda query: query.half == "unseen",
    "all": lambda query: query.kind in ("free", "everyday"),
    "identifier": lambda query: query.kind == "identifier",
    "CJK": lambda query: query.kind == CJK,
}


@dataclass(frozen=True)
class IndexedProject:
    """A project, indexed for us and for the FTS5 baseline."""

    specs: dict[str, Spec]
    index: SpecIndex
    words_only: sqlite3.Connection
    rows: dict[RequirementPosition, int]


Search = Callable[[IndexedProject, str], list[int]]


def quality(data: Path, model: SentenceModel | None) -> None:
    libraries = {project.name: open_library(project, model) for project in judged_projects(data)}
    queries = read_queries()
    for name, library in libraries.items():
        queries += identifiers(name, library.specs.values())
    sizes = ", ".join(f"{name} {len(library.index.entries)}" for name, library in libraries.items())
    print(f"requirements, searched per project: {sizes}")
    print(f"recall@5 / MRR at the projects' sizes, and cut to {CUT} requirements a project")
    for method, search in searches(model).items():
        ranks = [(query, rank_of(search, libraries[query.project], query)) for query in queries if query.right]
        print(f"\n{method}")
        for group, belongs in GROUPS.items():
            found = [(place, len(libraries[query.project].rows)) for query, place in ranks if belongs(query)]
            print(f"  {group:12}{len(found):4}   {figures(found, inf)}   {figures(found, CUT)}")
    for name, used in {"default": None, "as served with the model": model}.items():
        if name == "default" or used:
            threshold(name, libraries, queries, used)


def searches(model: SentenceModel | None) -> dict[str, Search]:
    found: dict[str, Search] = {"words alone (FTS5 porter, any word)": by_words, "default": served(None)}
    if model:
        found |= {"the model alone": by_model(model), "as served with the model": served(model)}
    return found


def by_words(library: IndexedProject, query: str) -> list[int]:
    expression = " OR ".join(f'"{word}"' for word in re.findall(r"\w+", query))
    sql = "SELECT rowid FROM requirement WHERE requirement MATCH ? ORDER BY rank"
    return [row for (row,) in library.words_only.execute(sql, [expression])]


def served(model: SentenceModel | None) -> Search:
    def search(library: IndexedProject, query: str) -> list[int]:
        counts = library.index.counts
        found = match(counts, word_embedder(), query_words(query, counts))
        return ordered(score(library.index, found, query, model).values)

    return search


def by_model(model: SentenceModel) -> Search:
    return lambda library, query: ordered(library.index.passages.nearness(model.vector(query)))


def ordered(scores: Vector) -> list[int]:
    return [int(row) for row in (-scores).argsort(kind="stable")]


def rank_of(search: Search, library: IndexedProject, query: Query) -> float:
    """The rank of the best right answer."""
    right = {library.rows[position] for position in query.right}
    return next((place for place, row in enumerate(search(library, query.text), start=1) if row in right), inf)


def figures(found: list[tuple[float, int]], size: float) -> str:
    outcomes = [outcome(place, total, size) for place, total in found]
    recall, reciprocal = (sum(values) / len(outcomes) for values in zip(*outcomes, strict=True))
    return f"{recall:.2f} / {reciprocal:.2f}"


def outcome(place: float, total: int, size: float) -> tuple[float, float]:
    """Recall@5 and reciprocal rank: the mean over all ways to keep `size` of `total` requirements."""
    if place == inf or total <= size:
        return float(place <= 5), 1 / place
    better, others, kept = int(place) - 1, total - 1, int(size) - 1
    chances = [
        comb(better, above) * comb(others - better, kept - above) / comb(others, kept)
        for above in range(min(better, kept) + 1)
    ]
    return sum(chances[:5]), sum(chance / above for above, chance in enumerate(chances, start=1))


def threshold(
    name: str, libraries: dict[str, IndexedProject], queries: Iterable[Query], model: SentenceModel | None
) -> None:
    """How many right answers among the first ten the threshold keeps, and how many off-topic queries it empties."""
    search = served(model)
    asked = [query for query in queries if query.kind in ("free", "everyday")]
    within = [query for query in asked if rank_of(search, libraries[query.project], query) <= 10]
    kept = sum(is_kept(libraries[query.project], query, model) for query in within)
    off = [query.text for query in queries if query.kind == "off"]
    asked_of = [library for name, library in libraries.items() if name != CJK]
    empty = sum(
        not rank(library.index, library.specs, text, word_embedder(), model, 10) for text in off for library in asked_of
    )
    print(
        f"\nthreshold, {name}: keeps {kept / len(within):.0%} of {len(within)} right answers in the first ten,", end=" "
    )
    print(f"empties {empty / (len(off) * len(asked_of)):.0%} of {len(off)} off-topic queries x {len(asked_of)}")


def is_kept(library: IndexedProject, query: Query, model: SentenceModel | None) -> bool:
    hits = rank(library.index, library.specs, query.text, word_embedder(), model, 10)
    right = [library.specs[item.spec].document.in_force[item.position] for item in query.right]
    return any(hit.requirement is item for hit in hits for item in right)


def open_library(project: Project, model: SentenceModel | None) -> IndexedProject:
    specs = current_catalogue(project).by_local_id
    index, _ = build(specs.values(), word_embedder(), model, None, lambda done, total: None)
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE VIRTUAL TABLE requirement USING fts5(body, tokenize='porter')")
    items = [(spec, item) for spec in specs.values() for item in spec.document.in_force]
    rows = [(row, full_text(spec, item)) for row, (spec, item) in enumerate(items)]
    connection.executemany("INSERT INTO requirement(rowid, body) VALUES (?, ?)", rows)
    positions = {RequirementPosition(entry.spec, entry.position): row for row, entry in enumerate(index.entries)}
    return IndexedProject(specs, index, connection, positions)


def full_text(spec: Spec, item: Requirement) -> str:
    scenarios = [f"{scenario.name} {scenario.body}" for scenario in item.scenarios]
    document = spec.document
    return " ".join([spec.local_id, document.title, document.purpose, item.name, item.text, *scenarios])
