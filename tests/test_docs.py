"""What the documentation names exists: files, modules, links, commands."""

import re
from functools import cache
from pathlib import Path

import pytest
from django.core.management import get_commands

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


@pytest.mark.parametrize(("pattern", "known"), [(r"`make ([a-z]+)", "make"), (r"manage\.py ([a-z_]+)", "manage.py")])
def test_every_command_that_is_named_exists(pattern: str, known: str) -> None:
    commands = {"make": make_targets(), "manage.py": set(get_commands())}[known]
    named = texts(re.compile(pattern))
    assert named
    assert [place for place in named if place[1] not in commands] == []


def test_every_page_is_reachable_from_the_readme() -> None:
    reached, todo = set[Path](), [ROOT / "README.md"]
    while todo:
        page = todo.pop()
        links = LINK.findall(page.read_text(encoding="utf-8"))
        pages = {(page.parent / link).resolve() for link in links if link.endswith(".md")} - reached
        reached |= pages
        todo += pages
    assert set((ROOT / "docs").glob("*.md")) - reached == set()


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
    return set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
