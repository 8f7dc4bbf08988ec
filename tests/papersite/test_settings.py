"""Settings come from the environment, are documented, and fail loudly on nonsense."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
READ = re.compile(r'"(PAPERSITE_[A-Z_]+)"')


def run(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """manage.py in a process of its own, with these variables and no others of ours."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PAPERSITE_")}
    command = [sys.executable, "manage.py", *arguments]
    return subprocess.run(
        command, cwd=ROOT, env=environment | variables, capture_output=True, text=True, timeout=60, check=False
    )


def test_every_variable_that_is_read_is_documented() -> None:
    sources = [*(ROOT / "papersite").glob("*.py"), ROOT / "gunicorn.conf.py"]
    read = {name for path in sources for name in READ.findall(path.read_text())}
    documented = set(re.findall(r"`(PAPERSITE_[A-Z_]+)`", (ROOT / "docs" / "settings.md").read_text()))
    assert "PAPERSITE_SNAPSHOT" in read
    assert read == documented


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PAPERSITE_DEBUG", "maybe"),
        ("PAPERSITE_SNAPSHOT", "https://example.org/x.db"),
        ("PAPERSITE_ASSETS", "ftp://example.org/static"),
        ("PAPERSITE_DATABASE_URL", "mysql://localhost/x"),
        ("PAPERSITE_ALLOWED_ORIGINS", "example.org"),
        ("PAPERSITE_ALLOWED_ORIGINS", "http://user@example.org"),
    ],
)
def test_nonsense_is_refused_and_named(name: str, value: str) -> None:
    result = run("check", **{name: value})
    assert result.returncode != 0
    assert name in result.stderr


def test_production_settings_leave_the_deployment_check_silent(library: Path, tmp_path: Path) -> None:
    result = run(
        "check",
        "--deploy",
        "--fail-level=DEBUG",
        PAPERSITE_DATA=str(tmp_path),
        PAPERSITE_SNAPSHOT=str(library),
        PAPERSITE_SECRET_KEY="k" * 20 + "0123456789abcdefghijklmnopqrstuvwxyz",
        PAPERSITE_ALLOWED_HOSTS="papers.example.org",
        PAPERSITE_HTTPS="on",
    )
    assert (result.returncode, result.stdout.strip()) == (0, "System check identified no issues (0 silenced).")


def test_a_missing_secret_key_is_told_for_production(library: Path, tmp_path: Path) -> None:
    result = run(
        "check", "--deploy", PAPERSITE_DATA=str(tmp_path), PAPERSITE_SNAPSHOT=str(library), PAPERSITE_HTTPS="on"
    )
    assert result.returncode != 0
    assert "papersite.E001" in result.stderr
