"""A process of its own for the durability tests: `python -m tests.searches.child COMMAND`; answers with JSON.

kill N...   for each N: start a session, let a forked process decide and die by SIGKILL before its Nth statement, then
            retry the decision and report what is stored.
poison      start a session; two forked processes die by SIGKILL in its first step; report how it ended.
contend N   N sessions that wait, eight processes that decide on all of them at once.
"""

import json
import os
import random
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import django
from django.db.backends.base.base import BaseDatabaseWrapper

PROCESSES = 8


@contextmanager
def dies_before(statement: int) -> Iterator[None]:
    """Every connection of this process counts; the statement with this number is never sent."""
    from django.db.backends.signals import connection_created

    lock, sent = threading.Lock(), 0

    def wrapper(execute: Callable[..., object], *args: object) -> object:
        nonlocal sent
        with lock:
            sent += 1
            if sent >= statement:
                os.kill(os.getpid(), signal.SIGKILL)
        return execute(*args)

    def watch(connection: BaseDatabaseWrapper, **_: object) -> None:
        connection.execute_wrappers.append(wrapper)

    connection_created.connect(watch, weak=False)
    yield


def forked(work: Callable[[], object]) -> int:
    """Run the work in a copy of this process; its pid."""
    from django.db import connections

    connections.close_all()
    pid = os.fork()
    if pid:
        return pid
    try:
        work()
    finally:
        os._exit(0)


def kill(points: list[int]) -> list[dict[str, object]]:
    return [_killed_at(point) for point in points]


def _killed_at(point: int) -> dict[str, object]:
    from searches import tools
    from searches.models import DecisionRecord, SearchSession

    first = tools.start_search("attention in transformers")
    checkpoint_id = first.checkpoint.checkpoint_id if first.checkpoint else ""
    _finish_work()

    def decide() -> None:
        with dies_before(point):
            tools.decide(first.session_id, "approve", note="once", checkpoint_id=checkpoint_id)
            _finish_work()

    _, status = os.waitpid(forked(decide), 0)
    before = DecisionRecord.objects.filter(session_id=first.session_id).count()
    row = SearchSession.objects.get(pk=first.session_id)
    after = tools.decide(first.session_id, "approve", note="once", checkpoint_id=checkpoint_id)
    again = tools.decide(first.session_id, "approve", note="once", checkpoint_id=checkpoint_id)
    _finish_work()
    return {
        "killed": os.WIFSIGNALED(status),
        "stored_before": before,
        "step_before": row.step,
        "kind": after.current_checkpoint_kind,
        "same_answer": after == again,
        "decisions": DecisionRecord.objects.filter(session_id=first.session_id).count(),
        "step": SearchSession.objects.get(pk=first.session_id).step,
    }


def poison() -> dict[str, object]:
    from papercore.caller import Caller
    from searches import tools
    from searches.sessions import store, worker

    store.LEASE_SECONDS = 0.0
    row = store.create("attention in transformers", "general", 100, Caller())

    def die_in_step() -> None:
        with dies_before(3):  # the first two claim the session
            worker.work(row.pk)

    signals = [os.waitstatus_to_exitcode(os.waitpid(forked(die_in_step), 0)[1]) for _ in range(2)]
    row.refresh_from_db()
    between = {"status": row.status, "attempts": row.attempts}
    tools.get_session(row.pk)
    _finish_work()
    row.refresh_from_db()
    return {"signals": signals, "between": between, "status": row.status, "error": row.error}


def contend(number: int) -> dict[str, object]:
    from searches.models import DecisionRecord, SearchSession, Status

    ids = _waiting_sessions(number)
    readers = [_contender(number, ids) for number in range(PROCESSES)]
    results = [json.loads(os.fdopen(reader).read()) for reader in readers]
    for _ in readers:
        os.wait()
    return {
        "won": sum(result["won"] for result in results),
        "refused": sum(result["refused"] for result in results),
        "errors": [error for result in results for error in result["errors"]],
        "complete": SearchSession.objects.filter(pk__in=ids, status=Status.COMPLETE).count(),
        "decisions": DecisionRecord.objects.filter(session_id__in=ids).count(),
    }


def _waiting_sessions(number: int) -> list[str]:
    """Sessions at their last checkpoint: approving one ends it, so only the decision is measured."""
    from searches import tools
    from searches.models import SearchSession

    waiting = tools.decide(tools.start_search("attention in transformers").session_id, "approve")
    _finish_work()
    row = SearchSession.objects.get(pk=waiting.session_id)
    copies = [
        SearchSession(query=row.query, state=row.state, status=row.status, checkpoint_id=row.checkpoint_id)
        for _ in range(number)
    ]
    SearchSession.objects.bulk_create(copies)
    return [copy.pk for copy in copies]


def _contender(number: int, ids: list[str]) -> int:
    """A process that decides on all of the sessions; where its report can be read."""
    reader, writer = os.pipe()

    def work() -> None:
        os.write(writer, json.dumps(_decide_all(number, ids)).encode())

    forked(work)
    os.close(writer)
    return reader


def _decide_all(number: int, ids: list[str]) -> dict[str, object]:
    from paper_search.workflow.errors import SessionComplete
    from searches import tools
    from searches.errors import AlreadyDecided

    won = refused = 0
    errors: list[str] = []
    for session_id in random.Random(number).sample(ids, len(ids)):
        try:
            tools.decide(session_id, "approve", note=f"process {number}")
            won += 1
        except (AlreadyDecided, SessionComplete):
            refused += 1
        except Exception as error:  # noqa: BLE001 - the test shows whatever it was
            errors.append(repr(error))
    return {"won": won, "refused": refused, "errors": errors}


def _finish_work() -> None:
    for thread in threading.enumerate():
        if thread.name.startswith("search "):
            thread.join(timeout=20)


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "papersite.settings")
    os.environ["TOKENIZERS_PARALLELISM"] = "false"
    django.setup()
    from django.core.management import call_command

    from searches.sessions import store

    call_command("migrate", verbosity=0)
    # A dead process's work is taken up as soon as its claim has run out; here that is soon.
    store.LEASE_SECONDS = 0.5
    command, *arguments = sys.argv[1:]
    numbers = [int(argument) for argument in arguments]
    commands: dict[str, Callable[[], object]] = {
        "kill": lambda: kill(numbers),
        "poison": poison,
        "contend": lambda: contend(*numbers),
    }
    answer = commands[command]()
    print(json.dumps(answer))


if __name__ == "__main__":
    main()
