"""A process that changes libraries and search sessions, one command a line: `python -m tests.faults.change_worker`.

Each command runs in a fork of its own, which may be killed by SIGKILL at any moment at which it matters: before its nth
call to the system or to a database since it began to change something. The answer is its result, null if it was killed.
"""

import io
import json
import os
import signal
import sqlite3
import sys
import threading
import time
import traceback
from collections.abc import Callable
from contextlib import closing, suppress
from importlib import import_module
from pathlib import Path
from threading import Event
from types import FrameType
from typing import cast

import django

# From the call of one of these on, calls are counted; before it, inputs are only read.
CHANGING = {"change_library", "make_decision", "start_applying"}
COUNTED = {"execute", "executemany", "commit", "open", "write", "close", "fsync", "flush", "replace", "rename", "link"}
COUNTED |= {"unlink", "mkdir", "rmdir", "connect", "copy_file_range", "flock"}
Json = dict[str, object]


def die_at(moment: int) -> None:
    has_begun, counted, lock = False, 0, threading.Lock()

    def count(frame: FrameType, event: str, called: object) -> None:
        nonlocal has_begun, counted
        if event == "call" and frame.f_code.co_name in CHANGING:
            has_begun = True
        elif event == "c_call" and has_begun and getattr(called, "__name__", "") in COUNTED:
            with lock:
                counted += 1
                if counted == moment:
                    os.kill(os.getpid(), signal.SIGKILL)

    threading.setprofile(count)
    sys.setprofile(count)


def run(place: Path, name: str, arguments: Json) -> object:
    from django.conf import settings

    library = place / "library"
    settings.DATA = place
    settings.SNAPSHOT = settings.OWN_SNAPSHOT = library / "paper_snapshot.db"
    settings.ASSETS = str(library / "static")
    return COMMANDS[name](library, **arguments)


def add(library: Path, paths: list[str]) -> object:
    from papers.library import updates

    updates.update(library, [Path(path) for path in paths])
    return "done"


def remove(library: Path, paper: str) -> object:
    from papers.library import updates

    updates.update(library, remove=[paper])
    return "done"


def undo(library: Path, number: int, build: str, again: bool) -> object:
    import ingest
    from papers.library import updates

    act = ingest.redo if again else ingest.undo
    act(library, number, settings=updates.change_settings(shown_build=build))
    return "done"


def watch(library: Path, folder: str) -> object:
    """Looks until it has settled."""
    from ingest import UpdateReport
    from ingest.entries.report import NoProgress
    from ingest.watching.watcher import Watcher
    from papers.library import updates

    class Listener:
        def updated(self, report: UpdateReport) -> None: ...

        def say(self, message: str) -> None:
            raise AssertionError(message)

    def follow(library: Path, add: list[Path], gone: list[Path], *, progress: NoProgress) -> UpdateReport:
        return updates.follow(library, add, gone, progress=progress, wait_seconds=60)

    library.mkdir(exist_ok=True)
    watcher = Watcher(library, [Path(folder)], follow, Listener(), NoProgress(), Event())  # type: ignore[arg-type]
    for _ in range(3):
        watcher.look()
    return "done"


def bring(library: Path, paths: list[str]) -> object:
    """What a browser sends: read, compared, and waiting to be applied."""
    from ingest.reading.looked_up import LookedUpPapers
    from papers.library.additions import ADDITIONS, AdditionState, sent_files, start_reading

    addition = ADDITIONS.new(AdditionState())
    sent = sent_files(addition)
    for path in map(Path, paths):
        sent.add(path.name, io.BytesIO(path.read_bytes()))
    start_reading(addition, sent, lambda identifiers: LookedUpPapers([], [], []))
    return _until_quiet(addition.id)


def apply(library: Path, addition: str) -> object:
    from papers.library.additions import ADDITIONS, start_applying

    start_applying(ADDITIONS.find(addition))
    return _until_quiet(addition)


def _until_quiet(addition: str) -> object:
    from papers.library.additions import ADDITIONS

    deadline = time.monotonic() + 100
    while (state := ADDITIONS.find(addition).load()).is_working and time.monotonic() < deadline:
        time.sleep(0.01)
    kinds = {kind: sorted(each.title for each in state.changes if each.kind == kind) for kind in ("added", "unchanged")}
    return {"id": addition, "status": state.status, "message": state.message, "build": state.build, **kinds}


