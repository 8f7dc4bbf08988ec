"""Scripts that complete the command in a shell, made from its parser."""

from argparse import Action, ArgumentParser, _SubParsersAction
from collections.abc import Iterator

BASH = """\
_papersite() {
  local word="${COMP_WORDS[COMP_CWORD]}" command="" part
  for part in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$part" in COMMANDS) command="$part"; break;; esac
  done
  case "$command" in
CASES
  esac
}
complete -o default -F _papersite papersite
"""
ZSH = "#compdef papersite\nautoload -U +X bashcompinit && bashcompinit\n"


def script(shell: str, parser: ArgumentParser) -> str:
    if shell == "fish":
        return "\n".join(_fish_lines(parser)) + "\n"
    return (ZSH if shell == "zsh" else "") + _bash(parser)


def _actions(parser: ArgumentParser) -> list[Action]:
    return parser._actions  # noqa: SLF001 (argparse tells them in no other way)


def _commands(parser: ArgumentParser) -> dict[str, ArgumentParser]:
    (found,) = [action for action in _actions(parser) if isinstance(action, _SubParsersAction)]
    return dict(found.choices)


def _words(parser: ArgumentParser) -> list[str]:
    """What a positional argument of the parser may be, and its options."""
    positional = [action for action in _actions(parser) if not action.option_strings]
    choices = [str(choice) for action in positional for choice in action.choices or ()]
    return [*choices, *(option for action in _actions(parser) for option in action.option_strings)]


def _bash(parser: ArgumentParser) -> str:
    commands = _commands(parser)
    words = {**{name: _words(command) for name, command in commands.items()}, "*": _words(parser)}
    cases = [f'    {name}) COMPREPLY=($(compgen -W "{" ".join(found)}" -- "$word"));;' for name, found in words.items()]
    return BASH.replace("COMMANDS", "|".join(commands)).replace("CASES", "\n".join(cases))


def _fish_lines(parser: ArgumentParser) -> Iterator[str]:
    words = {"__fish_use_subcommand": _words(parser)}
    words |= {f"'__fish_seen_subcommand_from {name}'": _words(command) for name, command in _commands(parser).items()}
    for condition, found in words.items():
        yield f"complete -c papersite -n {condition} -a '{' '.join(found)}'"
