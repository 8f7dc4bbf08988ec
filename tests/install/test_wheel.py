"""The wheel holds the product and nothing else, and works without the checkout."""

import os
import subprocess
import sys
import zipfile
from importlib.metadata import Distribution, distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests.install.conftest import environment_with
from tests.server import KEY, ROOT

SITE = {"papersite", "mcpapi", "searches", "papers", "specs", "ingest"}
LIBRARY = {"paper_search", "papercore"}


def product(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return {name for name in archive.namelist() if ".dist-info/" not in name}


def tracked(*folders: str) -> set[str]:
    listed = subprocess.run(["git", "ls-files", *folders], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("this is no checkout of git")
    return set(listed.stdout.splitlines())


def test_each_wheel_holds_every_file_of_its_packages_and_nothing_else(wheel: Path, library_wheel: Path) -> None:
    mapped = {f"papersite/{name}" for name in tracked("templates", "openspec", "gunicorn.conf.py")}
    site, library = product(wheel), product(library_wheel)
    assert tracked(*SITE) | mapped <= site
    assert tracked(*LIBRARY) <= library
    assert {name.partition("/")[0] for name in site} == SITE
    assert {name.partition("/")[0] for name in library} == LIBRARY
    assert [name for name in site | library if name.endswith((".pyc", ".db")) or "/tests/" in name] == []


@pytest.mark.parametrize("tool", [["check_wheel_contents"], ["twine", "check", "--strict"]])
def test_the_tools_for_wheels_find_nothing(wheel: Path, library_wheel: Path, tool: list[str]) -> None:
    for path, folder in ((wheel, ROOT), (library_wheel, ROOT / "deploy" / "paper-search")):
        command = [sys.executable, "-m", *tool, str(path)]
        result = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=False)
        assert result.returncode == 0, result.stdout + result.stderr


def test_the_wheel_is_small(wheel: Path) -> None:
    assert wheel.stat().st_size < 4_000_000


def run(folder: Path, *command: str, **settings: str) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PAPERSITE_", "PYTHON"))}
    return subprocess.run(
        command, cwd=folder, env=kept | settings, capture_output=True, text=True, timeout=120, check=False
    )


def test_the_installed_site_finds_its_own_files(installed: Path, library: Path, tmp_path: Path) -> None:
    script = """
from django.test import Client
import papersite
print(papersite.__file__)
print(Client(HTTP_HOST="localhost").get("/").status_code, Client(HTTP_HOST="localhost").get("/api/specs").json())
"""
    settings = {"HOME": str(tmp_path), "PAPERSITE_SNAPSHOT": str(library), "PAPERSITE_SECRET_KEY": KEY}
    result = run(tmp_path, str(installed / "papersite"), "manage", "shell", "--no-imports", "-c", script, **settings)
    assert result.returncode == 0, result.stderr
    place, _, answers = result.stdout.partition("\n")
    assert str(installed.parent) in place
    assert answers.startswith("200 {'specs': [{'id': ")
    assert (tmp_path / ".local" / "share" / "papersite").is_dir()


SEARCH = """
import asyncio, importlib.util
from paper_search import export_bibtex, export_markdown
from paper_search.domains import DOMAINS
from paper_search.models import RawPaper
from paper_search.skills.deduplicator import RuleDeduplicator
from paper_search.skills.intent_parser import RuleIntentParser
from paper_search.skills.query_builder import RuleQueryBuilder
from paper_search.skills.relevance_scorer import RuleRelevanceScorer
from paper_search.skills.result_organizer import RuleResultOrganizer
from paper_search.skills.searcher import SourceSearcher
from paper_search.skills.thesaurus import Thesaurus
from paper_search.sources.interface import Source
from paper_search.workflow import SearchWorkflow

class Shelf(Source):
    async def search(self, query, filters):
        return [RawPaper(title="Graph neural networks", year=2020)]

workflow = SearchWorkflow(
    RuleIntentParser(), RuleQueryBuilder(["shelf"], Thesaurus()),
    SourceSearcher({"shelf": Shelf()}), RuleDeduplicator(),
    RuleRelevanceScorer(DOMAINS["general"]), RuleResultOrganizer(),
)
found = asyncio.run(workflow.run("graph neural networks"))
print(export_markdown(found))
print(export_bibtex(found))
print(sorted(name for name in ("django", "mcp", "numpy", "tantivy") if importlib.util.find_spec(name)))
"""


def test_the_library_alone_imports_searches_and_exports(library_wheel: Path, tmp_path: Path) -> None:
    """In an environment that has nothing but what the library's wheel asks for."""
    packages = environment_with(tmp_path / "venv", library_wheel)
    (wanted,) = [Distribution.at(path) for path in packages.glob("paper_search-*.dist-info")]
    for name in needed_by(wanted):
        link_package(name, packages)
    result = run(tmp_path, str(tmp_path / "venv" / "bin" / "python"), "-c", SEARCH)
    assert result.returncode == 0, result.stderr
    assert "Graph neural networks" in result.stdout
    assert "@" in result.stdout
    assert result.stdout.endswith("[]\n")


def needed_by(wanted: Distribution) -> set[str]:
    """The distributions that a plain install brings, by the metadata of each."""
    found, todo = set[str](), [wanted]
    while todo:
        for text in todo.pop().requires or []:
            requirement = Requirement(text)
            if requirement.name not in found and (not requirement.marker or requirement.marker.evaluate({"extra": ""})):
                found.add(requirement.name)
                todo.append(distribution(requirement.name))
    return found


def link_package(name: str, packages: Path) -> None:
    """Make an installed distribution of this environment visible in another."""
    for file in distribution(name).files or []:
        top = Path(file.parts[0])
        if file.parts[0] not in ("..", "__pycache__") and not (packages / top).exists():
            (packages / top).symlink_to(Path(str(distribution(name).locate_file(top))))
