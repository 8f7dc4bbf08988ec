"""The checks say what is wrong with PAPERSITE_SPECS."""

from pathlib import Path

from pytest_django import Settings

from specs.checks import check_folders


def test_a_good_folder_raises_nothing(openspec: Path) -> None:
    assert check_folders() == []


def test_missing_folders_and_reserved_names_are_reported(openspec: Path, settings: Settings) -> None:
    settings.SPECS = f"search={openspec},lost={openspec.parent / 'nowhere'}"
    assert sorted(str(message.id) for message in check_folders()) == ["specs.W001", "specs.W002"]
