"""Standard input by lines: none is lost, and it is known whether more was sent."""

import os
from collections.abc import Iterator
from pathlib import Path

import anyio
import pytest

from paper_search.input_lines import InputLines


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    reading, writing = os.pipe()
    yield reading, writing
    os.close(reading)


def test_lines_come_in_order_and_the_last_needs_no_line_break(pipe: tuple[int, int]) -> None:
    reading, writing = pipe
    os.write(writing, "one\nzwei Zöpfe\nthr".encode())

    async def scene() -> list[str]:
        lines = InputLines(reading)
        first = [await anext(lines), await anext(lines)]
        os.write(writing, b"ee\nfour")
        os.close(writing)
        return first + [line async for line in lines]

    assert anyio.run(scene) == ["one", "zwei Zöpfe", "three", "four"]


def test_all_is_read_only_when_the_last_whole_line_was_handed_on(pipe: tuple[int, int]) -> None:
    reading, writing = pipe

    async def scene() -> list[bool]:
        lines = InputLines(reading)
        seen = [lines.all_read]
        os.write(writing, b"one\ntwo\nthr")
        for _ in range(2):
            seen.append(lines.all_read)
            await anext(lines)
        seen.append(lines.all_read)
        os.close(writing)
        return [*seen, lines.all_read]

    # At the end there is the half line, and that no more will come.
    assert anyio.run(scene) == [True, False, False, True, False]


def test_a_file_can_be_the_input(tmp_path: Path) -> None:
    (tmp_path / "calls.jsonl").write_text("{}\n[]\n")

    async def scene() -> list[str]:
        with (tmp_path / "calls.jsonl").open("rb") as file:
            return [line async for line in InputLines(file.fileno())]

    assert anyio.run(scene) == ["{}", "[]"]
