"""Building the index: only what changed is indexed again, and the result is the same."""

from pathlib import Path

import pytest

from papersite.command.commands import call_command
from specs import tools
from tests.specs.folders import LAMP, write


def test_only_what_changed_is_indexed_again(indexed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(indexed, {"specs/kettle/spec.md": LAMP.replace("Dims slowly", "Boils quickly")})
    capsys.readouterr()
    call_command("build_spec_index")
    assert capsys.readouterr().out == "openspec: 5 requirements of 4 specs indexed, 4 of them unchanged, 0 removed.\n"
    call_command("build_spec_index", fresh=True)
    assert "0 of them unchanged" in capsys.readouterr().out


def test_a_renewed_index_answers_as_a_fresh_one(indexed: Path) -> None:
    write(indexed, {"specs/kettle/spec.md": LAMP.replace("Dims slowly", "Boils quickly")})
    call_command("build_spec_index")
    renewed = tools.search_specs("movement in the room")
    call_command("build_spec_index", fresh=True)
    assert tools.search_specs("movement in the room") == renewed
