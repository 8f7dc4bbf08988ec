"""`manage.py demo` and `serve`, as real processes."""

import re
import shutil
import socket
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import httpx
import pytest
from django.core.management import CommandError

from papercore.health import Part
from papers.health import snapshot_part
from papersite.command.service import snapshot_warnings
from papersite.data.folder import write_state
from papersite.server.serving import parse_bind
from tests.mcpapi.clients import ERAS, connect_stdio
from tests.server import ROOT, environment, manage

# Questions over the demo, and words that an answer to each has.
ANSWERED = {
    "What mass did the Higgs boson have?": "126 GeV",
    "Do people weigh losses more than gains?": "losses weigh more than gains",
    "Which consistency does Dynamo give up, and what does it do about conflicts?": "conflict",
    "How many students did better on the quiz about Raft than about Paxos?": "33",
}


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder in which the demo library has been built."""
    folder = tmp_path_factory.mktemp("data")
    result = manage(folder, "demo", "--no-serve")
    assert result.returncode == 0, result.stderr
    return folder


@pytest.fixture
def taken_port() -> Iterator[int]:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        yield listener.getsockname()[1]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def test_the_demo_library_is_whole_and_built_once(data: Path) -> None:
    snapshot = data / "demo" / "paper_snapshot.db"
    built = snapshot.stat().st_mtime_ns
    check = manage(data, "check_snapshot")
    assert check.returncode == 0, check.stdout + check.stderr
    assert manage(data, "demo", "--no-serve").returncode == 0
    assert snapshot.stat().st_mtime_ns == built


def test_papers_that_were_added_to_the_demo_library_stay_when_its_inputs_change(data: Path, tmp_path: Path) -> None:
    own = shutil.copytree(data, tmp_path / "data")
    added = tmp_path / "mine.bib"
    added.write_text("@article{mine, title={A paper of my own}, author={Me, Myself}, year={2026}}", encoding="utf-8")
    result = manage(own, "add_papers", str(added), "--library", str(own / "demo"))
    assert result.returncode == 0, result.stderr
    mark = own / "demo-built-from"
    mark.write_text(mark.read_text().replace(mark.read_text()[:8], "other---", 1))
    assert manage(own, "demo", "--no-serve").returncode == 0
    with closing(sqlite3.connect(own / "demo" / "paper_snapshot.db")) as connection:
        titles = [title for (title,) in connection.execute("SELECT title FROM paper WHERE year = '2026'")]
    assert titles == ["A paper of my own"]


def test_the_demo_serves_from_any_folder_and_says_where_and_how_to_connect(data: Path, tmp_path: Path) -> None:
    write_state(data, prepared="")  # so that it is prepared again, in a process of its own
    port = free_port()
    command = [sys.executable, str(ROOT / "manage.py"), "demo", "--bind", f"127.0.0.1:{port}"]
    settings = environment(data, PAPERSITE_SECRET_KEY="", PYTHONPATH="")
    process = subprocess.Popen(command, cwd=tmp_path, env=settings, stdout=subprocess.PIPE, text=True)
    try:
        printed = lines_until_served(process)
        assert httpx.get(f"http://127.0.0.1:{port}/healthz", trust_env=False, timeout=20).status_code == 200
        assert found_by_an_agent(f"http://127.0.0.1:{port}/mcp", "attention") > 0
        (link,) = re.findall(rf"http://127\.0\.0\.1:{port}/enter/\S+", printed)
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", trust_env=False, timeout=20) as browser:
            assert browser.get("/library/add/").status_code == 302
            assert browser.get(link).status_code == 302
            assert browser.get("/library/add/").status_code == 200
            assert httpx.get(link, trust_env=False, timeout=20).status_code == 403
    finally:
        process.terminate()
        process.communicate(timeout=60)
    assert re.search(rf"served on http://127.0.0.1:{port}/ ", printed)
    assert f"claude mcp add --transport http papersite http://127.0.0.1:{port}/mcp" in printed
    assert list(tmp_path.iterdir()) == []
    assert stat.S_IMODE((data / "secret-key").stat().st_mode) == 0o600


@pytest.mark.parametrize("era", ERAS)
def test_the_official_client_answers_questions_over_the_demo_with_verified_quotes(data: Path, era: str) -> None:
    """As the instructions lead an agent, without a model: what answers is a sentence of the library, found there."""
    library = data / "demo"
    places = {"PAPERSITE_SNAPSHOT": str(library / "paper_snapshot.db"), "PAPERSITE_ASSETS": str(library / "static")}
    with connect_stdio(era, PAPERSITE_DATA=str(data), **places) as client:
        for question, words in ANSWERED.items():
            hits = client.call("search_passages", query=question, limit=5).payload["passages"]
            hit = next(hit for hit in hits if words in hit["quote"])
            passage = client.call("get_passage", address=hit["address"], before=0, after=0).payload
            sentence = next(part for part in passage["markdown"].split(". ") if words in part)
            quotes = [{"quote": f"“{sentence}”", "where": hit["address"]}, {"quote": f"{sentence} or not"}]
            checked = client.call("verify_quotes", quotes=quotes).payload["quotes"]
            # The demo's texts are reading editions.
            assert [quote["verdict"] for quote in checked] == ["not_authors_words", "near_miss"]
            assert checked[0]["place"]["address"] == hit["address"]
            assert client.read(f"paper://{hit['paper_id']}/outline")[0] == "application/json"


def found_by_an_agent(address: str, query: str) -> int:
    call = {"name": "search_papers", "arguments": {"query": query}}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
    answer = httpx.post(address, json=message, trust_env=False, timeout=20)
    return int(answer.json()["result"]["structuredContent"]["total"])


def lines_until_served(process: subprocess.Popen[str]) -> str:
    """What is printed until the site has said where it is: from then on the first request is answered."""
    assert process.stdout is not None
    printed = ""
    for line in process.stdout:
        printed += line
        if "/connect/" in line:
            return printed
    raise AssertionError(f"the server did not come up: {printed}")


def test_a_snapshot_is_said_to_be_missing_only_if_nothing_can_be_served(own_library: Path) -> None:
    assert snapshot_warnings(snapshot_part()) == []
    junk = own_library.with_name("junk.db")
    junk.write_bytes(b"junk" * 1000)
    junk.replace(own_library)
    (degraded,) = snapshot_warnings(snapshot_part())
    assert degraded.startswith(f"PAPERSITE_SNAPSHOT={own_library}: The last good one is served.")
    found, without_papers = snapshot_warnings(Part("snapshot", "missing", "The file is damaged."))
    assert found == f"PAPERSITE_SNAPSHOT={own_library}: The file is damaged."
    assert "without papers" in without_papers


def test_a_wrong_snapshot_is_said_with_its_path_before_the_site_is_served(data: Path) -> None:
    command = [sys.executable, "manage.py", "serve", "--bind", f"127.0.0.1:{free_port()}"]
    wrong = environment(data, PAPERSITE_SNAPSHOT=str(data / "nowhere" / "paper_snapshot.db"), WEB_CONCURRENCY="1")
    process = subprocess.Popen(
        command, cwd=ROOT, env=wrong, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    try:
        printed = lines_until_served(process)
    finally:
        process.terminate()
        process.communicate(timeout=60)
    assert f"PAPERSITE_SNAPSHOT={data}/nowhere/paper_snapshot.db: The snapshot file is missing" in printed


def test_the_doctor_names_the_path_of_a_wrong_snapshot_and_the_probe_does_not(data: Path) -> None:
    missing = data / "nowhere" / "paper_snapshot.db"
    result = manage(data, "doctor", PAPERSITE_SNAPSHOT=str(missing))
    assert result.returncode == 1
    assert re.search(rf"^MISSING +snapshot .*\({re.escape(str(missing))}\)$", result.stdout, re.MULTILINE)
    script = "from django.test import Client; print(Client(HTTP_HOST='localhost').get('/readyz').content.decode())"
    probe = manage(data, "shell", "--no-imports", "-c", script, PAPERSITE_SNAPSHOT=str(missing))
    assert '"snapshot": {"state": "missing"' in probe.stdout
    assert str(data) not in probe.stdout


def test_a_wrong_number_of_workers_is_one_line(data: Path) -> None:
    result = manage(data, "serve", "--bind", f"127.0.0.1:{free_port()}", WEB_CONCURRENCY="many")
    assert (result.returncode, result.stderr.count("\n")) == (1, 1)
    assert "WEB_CONCURRENCY must be a whole number" in result.stderr


def test_a_taken_port_is_said_in_one_line_with_what_to_do(tmp_path: Path, taken_port: int) -> None:
    result = manage(tmp_path, "demo", "--bind", f"127.0.0.1:{taken_port}")
    assert result.returncode == 1
    assert result.stderr.strip().count("\n") == 0
    assert f"make run BIND=127.0.0.1:{taken_port + 1}" in result.stderr


@pytest.mark.parametrize("bind", ["8000", "127.0.0.1:http", "127.0.0.1:99999"])
def test_an_odd_address_is_refused(bind: str) -> None:
    with pytest.raises(CommandError, match="HOST:PORT"):
        parse_bind(bind)


def test_serving_needs_a_secret_key(data: Path) -> None:
    result = manage(data, "serve", "--bind", f"127.0.0.1:{free_port()}", PAPERSITE_SECRET_KEY="")
    assert result.returncode == 1
    assert "PAPERSITE_SECRET_KEY" in result.stderr
