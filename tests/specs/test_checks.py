"""The checks say what is wrong with PAPERSITE_SPECS."""

from pathlib import Path

import pytest
from pytest_django import Settings

from specs.checks import check_folders


def test_a_good_folder_raises_nothing(openspec: Path) -> None:
    assert check_folders() == []


def test_a_missing_folder_is_reported(openspec: Path, settings: Settings) -> None:
    settings.SPECS = f"home={openspec},lost={openspec.parent / 'nowhere'}"
    assert [message.id for message in check_folders()] == ["specs.W001"]


@pytest.mark.parametrize("name", ["search", "changes", "warnings", "a/b", ""])
def test_a_name_that_makes_no_address_is_reported(openspec: Path, settings: Settings, name: str) -> None:
    settings.SPECS = f"home={openspec},{name}={openspec}"
    assert [message.id for message in check_folders()] == ["specs.W002"]