def look(library: Path) -> object:
    """What is in the library, and what its ledger says was done."""
    import ingest
    from ingest.ledger.ledger import LEDGER

    titles: list[str] = []
    if (library / "paper_snapshot.db").exists():
        with closing(sqlite3.connect(library / "paper_snapshot.db")) as database:
            titles = [title for (title,) in database.execute("SELECT title FROM paper ORDER BY 1")]
    operations: list[tuple[int, bool, bool]] = []
    if (library / LEDGER).exists():
        with closing(sqlite3.connect(library / LEDGER)) as database:
            if database.execute("SELECT 1 FROM sqlite_master").fetchone():  # else a process was killed that made it
                rows = database.execute("SELECT id, active, changes != '[]' FROM operation ORDER BY 1")
                operations = [(number, bool(active), bool(changed)) for number, active, changed in rows]
    return {"titles": titles, "operations": operations, "build": ingest.build_id_of(library)}


def start(library: Path, query: str) -> object:
    from searches import tools

    return _checkpoint(tools.start_search(query))


def decide(library: Path, session: str, checkpoint: str | None, action: str) -> object:
    from searches import tools

    return _checkpoint(tools.decide(session, action, checkpoint_id=checkpoint))  # type: ignore[arg-type]


def _checkpoint(state: object) -> object:
    checkpoint = getattr(state, "checkpoint", None)
    return {"session": getattr(state, "session_id", ""), "checkpoint": checkpoint.checkpoint_id if checkpoint else ""}


def decided(library: Path, session: str) -> object:
    """The checkpoints that were decided, and the one that waits."""
    from searches.models import SearchSession

    row = SearchSession.objects.get(pk=session)
    return {
        "decided": list(row.decisions.order_by("pk").values_list("checkpoint_id", flat=True)),
        "pending": row.checkpoint_id,
    }


def go_on(library: Path, session: str) -> object:
    """Do the work that a killed process has left, and show nobody what came of it."""
    from searches.models import SearchSession, Status
    from searches.sessions import worker

    deadline = time.monotonic() + 100
    while (row := SearchSession.objects.get(pk=session)).status == Status.RUNNING and time.monotonic() < deadline:
        worker.resume(row)
        time.sleep(0.05)
    return row.status


def modules(library: Path) -> object:
    """What is loaded by a change of the library and a whole search."""
    from ingest.watching import watcher  # noqa: F401

    started = cast("dict[str, str]", start(library, "graphs"))
    decide(library, started["session"], None, "approve")
    return list(sys.modules)


COMMANDS: dict[str, Callable[..., object]] = {
    function.__name__: function
    for function in (add, remove, undo, watch, bring, apply, look, start, decide, decided, go_on, modules)
}


def forked(place: Path, name: str, arguments: Json, moment: int) -> object:
    """The answer of a command, {"refused": why} for an error that people are told; None if it was killed."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid:
        os.close(writer)
        with os.fdopen(reader) as stream:
            text = stream.read()
        os.waitpid(pid, 0)
        return json.loads(text) if text else None
    from ingest import BuildError
    from papercore.errors import ToolError

    if moment:
        die_at(moment)
    try:
        answer = run(place, name, arguments)
    except (BuildError, ToolError) as error:
        answer = {"refused": str(error)}
    except BaseException:  # noqa: BLE001 (the test shows whatever it was)
        answer = {"failed": traceback.format_exc()}
    sys.setprofile(None)
    os.write(writer, json.dumps(answer).encode())
    os._exit(0)


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "papersite.settings")
    django.setup()
    from django.core.management import call_command
    from django.db import connections

    from papercore.retrieval import WordVectors
    from searches.sessions import store

    call_command("migrate", verbosity=0)
    connections.close_all()
    # Loaded once, for all forks: the model, and what a fork has loaded in the end.
    WordVectors.load()
    for path in sys.argv[1:]:
        forked(Path(path).parent, "add", {"paths": [path]}, 0)
        for module in cast("list[str]", forked(Path(path).parent, "modules", {}, 0)):
            with suppress(ImportError):
                import_module(module)
    # The work of a process that was killed is taken up as soon as its claim has run out; here that is soon.
    store.LEASE_SECONDS = 0.2
    print("ready", flush=True)
    for line in sys.stdin:
        command = json.loads(line)
        answer = forked(Path(command["place"]), command["name"], command["arguments"], command["moment"])
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
