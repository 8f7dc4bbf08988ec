"""One command line: `papersite` has every command of the apps, in both spellings."""

import pytest
from django.core.management import get_commands

from papersite.command.main import SITE_COMMANDS, main, parser

# Under other names: `papersite mcp` and `papersite connect`.
RENAMED = {"mcp_stdio", "mcp_config"}


def test_every_command_of_the_apps_is_a_command_of_papersite() -> None:
    ours = {name for name, app in get_commands().items() if not str(app).startswith("django.")} - RENAMED
    known = {*SITE_COMMANDS, *["serve", "doctor", "bundle", "upgrade-check"]}
    assert {name.replace("_", "-") for name in ours} - known == set()


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
