"""A release: the list of what is shipped is whole, and the notes are the changelog's."""

import importlib.util
import re
from types import ModuleType

import pytest

from papercore.version import VERSION
from tests.server import ROOT
from tests.test_dependencies import pins


@pytest.fixture(scope="module")
def release() -> ModuleType:
    spec = importlib.util.spec_from_file_location("release", ROOT / "deploy" / "release.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_bill_of_materials_has_every_pinned_package_with_hashes(release: ModuleType) -> None:
    bill = release.bill_of_materials(VERSION)
    assert {item["name"]: item["version"] for item in bill["components"]} == pins("requirements.txt")
    assert all(item["hashes"] for item in bill["components"])
    assert (bill["bomFormat"], bill["metadata"]["component"]["version"]) == ("CycloneDX", VERSION)


def test_the_notes_are_the_changelogs_newest_section(release: ModuleType) -> None:
    notes = release.notes(VERSION)
    assert notes.startswith(f"# papersite {VERSION}\n\n### ")
    assert not re.search(r"^## \[", notes, re.MULTILINE)
