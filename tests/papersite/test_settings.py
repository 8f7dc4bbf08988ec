"""Settings come from the environment, are documented, and fail loudly on nonsense."""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from papersite import environment

ROOT = Path(__file__).resolve().parents[2]
READ = re.compile(r'"(PAPERSITE_[A-Z_]+)"')


def run(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """manage.py in a process of its own, with these variables and no others of ours."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PAPERSITE_")}
    command = [sys.executable, "manage.py", *arguments]
    return subprocess.run(
        command, cwd=ROOT, env=kept | variables, capture_output=True, text=True, timeout=60, check=False
    )


def test_every_variable_that_is_read_is_documented() -> None:
    sources = [*(ROOT / "papersite").glob("*.py"), ROOT / "gunicorn.conf.py"]
    read = {name for path in sources for name in READ.findall(path.read_text())}
    documented = set(re.findall(r"`(PAPERSITE_[A-Z_]+)`", (ROOT / "docs" / "settings.md").read_text()))
    assert "PAPERSITE_SNAPSHOT" in read
    assert read == documented


@pytest.mark.parametrize(
    ("read", "value"),
    [
        (environment.flag, "maybe"),
        (lambda name: environment.path(name, ROOT), "https://example.org/x.db"),
        (lambda name: environment.folder_or_url(name, ROOT), "ftp://example.org/static"),
        (lambda name: environment.folder_or_url(name, ROOT), "http://example.org/static?key=1"),
        (lambda name: environment.database(name, ROOT), "mysql://localhost/x"),
        (environment.origins, "example.org"),
        (environment.origins, "http://user@example.org"),
        (lambda name: environment.choice(name, ("off", "required")), "sometimes"),
    ],
)
def test_nonsense_is_refused_and_named(
    monkeypatch: pytest.MonkeyPatch, read: Callable[[str], object], value: str
) -> None:
    monkeypatch.setenv("PAPERSITE_X", value)
    with pytest.raises(ImproperlyConfigured, match="PAPERSITE_X"):
        read("PAPERSITE_X")


@pytest.mark.parametrize(
    ("read", "value", "expected"),
    [
        (environment.flag, "Yes", True),
        (environment.flag, "", False),
        (environment.words, " a, b ,,", ["a", "b"]),
        (
            lambda name: environment.folder_or_url(name, ROOT),
            "http://assets.internal/static/",
            "http://assets.internal/static",
        ),
        (lambda name: environment.folder_or_url(name, ROOT), "", str(ROOT)),
        (environment.origins, "https://a.org,http://localhost:*,null", ["https://a.org", "http://localhost:*", "null"]),
        (lambda name: environment.choice(name, ("off", "required")), "", "off"),
    ],
)
def test_good_values_are_read(
    monkeypatch: pytest.MonkeyPatch, read: Callable[[str], object], value: str, expected: object
) -> None:
    monkeypatch.setenv("PAPERSITE_X", value)
    assert read("PAPERSITE_X") == expected


def test_a_database_url_becomes_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAPERSITE_X", "postgresql://us%40er:p%2Fw@db.internal:5433/papers?sslmode=require")
    found = environment.database("PAPERSITE_X", ROOT)
    assert (found["NAME"], found["USER"], found["PASSWORD"]) == ("papers", "us@er", "p/w")
    options = {"connect_timeout": "3", "sslmode": "require"}
    assert (found["HOST"], found["PORT"], found["OPTIONS"]) == ("db.internal", "5433", options)


def test_a_wrong_value_stops_the_start() -> None:
    result = run("check", PAPERSITE_DEBUG="maybe")
    assert result.returncode != 0
    assert "PAPERSITE_DEBUG must be on or off" in result.stderr


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
