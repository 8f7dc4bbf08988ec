"""The plugin for coding agents: its manifests are what agents read, and every command in its skill runs."""

import json
import re
import shlex
import subprocess
from pathlib import Path

import pytest
from django.core.management import CommandError

from papersite.command.commands import call_command
from tests.server import environment, manage


@pytest.fixture
def plugin(tmp_path: Path, library: Path) -> Path:
    done = manage(tmp_path, "mcp_config", "--client", "codex", "--plugin", str(tmp_path / "plugin"), PAPERSITE_SNAPSHOT=str(library))  # fmt: skip  # noqa: E501
    assert done.returncode == 0, done.stderr
    return tmp_path / "plugin"


def answered(command: str, data: Path) -> str:
    """What the command prints, started from another folder with an environment that knows nothing."""
    words = shlex.split(command)
    done = subprocess.run(
        words, cwd=data, env=environment(data), capture_output=True, text=True, timeout=180, check=False
    )
    assert done.returncode == 0, f"{command}\n{done.stderr[-2000:]}"
    return done.stdout


def test_every_command_of_the_skill_runs(plugin: Path, tmp_path: Path) -> None:
    assert manage(tmp_path, "migrate").returncode == 0
    skill = (plugin / "skills/papersite/SKILL.md").read_text()
    commands = re.findall(r"^ {4,}(\S.* call .*)$", skill, re.MULTILINE)
    assert len(commands) == 13
    known = {"SENTENCE": "The Transformer is based on attention."}
    for command in commands:
        filled = re.sub(r"\b(ADDRESS|QUOTE|SENTENCE|PAPER_ID|SESSION)\b", lambda found: known[found[1]], command)
        text = answered(filled, tmp_path)
        if command.endswith("format=bibtex"):
            assert "@inproceedings{vaswani2017attention" in json.loads(text)["text"]
            continue
        answer = json.loads(text)
        if found := (answer.get("passages") or answer.get("papers")):
            known.setdefault("ADDRESS", str(found[0].get("address", "")))
            known["PAPER_ID"] = found[0]["paper_id"]
        if "markdown" in answer:
            known["QUOTE"] = answer["markdown"]
        if "claims" in answer:
            assert answer["claims"][0]["verdict"] != "no_text"
        if "session_id" in answer:
            known["SESSION"] = answer["session_id"]
            papers = ((answer.get("checkpoint") or {}).get("payload") or {}).get("papers")
            known["PAPER_ID"] = papers[0]["id"] if papers else known["PAPER_ID"]
    assert set(known) == {"ADDRESS", "PAPER_ID", "QUOTE", "SENTENCE", "SESSION"}


def test_an_agent_reads_little_before_it_uses_the_skill(plugin: Path) -> None:
    head = (plugin / "skills/papersite/SKILL.md").read_text().split("---")[1]
    fields = dict(line.split(": ", 1) for line in head.strip().splitlines())
    assert set(fields) == {"name", "description"}
    # A token is at least three characters of English, and a word at most a token and a half.
    assert len(fields["description"].split()) * 1.5 < 100
    assert len(fields["description"]) <= 1024


def test_the_manifests_name_what_is_there(plugin: Path) -> None:
    codex, claude, market, servers = (
        json.loads((plugin / name).read_text())
        for name in (
            ".codex-plugin/plugin.json",
            ".claude-plugin/plugin.json",
            ".claude-plugin/marketplace.json",
            ".mcp.json",
        )
    )
    assert codex["name"] == claude["name"] == market["plugins"][0]["name"] == "papersite"
    assert (plugin / codex["skills"]).is_dir()
    assert (plugin / codex["mcpServers"]).is_file()
    assert (plugin / market["plugins"][0]["source"]).resolve() == plugin
    command = servers["mcpServers"]["papers"]
    assert Path(command["command"]).is_file()
    assert command["args"][-1] == "papers"


def test_other_clients_have_no_plugins(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="claude-code and codex"):
        call_command("mcp_config", "--client", "vscode", "--plugin", str(tmp_path / "plugin"))
    assert not (tmp_path / "plugin").exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nothing"], "no tool nothing"),
        (["get_paper_metadata", "paper=1"], "takes no"),
        (["search_papers", "query=x", "limit=many"], "as JSON"),
        (["get_paper_metadata", "paper_id=absent"], "paper_not_found"),
        (["search_papers", "query=x", "limit=100000"], "limit"),
    ],
)
def test_a_wrong_call_says_what_is_wrong(words: list[str], said: str) -> None:
    with pytest.raises(CommandError, match=said):
        call_command("call", *words)


def test_without_a_name_the_tools_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("call")
    assert "search_passages(query" in capsys.readouterr().out
