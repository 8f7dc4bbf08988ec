"""A page is sent again whenever anything that it is made of has changed."""

from pathlib import Path

import pytest
from pytest_django import Settings

from papers.pages import caching

FILES = ["papers/pages/search.py", "papercore/text.py", "specs/core.py", "templates/base.html", "templates/feed.xml"]


@pytest.fixture
def checkout(tmp_path: Path, settings: Settings) -> Path:
    for name in [*FILES, "papers/__init__.py", "papercore/__init__.py", "specs/__init__.py", "library/notes.txt"]:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("before")
    settings.BASE_DIR = tmp_path
    return tmp_path


@pytest.mark.parametrize("name", FILES)
def test_a_change_anywhere_in_the_code_makes_another_version(checkout: Path, name: str) -> None:
    before = caching.code_version.__wrapped__()
    (checkout / name).write_text("after!")
    assert caching.code_version.__wrapped__() != before


def test_files_of_the_same_content_make_the_same_version_whenever_they_were_written(checkout: Path) -> None:
    before = caching.code_version.__wrapped__()
    (checkout / FILES[0]).unlink()
    (checkout / FILES[0]).write_text("before")
    (checkout / "library/notes.txt").write_text("a library is no code")
    assert caching.code_version.__wrapped__() == before


def test_every_package_of_this_project_counts() -> None:
    root = Path(__file__).parents[3]
    covered = {path.relative_to(root).parts[0] for path in caching._code_files(root)}
    packages = {"ingest", "mcpapi", "paper_search", "papercore", "papers", "papersite", "searches", "specs"}
    assert covered == packages | {"templates"}
