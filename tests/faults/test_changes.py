"""Changes of a library and of searches in any order, killed at any moment, against a model of what they should give.

Nothing is lost, nothing is there twice, nothing that was shown is applied to another state, nothing is decided unseen.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any  # JSON as it comes from the worker

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from tests.server import ROOT, environment

# Two files share a paper, which must not be there twice, and stays while one of them says it.
CONTENTS = ("ab", "bc", "d")
# Before which call a command is killed; 0 is never. One makes some 700.
MOMENTS = st.one_of(st.just(0), st.integers(1, 800), st.integers(200, 600))
CONTENT = st.integers(0, len(CONTENTS) - 1)


def bibliography(names: str) -> str:
    entry = "@article{{{0}, title={{Paper {0}}}, author={{Ann, A{0}}}, year={{2001}}, doi={{10.1000/{0}}}}}\n"
    return "".join(map(entry.format, names))


class Worker:
    """The process that forks for each command."""

    def __init__(self, folder: Path) -> None:
        (folder / "warm").mkdir()
        warm = folder / "warm" / "a.bib"
        warm.write_text(bibliography("w"))
        self.process = subprocess.Popen(
            [sys.executable, "-W", "ignore", "-m", "tests.faults.change_worker", str(warm)],
            cwd=ROOT,
            env=environment(folder, PAPER_SEARCH_SOURCES="snapshot"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._line() == "ready"

    def _line(self) -> str:
        assert self.process.stdout
        return self.process.stdout.readline().strip()

    def ask(self, place: Path, name: str, moment: int, arguments: dict[str, object]) -> Any:
        assert self.process.stdin
        command = {"place": str(place), "name": name, "arguments": arguments, "moment": moment}
        self.process.stdin.write(json.dumps(command) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self._line())
        assert not isinstance(answer, dict) or "failed" not in answer, answer["failed"]
        return answer

    def close(self) -> None:
        assert self.process.stdin
        self.process.stdin.close()
        self.process.wait(60)


@dataclass
class Operation:
    """What sources say since then, or which paper is gone."""

    says: dict[tuple[str, str], bool] = field(default_factory=dict)
    removes: str = ""
    counts: bool = True


@dataclass
class Search:
    """What its client knows: the checkpoint it was shown last, and those it has decided."""

    id: str
    shown: str
    decided: list[str] = field(default_factory=list)
    # A decision that was killed: it may be stored.
    open: str = ""
    kills: int = 0


class Changes(RuleBasedStateMachine):
    """Rules have no preconditions: what a kill leaves may differ, and what is generated must not depend on it."""

    worker: Worker

    def __init__(self) -> None:
        super().__init__()
        self._folder = TemporaryDirectory(ignore_cleanup_errors=True)
        self.place = Path(self._folder.name)
        (self.place / "watched").mkdir()
        for number, names in enumerate(CONTENTS):
            (self.place / f"{number}.bib").write_text(bibliography(names))
        self.operations: dict[int, Operation] = {}
        self.changed: list[int] = []
        self.build = ""
        # What a killed process may have left to be seen until the next change.
        self.may_be_seen: list[list[str]] = []
        self.seen: list[str] = []
        # By id, with their contents and the version that they were compared with.
        self.additions: dict[str, tuple[int, str]] = {}
        self.searches: list[Search] = []
        self.times = count(1)

    def teardown(self) -> None:
        self._folder.cleanup()

    def do(self, name: str, moment: int = 0, **arguments: object) -> Any:
        return self.worker.ask(self.place, name, moment, arguments)

    def said(self) -> dict[tuple[str, str], bool]:
        found: dict[tuple[str, str], bool] = {}
        for number in sorted(self.operations):
            if self.operations[number].counts:
                found |= self.operations[number].says
        return found

    def present(self) -> list[str]:
        removed = {each.removes for each in self.operations.values() if each.counts}
        return sorted({f"Paper {paper}" for (_, paper), says in self.said().items() if says and paper not in removed})

    def difference(self, source: str, names: str) -> Operation:
        """What is new if a source says this: an operation has no more."""
        said = self.said()
        return Operation({(source, name): True for name in names if not said.get((source, name))})

    def change(self, name: str, moment: int, operation: Operation, **arguments: object) -> Any:
        """Do it, see what was counted, and compare what is there with the model."""
        before = [self.seen, self.present(), *self.may_be_seen]
        if not self.build:  # no operation counts before there is a library
            self.operations = {}
        answer = self.do(name, moment, **arguments)
        now = self.do("look")
        listed = {number: is_active for number, is_active, _ in now["operations"] if now["build"]}
        new = sorted(set(listed) - set(self.operations))
        if 0 in new:  # what a library had before it was kept
            self.operations[new.pop(0)] = Operation()
        assert len(new) <= 1, "an operation is there twice"
        self.operations.update(dict.fromkeys(new, operation))
        flipped = [number for number, each in self.operations.items() if each.counts != listed.get(number)]
        assert flipped in ([], [arguments.get("number")]), "an operation was lost, or counts without having been asked"
        for number in flipped:
            self.operations[number].counts = listed[number]
        if answer is not None and (new or flipped):
            self.may_be_seen = []
        elif answer is None:
            self.may_be_seen = before
        self.changed = [number for number, _, has_changes in now["operations"] if has_changes]
        self.seen, self.build = now["titles"], now["build"]
        assert self.seen in [self.present(), *self.may_be_seen], (answer, self.operations)
        if self.seen == self.present() and answer is not None:
            self.may_be_seen = []
        return answer, bool(new or flipped)

    @rule(content=CONTENT, moment=MOMENTS)
    def add(self, content: int, moment: int) -> None:
        path = str(self.place / f"{content}.bib")
        answer, is_counted = self.change("add", moment, self.difference(path, CONTENTS[content]), paths=[path])
        assert answer is None or (answer == "done" and is_counted)

    @rule(paper=st.sampled_from("abcd"), moment=MOMENTS)
    def remove(self, paper: str, moment: int) -> None:
        is_there = f"Paper {paper}" in self.present()
        answer, is_counted = self.change("remove", moment, Operation(removes=paper), paper=f"10.1000/{paper}")
        assert answer is None or is_counted == is_there, answer

    @rule(content=st.none() | CONTENT, moment=MOMENTS)
    def watch(self, content: int | None, moment: int) -> None:
        """A file of a watched folder is written anew or deleted, which the watcher may have known."""
        file = self.place / "watched" / "file.bib"
        file.unlink(missing_ok=True)
        names = "" if content is None else CONTENTS[content]
        if names:
            file.write_text(bibliography(names))
            os.utime(file, (next(self.times),) * 2)
        operation = self.difference(str(file), names)
        gone = {key: False for key, says in self.said().items() if key[0] == str(file) and says and key[1] not in names}
        answer, _ = self.change("watch", moment, Operation(operation.says | gone), folder=str(self.place / "watched"))
        assert answer in (None, "done")
        assert answer is None or not names or {f"Paper {name}" for name in names} <= {*self.seen, *self.removed()}

    def removed(self) -> set[str]:
        return {f"Paper {each.removes}" for each in self.operations.values() if each.counts and each.removes}

    @rule(choice=st.integers(0, 20), is_shown=st.sampled_from([True, True, False]), moment=MOMENTS)
    def undo_or_redo(self, choice: int, is_shown: bool, moment: int) -> None:
        if not self.changed:
            return
        number = self.changed[choice % len(self.changed)]
        build = self.build if is_shown else "another"
        again, may_differ = not self.operations[number].counts, bool(self.may_be_seen)
        answer, is_counted = self.change("undo", moment, Operation(), number=number, build=build, again=again)
        assert answer is None or may_differ or is_counted == is_shown, answer
        assert is_shown or not is_counted

    @rule(content=CONTENT)
    def bring(self, content: int) -> None:
        """Papers are brought in a browser, and compared with the library as it is."""
        answer = self.do("bring", paths=[str(self.place / f"{content}.bib")])
        assert answer["status"] == "ready", answer
        new = {f"Paper {name}" for name in CONTENTS[content]} - {*self.seen, *self.removed()}
        assert self.may_be_seen or set(answer["added"]) == new
        self.additions[answer["id"]] = (content, answer["build"])

    @rule(choice=st.integers(0, 20), moment=MOMENTS)
    def apply(self, choice: int, moment: int) -> None:
        if not self.additions:
            return
        addition = sorted(self.additions)[choice % len(self.additions)]
        content, build = self.additions.pop(addition)
        is_shown, may_differ = build == self.build, bool(self.may_be_seen)
        operation = self.difference(addition, CONTENTS[content])
        answer, is_counted = self.change("apply", moment, operation, addition=addition)
        assert is_shown or not is_counted, "applied to another state than was shown"
        if answer is None:
            return
        assert may_differ or is_counted == is_shown, answer
        assert answer["status"] == ("done" if is_counted else "ready")
        if not is_counted:
            self.additions[addition] = (content, answer["build"])

    @rule()
    def start(self) -> None:
        if len(self.searches) > 1:
            return
        answer = self.do("start", query="graphs")
        self.searches.append(Search(answer["session"], answer["checkpoint"]))

    @rule(choice=st.integers(0, 1), moment=MOMENTS)
    def decide(self, choice: int, moment: int) -> None:
        """For the checkpoint that was shown, or again for the one whose decision was killed."""
        if not self.searches:
            return
        search = self.searches[choice % len(self.searches)]
        checkpoint = search.open or search.shown
        answer = self.do("decide", moment, session=search.id, checkpoint=checkpoint, action="approve")
        stored = self.do("decided", session=search.id)["decided"]
        assert stored in (search.decided, [*search.decided, checkpoint]), "lost, twice, or not what was asked for"
        if answer is None:
            search.open, search.kills = checkpoint, search.kills + 1
        else:
            assert "refused" not in answer or search.kills > 1, answer
            assert stored == [*search.decided, checkpoint] or search.kills > 1
            search.decided, search.shown, search.open = stored, answer.get("checkpoint", ""), ""
        # Work that ended two processes is not begun a third time.
        if search.kills > 1 or not (search.shown or search.open):
            self.searches.remove(search)

    @rule()
    def decide_unseen(self) -> None:
        """The next checkpoint was shown to nobody: a decision that does not name it must not count for it."""
        search = next((search for search in self.searches if search.open), None)
        if search is None:
            return
        before = self.do("decided", session=search.id)
        if before["decided"] == search.decided or before["pending"]:
            return  # the decision was not stored, or its process came far enough to show what follows
        self.do("go_on", session=search.id)
        answer = self.do("decide", session=search.id, checkpoint=None, action="approve")
        assert "refused" in answer, "decided unseen"
        assert self.do("decided", session=search.id)["decided"] == before["decided"]

    @invariant()
    def nothing_is_there_twice(self) -> None:
        assert len(self.seen) == len(set(self.seen))


@pytest.fixture(scope="module")
def worker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Worker]:
    worker = Worker(tmp_path_factory.mktemp("changes"))
    yield worker
    worker.close()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize(("runs", "commands"), [(24, 5), pytest.param(1000, 8, marks=pytest.mark.long)])
def test_changes_that_are_killed_at_any_moment_are_done_once_or_not_at_all(
    runs: int, commands: int, worker: Worker
) -> None:
    Changes.worker = worker
    run_state_machine_as_test(
        Changes,
        settings=settings(
            max_examples=runs,
            stateful_step_count=commands,
            deadline=None,
            derandomize=True,
            suppress_health_check=list(HealthCheck),
        ),
    )
