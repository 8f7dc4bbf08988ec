"""Specs: quality of search by meaning against words alone on real specs, and speed with 2,000 specs."""

import argparse
import csv
import os
import random
import re
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "papersite.settings")
# As under gunicorn, where requests share the cores.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import django  # noqa: E402

django.setup()

from django.conf import settings  # noqa: E402

from paper_search.retrieval import SentenceModel  # noqa: E402
from specs import core, tools  # noqa: E402
from specs.catalogue import Spec, Watched  # noqa: E402
from specs.document import Requirement  # noqa: E402
from specs.index import SpecIndex, build  # noqa: E402
from specs.index_file import save  # noqa: E402
from specs.model import sentence_model, word_space  # noqa: E402
from specs.projects import Project, projects  # noqa: E402
from specs.ranking import query_words, rank, score  # noqa: E402
from specs.softmatch import match  # noqa: E402

PROJECTS = ("openspec", "simrun", "swift-index", "gruppenstunde")
IDENTIFIER = re.compile(r"`([A-Za-z][a-z0-9]+(?:[_A-Z][A-Za-z0-9]+)+)`")


@dataclass(frozen=True)
class Query:
    kind: str
    project: str
    spec: str
    place: int
    text: str


@dataclass(frozen=True)
class Library:
    """One project, indexed both ways."""

    specs: dict[str, Spec]
    index: SpecIndex
    model: SentenceModel | None
    words_only: sqlite3.Connection

    def by_meaning(self, query: str) -> list[int]:
        counts = self.index.counts
        found = match(counts, word_space(), query_words(query, counts))
        values = score(self.index, found, query, self.model).values
        return [int(row) for row in (-values).argsort(kind="stable")]

    def by_words(self, query: str) -> list[int]:
        expression = " OR ".join(f'"{word}"' for word in re.findall(r"\w+", query))
        sql = "SELECT rowid FROM requirement WHERE requirement MATCH ? ORDER BY rank"
        return [row for (row,) in self.words_only.execute(sql, [expression])]

    def row_of(self, query: Query) -> int:
        wanted = (query.spec, query.place - 1)
        return [(entry.spec, entry.place) for entry in self.index.entries].index(wanted)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", default=os.environ.get("PAPERSITE_BENCH_DATA", ""), help="folder with openspec/")
    parser.add_argument("--model", type=Path, help="folder of an ONNX sentence model; measures quality only")
    arguments = parser.parse_args()
    settings.SEARCH_MODEL = str(arguments.model or "")
    folder = Path(arguments.data) / "openspec"
    if folder.is_dir() and (folder / PROJECTS[0]).is_dir():
        quality(folder)
    else:
        print("Quality is not measured: --data or PAPERSITE_BENCH_DATA names no folder with openspec/.")
    if not arguments.model:
        speed()


def quality(folder: Path) -> None:
    libraries = {name: open_library(Project(name, folder / name, prefixed=False)) for name in PROJECTS}
    queries = read_queries()
    queries += [query for name, library in libraries.items() for query in identifiers(name, library)]
    print(f"{sum(len(library.index.entries) for library in libraries.values())} requirements, searched per project")
    print(f"{'queries':22}{'n':>4}   {'words alone (FTS5 porter)':28}{'by meaning':24}ratio of MRR")
    for kind in ("free", "everyday", "free or everyday", "identifier"):
        asked = [query for query in queries if query.kind in kind.split(" or ")]
        base = [rank_of(libraries[query.project].by_words, libraries, query) for query in asked]
        ours = [rank_of(libraries[query.project].by_meaning, libraries, query) for query in asked]
        print(f"{kind:22}{len(asked):4}   {figures(base):28}{figures(ours):24}{mrr(ours) / mrr(base):.2f}")
    threshold(libraries, queries)


def threshold(libraries: dict[str, Library], queries: list[Query]) -> None:
    """What the threshold keeps of the right answers among the first ten, and what it keeps of the rest."""
    asked = [query for query in queries if query.kind in ("free", "everyday")]
    within = [query for query in asked if rank_of(libraries[query.project].by_meaning, libraries, query) <= 10]
    kept = sum(is_kept(libraries[query.project], query) for query in within)
    off = [query.text for query in queries if query.kind == "off"]
    empty = sum(
        not rank(library.index, library.specs, text, library.model, 10)
        for text in off
        for library in libraries.values()
    )
    print(f"threshold: keeps {kept / len(within):.0%} of {len(within)} right answers in the first ten,", end=" ")
    print(f"empties {empty / (len(off) * len(libraries)):.0%} of {len(off)} off-topic queries x {len(libraries)}")


def is_kept(library: Library, query: Query) -> bool:
    hits = rank(library.index, library.specs, query.text, library.model, 10)
    item = library.specs[query.spec].document.in_force[query.place - 1]
    return any(hit.requirement is item for hit in hits)


def rank_of(search: Callable[[str], list[int]], libraries: dict[str, Library], query: Query) -> float:
    found = search(query.text)
    row = libraries[query.project].row_of(query)
    return found.index(row) + 1 if row in found else float("inf")


def mrr(ranks: list[float]) -> float:
    return sum(1 / rank for rank in ranks) / len(ranks)


