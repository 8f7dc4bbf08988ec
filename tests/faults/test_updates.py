"""Updates of a library that are killed, meet each other, or find no room: the library is the old one or the new one."""

import os
import re
import shutil
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path

import pytest

from ingest import BuildError, ChangeSettings, LibraryBusy, undo, update_library
from ingest.publishing.publish import build_folder
from tests.faults.conftest import MakeServer
from tests.faults.disks import filled, small_disk
from tests.ingest.library import build, write_lines
from tests.ingest.library_content import assets, content
from tests.server import ROOT, manage

OLD = {"title": "Old paper", "authors": ["Ann Old"], "year": 2001, "abstract": "About rivers.", "doi": "10.1000/old"}
KEPT = {"title": "Kept paper", "authors": ["Bob Kept"], "year": 2002, "abstract": "About sand.", "doi": "10.1000/kept"}
NEW = {"title": "New paper", "authors": ["Cy New"], "year": 2003, "abstract": "About quasars.", "doi": "10.1000/new"}
CHANGED = {**OLD, "abstract": "About glaciers."}

# Ends itself by SIGKILL at its nth file operation inside of the library; without a number, counts them.
KILLED = """
import os, signal, sys
from pathlib import Path
from ingest import update_library
library, added, last = sys.argv[1], sys.argv[2], int(sys.argv[3])
seen = 0
def hook(event, args):
    global seen
    if event in ("open", "os.rename", "os.link", "os.mkdir", "os.remove", "sqlite3.connect"):
        if any(library in os.fsdecode(arg) for arg in args[:2] if isinstance(arg, (str, bytes, Path))):
            seen += 1
            if seen == last:
                os.kill(os.getpid(), signal.SIGKILL)
sys.addaudithook(hook)
update_library(Path(library), [Path(added)], remove=["10.1000/kept"])
print(seen)
"""


@pytest.fixture
def library(tmp_path: Path) -> Path:
    return build(tmp_path / "library", write_lines(tmp_path / "old.jsonl", OLD, KEPT)).out


def run_killed(library: Path, added: Path, last: int) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", KILLED, str(library), str(added), str(last)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)


@pytest.mark.long
def test_an_update_that_is_killed_anywhere_leaves_the_old_library_or_the_new_one(library: Path, tmp_path: Path) -> None:
    added = write_lines(tmp_path / "new.jsonl", NEW, CHANGED)
    before, before_assets = content(library), assets(library)
    whole = tmp_path / "whole"
    shutil.copytree(library, whole)
    done = run_killed(whole, added, 0)
    operations, after = int(done.stdout), content(whole)
    for last in range(1, operations, max(1, operations // 12)):
        place = tmp_path / f"killed{last}"
        shutil.copytree(library, place)
        assert run_killed(place, added, last).returncode == -9
        assert content(place) in (before, after)
        # The next change finishes one that was ended when it counted already; then that paper is gone.
        with suppress(BuildError):
            update_library(place, [added], remove=["10.1000/kept"])
        assert content(place) == after
        undo(place)
        assert content(place) == before
        assert assets(place).items() >= before_assets.items()


def test_two_updates_at_once_come_one_after_the_other(library: Path, tmp_path: Path) -> None:
    files = [
        write_lines(tmp_path / f"{number}.jsonl", {**NEW, "doi": f"10.1000/{number}", "title": f"Paper {number}"})
        for number in range(2)
    ]
    threads = [threading.Thread(target=update_library, args=(library, [file])) for file in files]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert {row[4] for row in content(library)["paper"]} >= {"Paper 0", "Paper 1", "Old paper"}


def test_an_update_is_told_that_another_takes_long(library: Path, tmp_path: Path) -> None:
    with build_folder(library), pytest.raises(LibraryBusy, match="wait until it is done"):
        update_library(library, [write_lines(tmp_path / "new.jsonl", NEW)], settings=ChangeSettings(wait_seconds=0.2))


def test_a_full_disk_leaves_the_old_library(library: Path, tmp_path: Path) -> None:
    added = write_lines(tmp_path / "new.jsonl", NEW, CHANGED)
    with small_disk(tmp_path / "disk", 8):
        place = tmp_path / "disk" / "library"
        shutil.copytree(library, place)
        before, before_assets = content(place), assets(place)
        with filled(tmp_path / "disk"), pytest.raises(BuildError, match=r"Nothing was changed.*(full|space)"):
            update_library(place, [added])
        assert content(place) == before
        assert assets(place) == before_assets
        update_library(place, [added])
        assert "New paper" in {row[4] for row in content(place)["paper"]}


def test_a_library_that_cannot_be_written_is_said_to_be_so(library: Path, tmp_path: Path) -> None:
    added = write_lines(tmp_path / "new.jsonl", NEW)
    before = content(library)
    subprocess.run(["chmod", "-R", "a-w", str(library)], check=True)
    capabilities = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] if os.geteuid() == 0 else []
    code = "import sys; from pathlib import Path; from ingest import update_library as u; "
    code += "u(Path(sys.argv[1]), [Path(sys.argv[2])])"
    command = [*capabilities, sys.executable, "-c", code, str(library), str(added)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    subprocess.run(["chmod", "-R", "u+w", str(library)], check=True)
    assert re.search(r"BuildError: Nothing was changed: (\[Errno 13\]|unable to open)", done.stderr)
    assert content(library) == before


def test_a_damaged_library_is_refused_with_what_to_do(library: Path, tmp_path: Path) -> None:
    database = library / "paper_snapshot.db"
    with database.open("r+b") as file:
        file.seek(database.stat().st_size - 2000)
        file.write(b"damage")
    with pytest.raises(BuildError, match=r"Nothing was changed: The snapshot file is damaged.*build it again"):
        update_library(library, [write_lines(tmp_path / "new.jsonl", NEW)])


def test_a_served_library_is_updated_and_undone_without_an_error(make_server: MakeServer, tmp_path: Path) -> None:
    server = make_server()
    server.wait_until_up()
    demo = ("--library", str(server.data / "demo"))
    added = write_lines(tmp_path / "new.jsonl", {**NEW, "title": "Quasars over estuaries"})
    answers: list[object] = []
    stop = threading.Event()

    def ask() -> None:
        while not stop.is_set():
            answers.append(server.call("search_papers", query="attention")["papers"])

    asking = threading.Thread(target=ask)
    asking.start()
    try:
        assert server.call("search_papers", query="quasars estuaries")["papers"] == []
        done = manage(server.data, "add_papers", str(added), *demo)
        assert done.returncode == 0, done.stderr
        assert "built anew" not in done.stderr
        found = server.call("search_papers", query="quasars estuaries")["papers"]
        assert [paper["title"] for paper in found] == ["Quasars over estuaries"]
        assert server.parts()["index"]["state"] == "ok"
        assert server.get(f"/papers/{found[0]['paper_id']}/").status_code == 200
        done = manage(server.data, "undo", *demo)
        assert done.returncode == 0, done.stderr
        assert server.call("search_papers", query="quasars estuaries")["papers"] == []
        assert server.parts()["index"]["state"] == "ok"
    finally:
        stop.set()
        asking.join(60)
    assert answers
    assert all(papers for papers in answers)
