"""Requirement text as HTML: nothing in a spec becomes markup that does something."""

import re
from pathlib import Path

import pytest

from tests.specs.folders import write
from tests.specs.pages.client import page

HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "[x](javascript:alert(1))",
    '"><svg onload=alert(1)>',
    '<a title="> SHALL onmouseover=alert(1) x">y</a>',
    "`<b>SHALL</b>`",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_specs_stay_text(openspec: Path, text: str) -> None:
    spec = f"# {text}\n## Purpose\n{text}\n## Requirements\n### Requirement: {text}\n{text} SHALL.\n"
    spec += f"#### Scenario: {text}\n{text}\n- **WHEN** {text}\n- **THEN** {text}\n### {text}\n"
    files = {
        "specs/evil/spec.md": spec,
        "changes/evil/proposal.md": f"# {text}\n## Why\n{text}\n",
        "changes/evil/specs/evil/spec.md": f"## MODIFIED Requirements\n### Requirement: {text}\nNew {text}\n",
    }
    write(openspec, files)
    for path in ("/specs/", "/specs/openspec/evil/", "/specs/changes/", "/specs/changes/openspec/evil/"):
        shown = page(path)
        assert "<script>alert" not in shown
        assert "<svg onload" not in shown
        assert not re.search(r"<[^>\"]*(?:\"[^\"]*\"[^>\"]*)*\son\w+=", shown)
        assert 'href="javascript:' not in shown
