"""Readers go on while specs are edited and the index is replaced under them."""

import threading
from pathlib import Path

import pytest

from papercore.errors import ToolError
from papersite.command.commands import call_command
from specs import tools
from tests.specs.folders import LAMP, MAIN


def test_no_reader_sees_half_a_spec_or_half_an_index(openspec: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("build_spec_index")
    done = threading.Event()
    faults: list[str] = []
    titles: set[str] = set()

    def read() -> None:
        while True:
            try:
                titles.update(spec.title for spec in tools.list_specs().specs)
                assert tools.search_specs("snooze").results[0].requirement == "Snooze"
                tools.list_changes()
            except (ToolError, AssertionError, IndexError) as error:
                faults.append(repr(error))
            if done.is_set():
                return

    readers = [threading.Thread(target=read) for _ in range(2)]
    for reader in readers:
        reader.start()
    for number in range(4):
        replace(openspec / "specs/alarm-clock/spec.md", MAIN.replace("# Alarm clock", f"# Clock {number}"))
        replace(openspec / f"specs/extra-{number}/spec.md", LAMP)
        call_command("build_spec_index")
    done.set()
    for reader in readers:
        reader.join(20)
    assert faults == []
    assert titles <= {"Alarm clock", "Night light", *(f"Clock {number}" for number in range(4))}


def replace(path: Path, text: str) -> None:
    """As an editor saves: the whole file at once."""
    path.parent.mkdir(exist_ok=True)
    aside = path.with_suffix(".new")
    aside.write_text(text, encoding="utf-8")
    aside.replace(path)
