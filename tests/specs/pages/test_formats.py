"""The pages for programs: the same addresses ending in .json and .md."""

import json
from pathlib import Path

import pytest

from papersite.command.commands import call_command
from tests.specs.folders import LAMP
from tests.specs.pages.client import page


def test_every_page_exists_as_json_and_markdown(openspec: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("build_spec_index")
    assert json.loads(page("/specs.json"))["specs"][0]["id"] == "alarm-clock"
    spec = json.loads(page("/specs/openspec/alarm-clock.json"))
    assert spec["requirements"][0]["scenarios"][1]["then"] == ["nothing rings"]
    assert page("/specs/openspec/bedroom/night-light.md") == LAMP
    assert json.loads(page("/specs/changes.json"))["changes"][0]["id"] == "gentler-waking"
    assert json.loads(page("/specs/changes/openspec/gentler-waking.json"))["added"] == 1
    assert "### Requirement: Vibrates" in page("/specs/changes/openspec/gentler-waking.md")
    assert json.loads(page("/specs/search.json?q=snooze"))["results"][0]["requirement"] == "Snooze"
    assert json.loads(page("/specs/warnings.json")) == {"warnings": []}
    for name in ("specs", "specs/changes", "specs/warnings", "specs/search"):
        assert page(f"/{name}.md?q=snooze").startswith("# ")
