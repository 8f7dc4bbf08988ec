"""Changes bytes in the files of a served index, and compares the site's answers with those of the sound index."""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from papercore.retrieval import folder
from tests.server import SiteServer, wait_for

QUERIES = ("attention", "deep networks for pictures", '"all you need"', "author:vaswani")
PAGES = ("/papers/?q=attention", "/papers/?sort=title", "/papers/123/", "/")


@dataclass
class Outcome:
    """What the changes did, as clients see it."""

    changes: int = 0
    # Each with the file and the place that was changed.
    internal_errors: list[str] = field(default_factory=list)
    wrong_while_ok: list[str] = field(default_factory=list)
    worker_ends: list[str] = field(default_factory=list)
    # Changes that the site noticed.
    left: int = 0


@dataclass(frozen=True)
class Answers:
    """What the site answers to the same questions; `failed` names the ones that ended in an internal error."""

    found: list[dict[str, object]]
    failed: list[str]


def ask(server: SiteServer) -> Answers:
    found: list[dict[str, object]] = [
        *(server.call("search_papers", query=query, facets=["author", "venue"]) for query in QUERIES),
        server.call("get_similar_papers", paper_id="123", limit=3),
        server.call("suggest", prefix="att"),
    ]
    errors = [str(answer["error"]) for answer in found if "error" in answer]
    return Answers(found, errors + [page for page in PAGES if server.get(page).status_code >= 500])


def index_of(server: SiteServer) -> Path:
    """The files of the index in use."""
    (index,) = (server.data / "demo").glob("*/" + folder.LIST)
    return folder.generations(index.parent)[0]


@contextmanager
def changed(path: Path, place: int, value: int) -> Iterator[None]:
    """One byte of a file has another value, written in place."""
    content = path.read_bytes()
    write_at(path, place, bytes([value]))
    yield
    write_at(path, place, content[place : place + 1])


def write_at(path: Path, place: int, content: bytes) -> None:
    with path.open("r+b") as file:
        file.seek(place)
        file.write(content)


def index_state(server: SiteServer) -> str:
    return str(server.parts()["index"]["state"])


def by_tables(server: SiteServer) -> Answers:
    """The answers without the index."""
    with changed(index_of(server) / folder.MANIFEST, 0, ord("x")):
        wait_for(lambda: index_state(server) == "missing", "the index is left")
        return ask(server)


def change_bytes(server: SiteServer, count: int, seed: int) -> Outcome:
    """Change one byte at a time anywhere in the files of the index; ask, and put it back."""
    random_numbers = random.Random(seed)
    wait_for(lambda: index_state(server) == "ok", "a sound index")
    sound, tables = ask(server), by_tables(server)
    files = [path for path in sorted(index_of(server).rglob("*")) if path.is_file() and path.stat().st_size]
    outcome = Outcome()
    for _ in range(count):
        wait_for(lambda: index_state(server) == "ok", "the index is used again")
        path = random_numbers.choice(files)
        place = random_numbers.randrange(path.stat().st_size)
        value = path.read_bytes()[place] ^ random_numbers.randrange(1, 256)
        name = f"{path.relative_to(index_of(server))} at {place}"
        with changed(path, place, value):
            _judge(server, name, sound, tables, outcome)
    return outcome


def _judge(server: SiteServer, name: str, sound: Answers, tables: Answers, outcome: Outcome) -> None:
    outcome.changes += 1
    try:
        answers = ask(server)
    except httpx.TransportError:
        outcome.worker_ends.append(name)
        answers = ask(server)
    state = index_state(server)
    outcome.left += state != "ok"
    outcome.internal_errors += [f"{name}: {what}" for what in answers.failed]
    right = all(answer in pair for answer, *pair in zip(answers.found, sound.found, tables.found, strict=True))
    if state == "ok" and not right:
        outcome.wrong_while_ok.append(name)
