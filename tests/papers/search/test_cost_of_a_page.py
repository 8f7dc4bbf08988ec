"""What a page of results costs: statements on the snapshot and files of the library, counted through the page."""

import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.test import Client

from papers.snapshot.served import connection
from tests.papers.catalogue.test_names import served_library
from tests.snapshot import SamplePaper

# Of them, so many are looked into for passages; each has an abstract, two summaries, a source and a translation.
PAPERS = 15
MOST_STATEMENTS = 6

_opened: list[Counter[str]] = []


def _count_opened(event: str, arguments: tuple[object, ...]) -> None:
    if event == "open" and _opened and isinstance(arguments[0], str | bytes | Path):
        name = arguments[0]
        _opened[-1][name.decode() if isinstance(name, bytes) else str(name)] += 1


sys.addaudithook(_count_opened)


@contextmanager
def opened_files() -> Iterator[Counter[str]]:
    """The files that are opened in the block. An audit hook cannot be removed, so it counts only while asked."""
    _opened.append(Counter())
    try:
        yield _opened[-1]
    finally:
        _opened.pop()


def library() -> list[SamplePaper]:
    text = "The ozone layer absorbs light. Its thickness differs by season."
    return [
        SamplePaper(
            f"p{number}",
            f"Air {number}",
            ["Ada McDonald"],
            keywords=["air"],
            # Files are opened by their last name, below a folder that is open already: here each has one of its own.
            summaries={
                f"simple{number}": f"{text} Paper {number}.",
                f"deep{number}": f"{text} Paper {number} at length.",
            },
            source=f"# Air {number}\n\n{text} Measured {number} times.\n",
            translations={"de": f"# Luft {number}\n\nDas ozone layer ist dünn, {number} mal gemessen.\n"},
        )
        for number in range(PAPERS)
    ]


def test_a_page_of_results_takes_few_statements_and_opens_each_file_once() -> None:
    with served_library(library()):
        client = Client()
        client.get("/papers/?q=light+season")
        statements: list[str] = []
        with opened_files() as files:
            snapshot = connection().connection
            assert snapshot is not None
            snapshot.set_trace_callback(statements.append)
            try:
                page = client.get("/papers/?q=ozone+layer").content.decode()
            finally:
                snapshot.set_trace_callback(None)
    assert page.count("ozone</mark>") >= PAPERS
    assert len(statements) <= MOST_STATEMENTS, "\n".join(statements)
    texts = {name: times for name, times in files.items() if name.endswith((".json", ".md"))}
    assert texts
    assert set(texts.values()) == {1}, texts
