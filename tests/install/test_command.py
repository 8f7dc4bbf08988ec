"""The installed command in an empty folder with an empty home: what it does, says and refuses."""

import json
import re
import socket
import subprocess
from pathlib import Path

import httpx
import pytest

from papersite.data import folder as data_folder
from tests.install.processes import environment, run, run_on_terminal
from tests.papersite.test_commands import found_by_an_agent, free_port, lines_until_served


@pytest.fixture(scope="module")
def command(installed: Path) -> Path:
    return installed / "papersite"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory, command: Path) -> Path:
    """A home in which papersite was started once, served, and was stopped."""
    folder = tmp_path_factory.mktemp("home")
    printed, said = start_and_stop(command, folder)
    assert "served on http://" in printed
    assert "First start" in said
    return folder


def start_and_stop(command: Path, home: Path, *arguments: str) -> tuple[str, str]:
    """Start it, look at a page and ask as an agent, stop it; what it printed on stdout and on stderr."""
    port = free_port()
    process = subprocess.Popen(
        [str(command), *arguments, "--bind", f"127.0.0.1:{port}"],
        cwd=home,
        env=environment(home),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        printed = lines_until_served(process)
        page = httpx.get(f"http://127.0.0.1:{port}/papers/?q=attention", trust_env=False, timeout=60)
        assert (page.status_code, "Attention" in page.text) == (200, True)
        assert found_by_an_agent(f"http://127.0.0.1:{port}/mcp", "attention") > 0
    finally:
        process.terminate()
        rest, said = process.communicate(timeout=60)
    return printed + rest, said


def test_state_is_in_the_users_data_folder_and_nothing_is_left_elsewhere(home: Path) -> None:
    folder = home / ".local" / "share" / "papersite"
    assert data_folder.read_state(folder)
    assert (folder / "secret-key").stat().st_mode & 0o077 == 0
    assert [path.name for path in home.iterdir() if path.name not in (".local", ".cache")] == []


def test_the_second_start_prepares_nothing(command: Path, home: Path) -> None:
    snapshot = home / ".local" / "share" / "papersite" / "demo" / "paper_snapshot.db"
    built = snapshot.stat().st_mtime_ns
    _, said = start_and_stop(command, home)
    assert "Reading" not in said
    assert "prepar" not in said
    assert snapshot.stat().st_mtime_ns == built


def test_results_alone_are_on_stdout_and_lines_are_plain(command: Path, home: Path) -> None:
    listed = run(command, home, "settings", PAPERSITE_DATABASE_URL="postgresql://reader:hush@db/papers")
    assert (listed.returncode, listed.stderr) == (0, "")
    assert re.search(r"^PAPERSITE_DATABASE_URL +postgresql://\*+@db:5432/papers +environment$", listed.stdout, re.M)
    assert re.search(r"^PAPERSITE_SNAPSHOT .*demo/paper_snapshot.db +default$", listed.stdout, re.M)
    assert "hush" not in listed.stdout
    connect = run(command, home, "connect", "cursor", "--stdio")
    entry = json.loads(connect.stdout)["mcpServers"]["papers"]
    assert entry["args"] == ["-m", "papersite", "mcp", "papers"]
    assert "mcp.json" in connect.stderr
    doctor = run(command, home, "doctor")
    assert (doctor.returncode, "\x1b" in doctor.stdout + doctor.stderr) == (0, False)


def test_errors_are_in_colour_on_a_terminal_unless_asked_otherwise(command: Path, home: Path) -> None:
    code, seen = run_on_terminal(command, home, "settings", PAPERSITE_DEBUG="maybe")
    assert (code, "\x1b[31mpapersite:\x1b[0m PAPERSITE_DEBUG must be on or off" in seen) == (1, True)
    assert "\x1b" not in run_on_terminal(command, home, "settings", PAPERSITE_DEBUG="maybe", NO_COLOR="1")[1]


def test_help_is_whole_on_a_terminal_and_wrong_arguments_exit_with_2(command: Path, home: Path) -> None:
    code, seen = run_on_terminal(command, home, "--help")
    assert code == 0
    words = ("add", "serve", "mcp", "connect", "doctor", "upgrade-check", "settings", "bundle", "completion", "manage")
    assert [word for word in words if word not in seen] == []
    assert run(command, home, "nonsense").returncode == 2


@pytest.mark.parametrize(
    ("arguments", "settings", "said"),
    [
        (["--data", "/proc/nowhere"], {}, "The data folder /proc/nowhere cannot be written"),
        (["--config", "missing.toml", "settings"], {}, "cannot be read: No such file or directory"),
        (["--bind", "nonsense"], {}, "--bind takes HOST:PORT"),
        (["serve", "--bind", "127.0.0.1:1"], {}, "PAPERSITE_SECRET_KEY is not set"),
        ([], {"PAPERSITE_SNAPSHOT": "http://example.org"}, "PAPERSITE_SNAPSHOT must be a path"),
        (["settings"], {"PAPERSITE_SEARCH_ENGINE": "lucene"}, "PAPERSITE_SEARCH_ENGINE must be one of"),
        (["manage", "nonsense"], {}, "Unknown command: 'nonsense'"),
        (["add", "nowhere.bib"], {}, "papersite: nowhere.bib is neither a file or folder nor a DOI"),
        ([], {"WEB_CONCURRENCY": "0"}, "WEB_CONCURRENCY must be 1 or more"),
    ],
)
def test_what_cannot_be_is_one_line(
    command: Path, home: Path, arguments: list[str], settings: dict[str, str], said: str
) -> None:
    result = run(command, home, *arguments, **settings)
    assert (result.returncode, result.stdout) == (1, "")
    assert said in result.stderr
    assert result.stderr.count("\n") <= 2


def test_a_taken_port_is_answered_with_a_free_one(command: Path, home: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        result = run(command, home, "--bind", f"127.0.0.1:{port}")
    assert result.returncode == 1
    assert re.search(rf"Cannot serve on 127.0.0.1:{port} .*--bind 127.0.0.1:\d+", result.stderr)


def test_settings_come_from_a_file_and_the_environment_comes_first(command: Path, home: Path, tmp_path: Path) -> None:
    file = tmp_path / "papersite.toml"
    file.write_text('https = true\nallowed_hosts = ["a.org", "b.org"]\nsnapshot = "library/paper_snapshot.db"\n')
    listed = run(command, home, "--config", str(file), "settings", PAPERSITE_HTTPS="off").stdout
    assert re.search(r"^PAPERSITE_HTTPS +off +environment$", listed, re.M)
    assert re.search(rf"^PAPERSITE_ALLOWED_HOSTS +a.org,b.org +{re.escape(str(file))}$", listed, re.M)
    assert str(tmp_path / "library" / "paper_snapshot.db") in listed


def test_a_mistyped_setting_in_the_file_is_refused(command: Path, home: Path, tmp_path: Path) -> None:
    (tmp_path / "papersite.toml").write_text('snapshoot = "x.db"\n')
    result = run(command, home, "settings", "--data", str(tmp_path))
    assert result.returncode == 1
    assert "there is no setting 'snapshoot'. Did you mean snapshot?" in result.stderr


def test_data_of_a_newer_version_is_refused_with_what_to_do(command: Path, home: Path, tmp_path: Path) -> None:
    state = {"format": data_folder.FORMAT + 1, "version": "9.1.0", "prepared": ""}
    (tmp_path / data_folder.STATE).write_text(json.dumps(state))
    for arguments in ([], ["upgrade-check"], ["mcp"]):
        result = run(command, home, *arguments, "--data", str(tmp_path))
        assert (result.returncode, result.stdout) == (1, "")
        assert "written by papersite 9.1.0" in result.stderr
        assert "--data FOLDER" in result.stderr


def test_an_upgrade_check_of_an_empty_folder_changes_nothing(command: Path, home: Path, tmp_path: Path) -> None:
    result = run(command, home, "upgrade-check", "--data", str(tmp_path / "new"))
    assert (result.returncode, result.stderr) == (0, "")
    assert "The first start makes the database" in result.stdout
    assert list((tmp_path / "new").iterdir()) == []


def test_the_shell_completes_commands_and_clients(command: Path, home: Path) -> None:
    script = run(command, home, "completion", "bash").stdout
    asked = 'COMP_WORDS=(papersite {}); COMP_CWORD={}; _papersite; echo "${{COMPREPLY[@]}}"'
    lines = [asked.format("up", 1), asked.format("connect vs", 2), asked.format("serve --b", 2)]
    result = subprocess.run(["bash", "-c", script + "\n".join(lines)], capture_output=True, text=True, check=True)
    assert result.stdout.split("\n")[:3] == ["upgrade-check", "vscode", "--bind"]


def test_added_papers_replace_the_demo_and_later_ones_are_added_to_them(
    command: Path, home: Path, tmp_path: Path
) -> None:
    for number, title in enumerate(("Sleep and Light", "Tides in Harbours")):
        bib = tmp_path / f"{number}.bib"
        bib.write_text(f"@article{{key{number}, title={{{title}}}, author={{Adams, Ann}}, year={{202{number}}}}}\n")
        result = run(command, home, "add", str(bib), "--data", str(tmp_path / "data"))
        assert result.returncode == 0, result.stderr
        assert ("instead of the demo" in result.stderr) == (number == 0)
    listed = run(command, home, "settings", "--data", str(tmp_path / "data")).stdout
    assert re.search(r"^PAPERSITE_SNAPSHOT .*data/library/paper_snapshot.db +default$", listed, re.M)
    checked = run(command, home, "--data", str(tmp_path / "data"), "manage", "check_snapshot")
    assert re.search(r"^papers +2$", checked.stdout, re.M), checked.stderr
