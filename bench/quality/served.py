"""Rows of `bench.quality` that ask a library as it is served, papers and passages, or specs.

    python -m bench.quality.served {acl,demo,specs} DATA [--only WORD ...]

It prints one JSON list a row, and runs in a process of its own, because settings are read once in a process.
"""

import argparse
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "papersite.settings")

import django

django.setup()

from bench.data.libraries import serve_settled  # noqa: E402
from bench.quality import spec_quality  # noqa: E402
from bench.quality.judged import Answer, row  # noqa: E402
from bench.quality.sets import Question, titled  # noqa: E402
from bench.quality.spec_queries import CJK, judged_projects, read_queries  # noqa: E402
from papercore.retrieval import NO_FILTERS, Request, Verdict, verdict_at  # noqa: E402
from papers.search.passages import find_passages  # noqa: E402
from papers.search.results import list_papers  # noqa: E402
from specs.search.ranking import rank  # noqa: E402
from specs.search.search import sentence_model, word_embedder  # noqa: E402

Asked = dict[str, list[Question]]
# Sixty questions that nothing was tuned on, with the title that answers them, or none.
DEMO_QUESTIONS = Path(__file__).with_name("demo_questions.tsv")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("library", choices=("acl", "demo", "specs"))
    parser.add_argument("data", type=Path)
    parser.add_argument("--only", nargs="*", default=[], metavar="WORD")
    options = parser.parse_args()
    if options.library == "specs":
        rows = spec_rows(options.data / "openspec")
    else:
        serve_settled()
        asked = (acl_questions if options.library == "acl" else demo_questions)(options.data / "queries")
        wanted = {name: questions for name, questions in asked.items() if is_wanted(name, options.only)}
        rows = (row(name, questions, search) for name, questions in wanted.items())
    for cells in rows:
        print(json.dumps(cells), flush=True)


def is_wanted(name: str, only: list[str]) -> bool:
    return not only or any(word in name for word in only)


def acl_questions(folder: Path) -> Asked:
    known = folder / "known_items.dev.tsv"
    return {
        "acl, other words": titled(folder / "on_topic_acl.dev.tsv", 0, 1),
        "acl, known items, famous": titled(known, 0, 1, kind="famous"),
        "acl, known items, others": titled(known, 0, 1, kind="subfield"),
        "acl, slips": titled(folder / "slips.dev.tsv", 0, 2),
        "acl, slips as meant": titled(folder / "slips.dev.tsv", 1, 2),
        "acl, off topic": titled(folder / "off_topic_acl.dev.tsv", 0, None),
    }


def demo_questions(folder: Path) -> Asked:
    more = [line.split("\t") for line in DEMO_QUESTIONS.read_text(encoding="utf-8").splitlines()]
    return {
        "demo, on topic": titled(folder / "on_topic_demo.dev.tsv", 0, 1),
        "demo, more on topic": [Question(text, {title: 1}) for text, title in more if title],
        "demo, off topic": titled(folder / "off_topic_demo.dev.tsv", 0, None),
        "demo, more off topic": [Question(text, {}) for text, title in more if not title],
    }


def search(text: str) -> Answer:
    """Papers by their titles, of which some occur twice, and whether a passage is shown."""
    page = list_papers(Request(text, limit=100))
    verdict = page.verdict if page.listed else "nothing"
    return Answer([paper.title for paper in page.papers], verdict, bool(find_passages(text, NO_FILTERS, [], 5)))


def spec_rows(data: Path) -> Iterator[list[str]]:
    """Judged questions to real specs, and those off topic to each project; by the sentence model of the settings."""
    model = sentence_model()
    libraries = {project.name: spec_quality.open_library(project, model) for project in judged_projects(data)}
    queries, method = read_queries(), spec_quality.served(model)
    groups = {"specs": ("free", "everyday"), "specs, Chinese": (CJK,)}
    for name, kinds in groups.items():
        asked = [query for query in queries if query.kind in kinds and query.right]
        places = [spec_quality.rank_of(method, libraries[query.project], query) for query in asked]
        firsts = [_mean([place <= most for place in places]) for most in (1, 3, 10)]
        verdicts = [_spec_verdict(libraries[query.project], query.text) for query in asked]
        yield [name, str(len(asked)), "-", "-", *firsts, *_shares(verdicts)]
    off = [query.text for query in queries if query.kind == "off"]
    others = [library for name, library in libraries.items() if name != CJK]
    verdicts = [_spec_verdict(library, text) for text in off for library in others]
    yield ["specs, off topic", str(len(verdicts)), *["-"] * 5, *_shares(verdicts)]


def _spec_verdict(library: spec_quality.IndexedProject, text: str) -> Verdict:
    hits = rank(library.index, library.specs, text, word_embedder(), sentence_model(), 1)
    return verdict_at(hits[0].score) if hits else "nothing"


def _shares(verdicts: list[Verdict]) -> list[str]:
    return [*(_mean([found == verdict for found in verdicts]) for verdict in get_args(Verdict)), "-"]


def _mean(values: list[bool]) -> str:
    return f"{sum(values) / len(values):.3f}"


if __name__ == "__main__":
    main()
