"""Changes bytes in the files of a library, and compares the site's answers with those of the sound library.

    python -m tests.faults.corruption COUNT SEED    (the library is in PAPERSITE_DATA; prints the outcome as JSON)

Every change meets a process of its own, as a worker would: one that starts with the damaged file, or one that has
used the sound file before.
"""

import json
import logging
import os
import random
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal  # Any: JSON as it comes from the site

QUERIES = ("attention", "deep networks for pictures", '"neural network"', "author:vaswani")
SPEC_QUERY = "search papers by words"
LONGEST_ZEROED = 4096


@dataclass
class Outcome:
    """What the changes did, as clients see it. Each entry names the file and the place that was changed."""

    changes: int = 0
    internal_errors: list[str] = field(default_factory=list)
    wrong_while_ok: list[str] = field(default_factory=list)
    # The next worker answers after such an end; it is an entry of `ends_again` if that one ends, too.
    worker_ends: list[str] = field(default_factory=list)
    ends_again: list[str] = field(default_factory=list)
    # Changes after which /readyz was not ok.
    noticed: int = 0


@dataclass(frozen=True)
class Change:
    """Bytes of one file, in place: another content at `place`, or nothing from there on."""

    path: Path
    place: int
    content: bytes | None
    in_use: bool

    def apply(self) -> None:
        with self.path.open("r+b") as file:
            if self.content is None:
                file.truncate(self.place)
            else:
                file.seek(self.place)
                file.write(self.content)

    def __str__(self) -> str:
        what = "cut" if self.content is None else f"{len(self.content)} bytes changed"
        return f"{self.path.name} {what} at {self.place}, {'in use' if self.in_use else 'before the start'}"


@dataclass(frozen=True)
class Answers:
    """What one worker answered; `failed` names the requests that ended in an internal error."""

    found: list[Any]
    failed: list[str]
    ready: bool


class Library:
    """The files of the library that may be damaged, by kind, and their sound content."""

    def __init__(self, data: Path) -> None:
        self.snapshot = data / "demo" / "paper_snapshot.db"
        index = data / "demo" / "index"
        files = [path for path in index.rglob("*") if path.is_file() and path.suffix != ".lock" and path.stat().st_size]
        self.kinds = [
            [path for path in files if path.parent.name == "words"],
            [path for path in files if path.suffix in (".npy", ".f16")],
            [path for path in files if path.suffix not in (".npy", ".f16") and path.parent.name != "words"],
            list((data / "spec-index").glob("*.index")),
            [self.snapshot],
        ]
        self.sound = {path: path.read_bytes() for kind in self.kinds for path in kind}
        with closing(sqlite3.connect(f"file:{self.snapshot}?mode=ro&immutable=1", uri=True)) as database:
            self.paper_id = str(database.execute("SELECT min(paper_id) FROM paper").fetchone()[0])

    def random_change(self, chance: random.Random) -> Change:
        path = chance.choice(sorted(chance.choice(self.kinds)))
        sound, in_use = self.sound[path], chance.random() < 0.5
        kind: Literal["flip", "zero", "cut"] = chance.choice(("flip", "zero", "cut"))
        place = chance.randrange(len(sound))
        if kind == "cut":
            return Change(path, place, None, in_use)
        flipped = bytes([sound[place] ^ chance.randrange(1, 256)])
        zeroed = bytes(min(chance.randrange(1, LONGEST_ZEROED), len(sound) - place))
        # Zeros over zeros would be no change.
        same = sound[place : place + len(zeroed)] == zeroed
        return Change(path, place, flipped if kind == "flip" or same else zeroed, in_use)

    def repair(self, path: Path) -> None:
        aside = path.with_name("aside")
        aside.write_bytes(self.sound[path])
        aside.replace(path)


def run(library: Library, count: int, seed: int) -> Outcome:
    chance, outcome = random.Random(seed), Outcome()
    sound = in_process(lambda: ask(library))
    assert sound is not None
    assert sound.ready
    assert not sound.failed
    for _ in range(count):
        change = library.random_change(chance)
        try:
            judge(library, change, sound, outcome)
        finally:
            library.repair(change.path)
    return outcome


