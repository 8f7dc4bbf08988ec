"""The command `python -m paper_search`."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]


def command(library: Path, *words: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "paper_search", *words],
        env={**os.environ, "PAPERSITE_SNAPSHOT": str(library), **environment},
        cwd=PROJECT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


@pytest.mark.scenario("search-product / Developer command / Words become the query")
@pytest.mark.scenario("search-product / Minimal command line (C5) / Command asks nothing")
def test_the_command_prints_the_table(library: Path) -> None:
    done = command(library, "attention", "since", "2015")
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0] == "| # | Title | Authors | Year | Venue | Score |"
    assert "Attention Is All You Need" in lines[2]


@pytest.mark.scenario("search-product / Developer command / No words")
def test_the_command_without_words_prints_its_usage(library: Path) -> None:
    done = command(library)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("Usage: python -m paper_search <query>")


@pytest.mark.scenario("search-product / Developer command / Failing search")
@pytest.mark.parametrize(
    "environment",
    [{"PAPERSITE_SNAPSHOT": "/no/such/file.db"}, {"PAPER_SEARCH_DOMAIN": "alchemy"}, {"PAPER_SEARCH_SOURCES": "moon"}],
)
def test_a_failing_search_is_one_line(library: Path, environment: dict[str, str]) -> None:
    path = Path(environment.pop("PAPERSITE_SNAPSHOT", library))
    done = command(path, "attention", **environment)
    assert (done.returncode, done.stdout) == (1, "")
    assert len(done.stderr.splitlines()) == 1
    assert done.stderr.startswith("paper_search: ")
