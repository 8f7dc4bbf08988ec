"""mcp_config: what it prints is what the client's own format takes, and what it names works."""

import json
import os
import shlex
import subprocess
import sys
import tomllib
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError
from pytest_django import Settings

from mcpapi.clients import CLIENTS
from papersite.command.commands import call_command
from tests.mcpapi.clients import ROOT

GROUPS = {"claude-desktop": "mcpServers", "cursor": "mcpServers", "vscode": "servers", "gemini": "mcpServers"}


def printed(client: str, *options: str) -> str:
    out = StringIO()
    call_command("mcp_config", "--client", client, *options, stdout=out, stderr=StringIO())
    return out.getvalue()


def entry(client: str, *options: str, server: str = "papers") -> dict[str, object]:
    """The server's entry in the client's settings, read back with the format's own parser."""
    text = printed(client, *options)
    if client == "codex":
        found = tomllib.loads(text)["mcp_servers"][server]
    else:
        found = json.loads(text)[GROUPS[client]][server]
    assert isinstance(found, dict)
    return found


def test_claude_code_is_told_by_a_command() -> None:
    assert shlex.split(printed("claude-code", "--site", "https://papers.example/")) == [
        *("claude", "mcp", "add", "--transport", "http", "papers", "https://papers.example/mcp"),
    ]


@pytest.mark.parametrize(
    ("client", "expected"),
    [
        ("claude-desktop", {"command": "npx", "args": ["-y", "mcp-remote", "http://127.0.0.1:8000/mcp"]}),
        ("cursor", {"url": "http://127.0.0.1:8000/mcp"}),
        ("vscode", {"type": "http", "url": "http://127.0.0.1:8000/mcp"}),
        ("codex", {"url": "http://127.0.0.1:8000/mcp"}),
        ("gemini", {"httpUrl": "http://127.0.0.1:8000/mcp"}),
    ],
)
def test_each_client_gets_the_url_in_its_own_words(
    client: str, expected: dict[str, object], settings: Settings, tmp_path: Path
) -> None:
    settings.DATA = tmp_path  # where no site was started yet
    assert entry(client) == expected


@pytest.mark.parametrize("client", sorted(CLIENTS))
def test_a_required_token_has_its_place(client: str, settings: Settings) -> None:
    settings.MCP_AUTH = "required"
    assert ("PAPERSITE_TOKEN" if client == "codex" else "Bearer YOUR-TOKEN") in printed(client)


@pytest.mark.parametrize("client", sorted(CLIENTS))
def test_stdio_names_this_python_and_passes_the_library_on_but_no_secret(
    client: str, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    settings.SNAPSHOT = Path("/srv/with space/paper_snapshot.db")
    monkeypatch.setenv("PAPERSITE_SNAPSHOT", str(settings.SNAPSHOT))
    monkeypatch.setenv("PAPERSITE_SECRET_KEY", "hush")
    command = [sys.executable, str(ROOT / "manage.py"), "mcp_stdio", "papers"]
    text = printed(client, "--stdio")
    assert "hush" not in text
    if client == "claude-code":
        words = shlex.split(text)
        assert words[words.index("--") + 1 :] == command
        assert "PAPERSITE_SNAPSHOT=/srv/with space/paper_snapshot.db" in words
        return
    found = entry(client, "--stdio")
    assert [found["command"], *found["args"]] == command  # type: ignore[misc]  # parsed JSON
    assert found["env"] == {"PAPERSITE_SNAPSHOT": "/srv/with space/paper_snapshot.db"}


def test_stdio_gets_absolute_paths_whatever_folder_the_settings_were_given_in(tmp_path: Path) -> None:
    given = {
        "PAPERSITE_DATA": "data",
        "PAPERSITE_SNAPSHOT": "library/paper_snapshot.db",
        "PAPERSITE_ASSETS": "library/static",
        "PAPERSITE_SEARCH_MODEL": "./model",
        "PAPERSITE_SPECS": "home=specs,kitchen=other",
        "PAPERSITE_SEARCHES": "no",
    }
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PAPERSITE_")}
    command = [sys.executable, str(ROOT / "manage.py"), "mcp_config", "--client", "cursor", "--stdio"]
    result = subprocess.run(
        command, cwd=tmp_path, env=kept | given, capture_output=True, text=True, timeout=60, check=True
    )
    assert json.loads(result.stdout)["mcpServers"]["papers"]["env"] == {
        "PAPERSITE_DATA": str(tmp_path / "data"),
        "PAPERSITE_SNAPSHOT": str(tmp_path / "library" / "paper_snapshot.db"),
        "PAPERSITE_ASSETS": str(tmp_path / "library" / "static"),
        "PAPERSITE_SEARCH_MODEL": str(tmp_path / "model"),
        "PAPERSITE_SPECS": f"home={tmp_path / 'specs'},kitchen={tmp_path / 'other'}",
        "PAPERSITE_SEARCHES": "off",
    }


def test_the_hint_goes_to_stderr_so_that_the_rest_can_be_piped() -> None:
    out, err = StringIO(), StringIO()
    call_command("mcp_config", "--client", "cursor", stdout=out, stderr=err)
    assert json.loads(out.getvalue())["mcpServers"]["papers"]
    assert "~/.cursor/mcp.json" in err.getvalue()


def test_a_custom_connector_is_one_address() -> None:
    assert printed("connector", "--site", "https://papers.example/") == "https://papers.example/mcp/connector\n"
    with pytest.raises(CommandError, match="leave out --stdio"):
        printed("connector", "--stdio")
