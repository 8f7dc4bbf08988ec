"""One command line: `papersite` has every command of the site, in both spellings, and `manage.py` has them too."""

import pytest

from papersite.command.commands import COMMANDS, CommandLine
from papersite.command.main import SITE_COMMANDS, main, parser

# Under other names: `papersite mcp`, `papersite connect` and `papersite check`.
RENAMED = {"mcp_stdio", "mcp_config", "check_draft"}


def test_every_command_of_the_site_is_a_command_of_papersite() -> None:
    known = {*SITE_COMMANDS, *["serve", "doctor", "bundle", "upgrade-check"]}
    assert {name.replace("_", "-") for name in {*COMMANDS} - RENAMED} - known == set()


@pytest.mark.parametrize("name", ["install-model", "install_model"])
def test_a_command_takes_its_own_options_in_both_spellings(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([name, "--help"])
    assert ended.value.code == 0
    assert "--from FOLDER" in capsys.readouterr().out


def test_other_commands_refuse_what_they_do_not_know(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["doctor", "--nonsense"])
    assert ended.value.code == 2
    assert "unrecognized arguments: --nonsense" in capsys.readouterr().err


def test_help_lists_every_command() -> None:
    listed = parser().format_help()
    assert [name for name in SITE_COMMANDS if name not in listed] == []


def test_manage_lists_the_commands_of_the_site_beside_those_of_django() -> None:
    listed = CommandLine(["manage.py"]).main_help_text(commands_only=True).splitlines()
    assert {*COMMANDS, "migrate", "createsuperuser"} <= set(listed)
    assert listed == sorted(listed)
    assert "[papersite]" in CommandLine(["manage.py"]).main_help_text()
