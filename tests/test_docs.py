"""What the documentation names exists: files, modules, links, commands, tools. Its examples work."""

import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from django.core.management import get_commands

from mcpapi.listing.servers import GROUPS
from papers import tools
from papers.resources import PaperResources
from papersite.command.commands import COMMANDS
from papersite.command.main import parser

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = "papersite|mcpapi|searches|papers|specs|paper_search|ingest|papercore|tests|bench"
# Not preceded by a slash: those are addresses of the site.
FILE = re.compile(
    rf"(?<![\w/.<-])(?:{PACKAGES}|docs|deploy|templates|openspec)/[\w./-]+\.(?:py|md|tsv|txt|html|conf)\b"
)
MODULE = re.compile(rf"(?<![\w/.<-])(?:{PACKAGES})(?:\.[a-z_]\w*)+")
# What follows the package's name in a check's id, a file's name or a setting is no module.
NO_MODULE = re.compile(
    r"\.(?:W\d+|E\d+|bib|ris|csv|md|json|csl|atom|db|html|pdf|sqlite3|service|socket|org|toml|mcpb)$"
)
CODE = re.compile(r"```.*?```|`[^`\n]+`|^ {4}.*$", re.DOTALL | re.MULTILINE)
PAPERSITE_COMMAND = re.compile(r"(?<![\w./-])papersite ([a-z][a-z-]*)(?=[\s`|])")
LINK = re.compile(r"\]\((?!https?:|mailto:|#)([^)#\s]+)(?:#[^)]*)?\)")
PAGES = [ROOT / "README.md", ROOT / "DECISIONS.md", *sorted((ROOT / "docs").glob("*.md"))]


def texts(pattern: re.Pattern[str]) -> list[tuple[str, str]]:
    """Each place where a page names something: the page, and what it names."""
    found = [(page, name) for page in PAGES for name in pattern.findall(page.read_text(encoding="utf-8"))]
    return sorted({(str(page.relative_to(ROOT)), name) for page, name in found})


def test_every_file_that_is_named_exists() -> None:
    assert [place for place in texts(FILE) if not (ROOT / place[1]).is_file()] == []


def test_every_module_that_is_named_exists() -> None:
    named = [place for place in texts(MODULE) if not NO_MODULE.search(place[1])]
    assert named
    assert [place for place in named if not is_ours(place[1])] == []


def test_every_link_leads_somewhere() -> None:
    assert [place for place in texts(LINK) if not (ROOT / place[0]).parent.joinpath(place[1]).exists()] == []


def test_every_make_target_that_is_named_exists() -> None:
    named = texts(re.compile(r"`make ([a-z-]+)"))
    assert named
    assert [place for place in named if place[1] not in make_targets()] == []


def test_every_command_that_is_named_exists() -> None:
    named = [
        (page.name, name)
        for page in PAGES
        for code in CODE.findall(page.read_text(encoding="utf-8"))
        for name in PAPERSITE_COMMAND.findall(code)
    ]
    assert {name for _, name in named} > {"add", "build-snapshot", "build-index", "create-token"}
    assert [place for place in named if not is_command(place[1])] == []
    assert [
        place for place in texts(re.compile(r"manage\.py ([a-z_]+)")) if place[1] not in {*get_commands(), *COMMANDS}
    ] == []


def test_every_page_is_reachable_from_the_readme() -> None:
    reached, todo = set[Path](), [ROOT / "README.md"]
    while todo:
        page = todo.pop()
        links = LINK.findall(page.read_text(encoding="utf-8"))
        pages = {(page.parent / link).resolve() for link in links if link.endswith(".md")} - reached
        reached |= pages
        todo += pages
    assert set((ROOT / "docs").glob("*.md")) - reached == set()


def test_the_tools_and_resources_for_papers_are_the_ones_listed() -> None:
    page = (ROOT / "docs" / "mcp.md").read_text(encoding="utf-8")
    table = page.partition("| group | tools |")[2].partition("\n\n")[0]
    groups = dict(re.findall(r"^\| `(\w+)` \| (.+) \|$", table, re.M))
    assert set(groups) == set(GROUPS) - {"all"}
    for group in ("evidence", "library", "specs", "searches"):
        assert tuple(re.findall(r"\b[a-z]+(?:_[a-z]+)+\b|\b(?:suggest|decide)\b", groups[group])) == GROUPS[group]
    rows = re.findall(r"^\| (`.+`) \|", page.partition("| `paper://{paper_id}/...` |")[2].partition("\n\n")[0], re.M)
    named = [f"paper://{{paper_id}}/{name}" for row in rows for name in re.findall(r"`([^`]+)`", row)]
    assert sorted(named) == sorted(template.uri_template for template in PaperResources.templates)


def test_every_query_of_the_search_page_is_answered() -> None:
    table = (ROOT / "docs" / "search.md").read_text(encoding="utf-8").partition("| you type |")[2].partition("\n\n")[0]
    queries = [query for row in re.findall(r"^\| (`.+?) \|", table, re.M) for query in re.findall(r"`([^`]+)`", row)]
    assert len(queries) > 20
    for query in queries:
        assert tools.search_papers(query).total >= 0


@pytest.mark.parametrize("number", [0, 1])
def test_the_examples_of_the_library_run(library: Path, number: int) -> None:
    examples = re.findall(r"^```python\n(.+?)^```", (ROOT / "docs" / "paper-search.md").read_text(), re.M | re.DOTALL)
    assert len(examples) == 2
    run(["-c", f"import asyncio\n{examples[number]}"], PAPERSITE_SNAPSHOT=str(library))


def test_the_example_of_a_settings_file_is_read(tmp_path: Path) -> None:
    (example,) = re.findall(r"^```toml\n(.+?)^```", (ROOT / "docs" / "settings.md").read_text(), re.M | re.DOTALL)
    (tmp_path / "papersite.toml").write_text(example)
    listed = run(["-m", "papersite", "--data", str(tmp_path), "settings"])
    assert "papers.example.org,127.0.0.1" in listed
    assert str(tmp_path / "library" / "paper_snapshot.db") in listed


def run(arguments: list[str], **variables: str) -> str:
    """What Python prints, in a process with these variables and no others of ours."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PAPERSITE_", "PAPER_SEARCH_"))}
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env=kept | variables,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def is_command(name: str) -> bool:
    """Whether `papersite --help` lists this command."""
    return re.search(rf"^    {name}(?: |$)", parser().format_help(), re.MULTILINE) is not None


def is_ours(name: str) -> bool:
    """Whether a dotted name is a module, or a name that occurs in the module before it."""
    module, _, attribute = name.rpartition(".")
    path = ROOT / name.replace(".", "/")
    if path.is_dir() or path.with_suffix(".py").is_file():
        return True
    source = ROOT / module.replace(".", "/")
    file = source / "__init__.py" if source.is_dir() else source.with_suffix(".py")
    return file.is_file() and re.search(rf"\b{attribute}\b", file.read_text(encoding="utf-8")) is not None


@cache
def make_targets() -> set[str]:
    return set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