def judge(library: Library, change: Change, sound: Answers, outcome: Outcome) -> None:
    outcome.changes += 1
    if not change.in_use:
        change.apply()
    answers = in_process(lambda: ask(library, change if change.in_use else None))
    if answers is None:
        outcome.worker_ends.append(str(change))
        answers = in_process(lambda: ask(library))
    if answers is None:
        outcome.ends_again.append(str(change))
        return
    outcome.noticed += not answers.ready
    outcome.internal_errors += [f"{change}: {request}" for request in answers.failed]
    if answers.ready and answers.found != sound.found:
        outcome.wrong_while_ok.append(str(change))


def in_process(work: Callable[[], Answers]) -> Answers | None:
    """The answers of a process of its own; None if a signal ended it."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        code = 1
        try:
            with os.fdopen(writer, "w") as file:
                json.dump(asdict(work()), file)
            code = 0
        finally:
            os._exit(code)
    os.close(writer)
    with os.fdopen(reader) as file:
        text = file.read()
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return None
    assert status == 0, "the questions themselves failed"
    return Answers(**json.loads(text))


def ask(library: Library, change: Change | None = None) -> Answers:
    """Ask the site; with a change, ask first so that the files are in use, and apply it then."""
    from django.test import Client

    client = Client(raise_request_exception=False, SERVER_NAME="localhost")
    if change:
        for name, arguments in (("search_papers", {"query": QUERIES[0]}), ("search_specs", {"query": SPEC_QUERY})):
            call(client, name, arguments)
        client.get(f"/papers/{library.paper_id}/")
        change.apply()
    found, failed = questions(client, library.paper_id)
    status = client.get("/readyz").json()["status"]
    return Answers(found, failed, status == "ok")


def questions(client: Any, paper_id: str) -> tuple[list[Any], list[str]]:
    searches: list[dict[str, object]] = [{"query": query, "facets": ["venue"]} for query in QUERIES]
    calls: list[tuple[str, dict[str, object]]] = [
        *(("search_papers", arguments) for arguments in searches),
        ("get_similar_papers", {"paper_id": paper_id, "limit": 3}),
        ("suggest", {"prefix": "att"}),
        ("get_paper_metadata", {"paper_id": paper_id}),
        ("get_paper_bibtex", {"paper_id": paper_id}),
        ("list_top_facets", {"category": "venue"}),
        ("filter_papers", {"year_from": 1990}),
        ("search_specs", {"query": SPEC_QUERY}),
    ]
    pages = ["/", "/papers/?q=attention", "/papers/?sort=title", f"/papers/{paper_id}/", "/stats/", "/by/venue/"]
    found, failed = [], []
    for name, arguments in calls:
        answer = call(client, name, arguments)
        found.append(answer)
        if answer.get("error") == "internal_error":
            failed.append(name)
    for page in [*pages, f"/papers/{paper_id}.json", f"/api/papers/{paper_id}"]:
        response = client.get(page)
        found.append(response.json() if "json" in response["Content-Type"] else response.status_code)
        if response.status_code == 500:
            failed.append(page)
    return found, failed


def call(client: Any, name: str, arguments: Mapping[str, object]) -> Any:
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": name, "arguments": arguments}}
    response = client.post("/mcp", message, content_type="application/json", headers={"accept": "application/json"})
    return response.json()["result"]["structuredContent"]


def main(count: int, seed: int) -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "papersite.settings")
    import django

    django.setup()
    from django.conf import settings

    logging.disable()
    library = Library(Path(settings.DATA))
    load_code(library)
    print(json.dumps(asdict(run(library, count, seed))))


def load_code(library: Library) -> None:
    """Load what every worker would load again, templates and word vectors, by asking about a copy of the library."""
    from django.conf import settings
    from django.db import connections

    data, snapshot, assets = settings.DATA, settings.SNAPSHOT, settings.ASSETS
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(shutil.copytree(data, Path(folder) / "data"))
        settings.DATA, settings.SNAPSHOT = copy, copy / "demo" / library.snapshot.name
        settings.ASSETS = str(copy / "demo" / "static")
        ask(library)
        connections.close_all()
    settings.DATA, settings.SNAPSHOT, settings.ASSETS = data, snapshot, assets


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
