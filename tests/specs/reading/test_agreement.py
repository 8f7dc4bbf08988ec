"""The reader agrees with the reference reader on real files; PAPERSITE_BENCH_DATA names their folder."""

import json
import os
from pathlib import Path

import pytest

from specs.reading.document import Requirement
from specs.reading.parser import parse

DATA = Path(os.environ.get("PAPERSITE_BENCH_DATA", "")) / "openspec"
EXPECTED = DATA / "expected.jsonl"
pytestmark = pytest.mark.skipif(not EXPECTED.is_file(), reason="PAPERSITE_BENCH_DATA names no folder with openspec/")


def named(items: tuple[Requirement, ...]) -> list[dict[str, object]]:
    return [{"name": item.name, "scenarios": [child.name for child in item.scenarios]} for item in items]


def test_requirements_scenarios_and_deltas_are_those_of_the_reference_reader() -> None:
    lines = EXPECTED.read_text(encoding="utf-8").splitlines()
    differing = [row["file"] for row in map(json.loads, lines) if not agrees(row)]
    assert lines
    assert differing == []


def agrees(row: dict[str, object]) -> bool:
    file = DATA / str(row["file"])
    document = parse(file.read_bytes().decode(), "x", delta=row["kind"] == "change")
    expected = row["delta"]
    assert isinstance(expected, dict)
    return (
        named(document.in_section("requirements")) == row["requirements"]
        and bool(document.purpose) == row["purpose_found"]
        and named(document.in_section("added")) == expected["added"]
        and named(document.in_section("modified")) == expected["modified"]
        and [item.name for item in document.in_section("removed")] == expected["removed"]
        and [{"from": item.old, "to": item.new} for item in document.renames] == expected["renamed"]
    )
