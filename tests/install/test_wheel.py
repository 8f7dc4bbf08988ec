"""The wheel holds the product and nothing else, and works without the checkout."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.server import KEY, ROOT

PACKAGES = {"papersite", "mcpapi", "searches", "papers", "specs", "paper_search", "ingest", "papercore"}


@pytest.fixture(scope="session")
def names(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def tracked(*folders: str) -> set[str]:
    listed = subprocess.run(["git", "ls-files", *folders], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("this is no checkout of git")
    return set(listed.stdout.splitlines())


def test_the_wheel_holds_every_file_of_the_packages_and_nothing_else(names: set[str]) -> None:
    mapped = {f"papersite/{name}" for name in tracked("templates", "openspec", "gunicorn.conf.py")}
    product = {name for name in names if ".dist-info/" not in name}
    assert tracked(*PACKAGES) | mapped <= product
    assert {name.partition("/")[0] for name in product} == PACKAGES
    assert [name for name in product if name.endswith((".pyc", ".db")) or "/tests/" in name] == []


@pytest.mark.parametrize("tool", [["check_wheel_contents"], ["twine", "check", "--strict"]])
def test_the_tools_for_wheels_find_nothing(wheel: Path, tool: list[str]) -> None:
    result = subprocess.run(
        [sys.executable, "-m", *tool, str(wheel)], cwd=ROOT, capture_output=True, text=True, timeout=120, check=False
    )
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


def test_the_library_is_used_without_django(installed: Path, tmp_path: Path) -> None:
    script = "import sys, paper_search, paper_search.mcp_server, papercore; print('django' in sys.modules)"
    result = run(tmp_path, str(installed / "python"), "-c", script)
    assert (result.returncode, result.stdout) == (0, "False\n"), result.stderr