def figures(ranks: list[float]) -> str:
    return f"recall@5 {sum(rank <= 5 for rank in ranks) / len(ranks):.2f}  MRR {mrr(ranks):.2f}"


def open_library(project: Project) -> Library:
    specs = Watched(project).catalogue().by_local_id
    index, _ = build(specs.values(), word_space(), sentence_model(), None, lambda done, total: None)
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE VIRTUAL TABLE requirement USING fts5(body, tokenize='porter')")
    items = [(spec, item) for spec in specs.values() for item in spec.document.in_force]
    rows = [(row, full_text(spec, item)) for row, (spec, item) in enumerate(items)]
    connection.executemany("INSERT INTO requirement(rowid, body) VALUES (?, ?)", rows)
    return Library(specs, index, sentence_model(), connection)


def full_text(spec: Spec, item: Requirement) -> str:
    scenarios = [f"{scenario.name} {scenario.body}" for scenario in item.scenarios]
    document = spec.document
    return " ".join([spec.local_id, document.title, document.purpose, item.name, item.text, *scenarios])


def read_queries() -> list[Query]:
    with (HERE / "spec_queries.tsv").open(encoding="utf-8", newline="") as file:
        return [parse_query(row) for row in csv.DictReader(file, delimiter="\t")]


def parse_query(row: dict[str, str]) -> Query:
    project, _, place = row["target"].partition(":")
    spec, _, number = place.partition("#")
    return Query(row["kind"], project, spec, int(number or 0), row["query"])


def identifiers(project: str, library: Library) -> Iterable[Query]:
    """Identifiers in code marks that occur in one requirement only: five for each project."""
    items = [
        (spec.local_id, place, set(IDENTIFIER.findall(item.text)))
        for spec in library.specs.values()
        for place, item in enumerate(spec.document.in_force, start=1)
    ]
    seen = Counter(name for _, _, names in items for name in names)
    unique = sorted((name, spec, place) for spec, place, names in items for name in names if seen[name] == 1)
    step = max(1, len(unique) // 5)
    return [Query("identifier", project, spec, place, name) for name, spec, place in unique[::step][:5]]


SPECS, REQUIREMENTS, ROUNDS = 2_000, 5, 50
WORDS_EACH = 60


def speed() -> None:
    with tempfile.TemporaryDirectory() as scratch:
        project = Project("speed", Path(scratch) / "specs", prefixed=False)
        write_specs(project.folder)
        settings.SPECS, settings.DATA = str(project.folder), Path(scratch) / "data"
        served = projects()[0]
        started = time.process_time()
        specs = core.catalogue(served).specs
        cold = time.process_time() - started
        print(f"{len(specs):,} specs with {SPECS * REQUIREMENTS:,} requirements: cold {cold:.2f} s CPU")
        print(f"list_specs, warm: {milliseconds(lambda: tools.list_specs()):.2f} ms CPU, median of {ROUNDS}")
        print(f"  of it the folder and its files: {milliseconds(lambda: core.parse_all_specs()):.3f} ms")
        started = time.process_time()
        index, _ = build(specs.values(), word_space(), sentence_model(), None, lambda done, total: None)
        save(served, index)
        words_known, entries = len(index.counts.stems), len(index.counts.counts)
        built = time.process_time() - started
        print(f"build_spec_index: {built:.1f} s CPU ({words_known:,} words, {entries:,} counts)")
        texts = [query.text for query in read_queries()]
        each = milliseconds(lambda: [tools.search_specs(text) for text in texts]) / len(texts)
        print(f"search_specs: {each:.1f} ms CPU")


def milliseconds(call: Callable[[], object]) -> float:
    call()
    times = []
    for _ in range(ROUNDS):
        started = time.process_time()
        call()
        times.append((time.process_time() - started) * 1000)
        if sum(times) > 10_000:
            break
    return sorted(times)[len(times) // 2]


def write_specs(folder: Path) -> None:
    """Specs made of the words of this project's own texts, as frequent as they are there."""
    draw = random.Random(6)
    texts = [path.read_text(encoding="utf-8") for path in sorted((HERE.parent / "papers" / "demo").rglob("*.md"))]
    vocabulary = [word for text in texts for word in re.findall(r"[A-Za-z]{3,}", text)]
    for number in range(SPECS):
        lines = [f"# {' '.join(draw.choices(vocabulary, k=3))}", "", "## Purpose", ""]
        lines += [" ".join(draw.choices(vocabulary, k=20)), "", "## Requirements", ""]
        for _ in range(REQUIREMENTS):
            lines += requirement(draw.choices(vocabulary, k=WORDS_EACH))
        path = folder / f"area-{number % 40}" / f"spec-{number:04}" / "spec.md"
        path.parent.mkdir(parents=True)
        path.write_text("\n".join(lines), encoding="utf-8")


def requirement(drawn: list[str]) -> list[str]:
    heading = f"### Requirement: {' '.join(drawn[:4])}"
    lines = [heading, "", f"The server SHALL {' '.join(drawn[4:24])}.", ""]
    for start in (24, 42):
        steps = [f"- **WHEN** {' '.join(drawn[start + 3 : start + 10])}", f"- **THEN** {' '.join(drawn[start + 10 :])}"]
        lines += [f"#### Scenario: {' '.join(drawn[start : start + 3])}", "", *steps, ""]
    return lines


if __name__ == "__main__":
    main()
