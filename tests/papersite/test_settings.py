"""Settings come from the environment, are documented, and fail loudly on nonsense."""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from papersite.configuration import database_url, environment

ROOT = Path(__file__).resolve().parents[2]
READ = re.compile(r'"(PAPERSITE_[A-Z_]*[A-Z])"')


def run(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """manage.py in a process of its own, with these variables and no others of ours."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PAPERSITE_")}
    command = [sys.executable, "manage.py", *arguments]
    return subprocess.run(
        command, cwd=ROOT, env=kept | variables, capture_output=True, text=True, timeout=60, check=False
    )


def test_every_variable_that_is_read_is_documented() -> None:
    sources = [*(ROOT / "papersite").rglob("*.py"), ROOT / "gunicorn.conf.py"]
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
        (lambda name: database_url.database(name, ROOT), "mysql://localhost/x"),
        (environment.origins, "example.org"),
        (environment.origins, "http://user@example.org"),
        (environment.origins, "http://["),
        (lambda name: environment.choice(name, ("off", "required")), "sometimes"),
        (lambda name: environment.number(name, 1), "-1"),
        (lambda name: environment.number(name, 1), "1" * 5_000),
        (lambda name: environment.path(name, ROOT), "~nobody-of-this-name/library.db"),
        (lambda name: environment.folder_or_url(name, ROOT), "http://[/static"),
        (lambda name: environment.folders(name, ROOT), "home=/srv/specs,kitchen"),
        (lambda name: database_url.database(name, ROOT), "postgresql://user:password@host:port/x"),
        (lambda name: environment.data_folder(name, ROOT), str(Path(__file__))),
        (lambda name: environment.hosts(name, ""), "https://papers.example.org"),
        (lambda name: environment.secret_key(name, False), "k3y" * 16),
        (lambda name: environment.secret_key(name, False), "k" * 60),
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
        (lambda name: environment.hosts(name, ""), "a.org,.b.org,[::1],*", ["a.org", ".b.org", "[::1]", "*"]),
        (lambda name: environment.folders(name, ROOT), "off", ""),
        (lambda name: environment.folders(name, ROOT), "", str(ROOT)),
        (lambda name: environment.folders(name, ROOT), "a=x, b=/y", f"a={Path.cwd() / 'x'},b=/y"),
        (lambda name: environment.secret_key(name, True), "short", "short"),
        (lambda name: environment.secret_key(name, False), "", ""),
        (lambda name: environment.secret_key(name, False), "0123456789" * 5, "0123456789" * 5),
    ],
)
def test_good_values_are_read(
    monkeypatch: pytest.MonkeyPatch, read: Callable[[str], object], value: str, expected: object
) -> None:
    monkeypatch.setenv("PAPERSITE_X", value)
    assert read("PAPERSITE_X") == expected


def test_a_database_url_becomes_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAPERSITE_X", "postgresql://us%40er:p%2Fw@db.internal:5433/papers?sslmode=require")
    found = database_url.database("PAPERSITE_X", ROOT)
    assert (found["NAME"], found["USER"], found["PASSWORD"]) == ("papers", "us@er", "p/w")
    options = {"connect_timeout": "3", "sslmode": "require"}
    assert (found["HOST"], found["PORT"], found["OPTIONS"]) == ("db.internal", "5433", options)


def test_a_wrong_value_stops_the_start_with_one_line() -> None:
    result = run("check", PAPERSITE_DEBUG="maybe")
    assert (result.returncode, result.stderr) == (1, "PAPERSITE_DEBUG must be on or off, not 'maybe'.\n")


def test_a_password_is_not_shown_with_a_wrong_address_of_the_database() -> None:
    result = run("check", PAPERSITE_DATABASE_URL="postgresql://user:hush@host:port/x")
    assert result.returncode == 1
    assert "hush" not in result.stderr


def test_a_short_secret_key_is_refused_except_for_debugging(tmp_path: Path) -> None:
    refused = run("check", PAPERSITE_DATA=str(tmp_path), PAPERSITE_SECRET_KEY="short")
    assert refused.returncode == 1
    assert refused.stderr.startswith("PAPERSITE_SECRET_KEY is too short")
    assert refused.stderr.count("\n") == 1
    assert (
        run("check", PAPERSITE_DATA=str(tmp_path), PAPERSITE_SECRET_KEY="short", PAPERSITE_DEBUG="on").returncode == 0
    )


@pytest.mark.parametrize("command", ["migrate", "check", "doctor", "build_spec_index"])
def test_every_command_makes_the_data_folder(library: Path, tmp_path: Path, command: str) -> None:
    folder = tmp_path / "not" / "yet"
    run(command, PAPERSITE_DATA=str(folder), PAPERSITE_SNAPSHOT=str(library))
    assert folder.is_dir()


def test_a_data_folder_that_cannot_be_made_is_reported(library: Path) -> None:
    result = run("check", PAPERSITE_DATA="/proc/nowhere", PAPERSITE_SNAPSHOT=str(library))
    assert "papersite.W002" in result.stderr
    assert "/proc/nowhere" in result.stderr


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
