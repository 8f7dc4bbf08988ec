"""System checks say what is wrong with the snapshot and its assets, and what to do."""

import shutil
from pathlib import Path

import pytest
from django.core.checks import CheckMessage
from pytest_django import Settings

from papers.checks import check_assets, check_search_model, check_snapshot
from tests.papers.snapshot.test_served import BAD


def ids(messages: list[CheckMessage]) -> list[str | None]:
    assert all(message.hint for message in messages)
    return [message.id for message in messages]


def test_a_good_snapshot_raises_no_warning(library: Path) -> None:
    assert check_snapshot() + check_assets() == []


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("missing", "papers.W001"),
        ("empty", "papers.W003"),
        ("junk", "papers.W002"),
        ("truncated", "papers.W002"),
        ("flipped bytes", "papers.W002"),
        ("another schema", "papers.W003"),
        ("with a -wal", "papers.W004"),
    ],
)
def test_each_fault_has_its_id(own_library: Path, kind: str, expected: str) -> None:
    BAD[kind](own_library)
    assert ids(check_snapshot()) == [expected]


def test_a_missing_asset_folder_is_reported(own_library: Path) -> None:
    shutil.rmtree(own_library.parent / "static")
    assert ids(check_assets()) == ["papers.W005"]


def test_a_remote_store_is_not_looked_for_on_disk(own_library: Path, settings: Settings) -> None:
    settings.ASSETS = "http://assets.internal/static"
    assert check_assets() == []


def test_a_search_model_that_is_missing_is_reported(tmp_path: Path, settings: Settings) -> None:
    assert check_search_model() == []
    settings.SEARCH_MODEL = str(tmp_path)
    assert ids(check_search_model()) == ["papers.E001"]
    for name in ("model.onnx", "tokenizer.json"):
        (tmp_path / name).touch()
    assert check_search_model() == []
