"""`papersite check` as a process of its own on a library folder, without a server: at a terminal, in CI."""

import json
import os
import pty
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.paper_search.http_server import Answer, serving
from tests.paper_search.sources.answers import EMPTY
from tests.paper_search.sources.test_lookup import CROSSREF_WORK
from tests.papers.drafts import THESIS
from tests.server import ROOT

FILES = (str(THESIS / "chapter.tex"), str(THESIS / "refs.bib"))


@pytest.fixture
def own_library(demo_papers: Path, tmp_path: Path) -> dict[str, str]:
    """The environment of somebody who has a library in a folder."""
    own = {"PAPERSITE_SNAPSHOT": str(demo_papers), "PAPERSITE_DATA": str(tmp_path / "data"), "TERM": "xterm"}
    unwanted = ("NO_COLOR", "DJANGO_COLORS", "DJANGO_SETTINGS_MODULE")
    return {name: value for name, value in os.environ.items() if name not in unwanted} | own


def check(environment: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "papersite", "check", *arguments]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False, timeout=120)


def test_a_pipe_gets_plain_lines_and_the_kinds_chosen_decide_how_it_ends(own_library: dict[str, str]) -> None:
    done = check(own_library, *FILES)
    assert done.returncode == 1, done.stderr
    assert "\x1b" not in done.stdout
    assert "claim_differs: “On WMT 2014 translation it reaches 29.4" in done.stdout
    assert "“29.4”, vaswani2017attention has “28.4”" in done.stdout
    assert "uncited: “A 56-layer plain network" in done.stdout
    assert "he2016deep says it: “Deep Residual Learning for Image Recognition”." in done.stdout
    assert "claim_not_found" not in done.stdout
    assert "papers that they cite: 3 supported, 3 differ" in done.stdout
    assert check(own_library, "--fail-on", "retracted", *FILES).returncode == 0
    chosen = check(own_library, "--fail-on", "claim_not_found", *FILES)
    assert chosen.returncode == 1
    assert "claim_not_found: “Multiplicative gates" in chosen.stdout


def test_a_terminal_gets_colours(own_library: dict[str, str]) -> None:
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "papersite", "check", *FILES]
    with subprocess.Popen(command, cwd=ROOT, env=own_library, stdout=theirs, stderr=theirs) as process:
        os.close(theirs)
        shown = b""
        try:
            while part := os.read(ours, 65_536):
                shown += part
        except OSError:  # its end, as Linux says it
            pass
        assert process.wait(timeout=120) == 1
    os.close(ours)
    assert b"\x1b[31;1mclaim_differs\x1b[0m" in shown
    assert b"\x1b[33;1muncited\x1b[0m" in shown


def test_json_has_each_sentence_with_its_passages(own_library: dict[str, str]) -> None:
    answer = json.loads(check(own_library, "--json", *FILES).stdout)
    kinds = {item["kind"] for item in answer["findings"]}
    assert {"claim_differs", "uncited", "near_miss", "undefined_key"} <= kinds
    score = next(item for item in answer["claims"] if item["sentence"].startswith("On WMT"))
    assert (score["verdict"], score["line"]) == ("differs", 15)
    assert score["passages"][0]["differs"] == {"kind": "number", "claim": "29.4", "passage": "28.4"}
    assert score["passages"][0]["authors_words"] is False
    uncited = next(item for item in answer["claims"] if item["verdict"] == "uncited")
    assert uncited["passages"][0]["key"] == "he2016deep"


def test_only_online_are_other_services_asked_and_who_could_not_be_is_said(
    own_library: dict[str, str], tmp_path: Path
) -> None:
    listed = tmp_path / "refs.bib"
    listed.write_text(
        "@article{deep, title = {Deep learning}, author = {LeCun, Yann and {A Consortium}}, journal = {Nature},\n"
        "  year = 2009, doi = {10.1038/nature14539}}\n"
        "@article{owls, title = {Owls Nobody Wrote About}, author = {Owl, A.}, year = 2020}\n",
        encoding="utf-8",
    )
    limited = Answer("slow down", 429, {"Retry-After": "3600"})
    with ExitStack() as stack:
        answers = {"CROSSREF": Answer(CROSSREF_WORK), "OPENALEX": EMPTY["openalex"], "ARXIV": limited}
        services = {name: stack.enter_context(serving(answer)) for name, answer in answers.items()}
        addresses = {f"PAPER_SEARCH_{name}_URL": service.address for name, service in services.items()}
        environment = own_library | addresses | {"PAPER_SEARCH_SOURCES": "crossref,openalex,arxiv"}
        offline = check(environment, str(listed))
        assert [service.asked for service in services.values()] == [[], [], []]
        online = check(environment, "--online", str(listed))
    assert offline.returncode == 0, offline.stderr
    assert offline.stdout.count("unknown_here") == 2
    assert online.returncode == 1, online.stderr
    assert "refs.bib:1: differs: deep: year: “2009”, Crossref has “2015”" in online.stdout
    said = "Crossref and OpenAlex have no paper with this title and its first author or year; arXiv rate limit (429)."
    assert f"unknown_here: owls: No paper of this library has its title, DOI or arXiv id. {said}" in online.stdout
    assert f"owls: {said}" in online.stderr
    assert "Entries looked up online: 2" in online.stderr


def test_help_names_the_command_that_was_typed(own_library: dict[str, str]) -> None:
    assert check(own_library, "--help").stdout.startswith("usage: papersite check [-h]")
