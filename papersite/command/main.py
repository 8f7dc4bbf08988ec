"""Reads the arguments, sets the environment, and runs the command."""

import os
import sys
from argparse import Namespace
from pathlib import Path

from papersite.command.arguments import SITE_COMMANDS, parser
from papersite.command.output import fail


def main(arguments: list[str] | None = None) -> int:
    """The command's exit code. What it may say of wrong settings or folders is one line."""
    given = sys.argv[1:] if arguments is None else arguments
    if given and given[0].replace("_", "-") in SITE_COMMANDS:
        given = [given[0].replace("_", "-"), *given[1:]]
    options, rest = parser().parse_known_args(given)
    if rest and options.command not in SITE_COMMANDS:
        parser().error(f"unrecognized arguments: {' '.join(rest)}")
    _set_environment(options)
    if options.command == "mcp":
        # Before anything can print: stdout is for the protocol alone.
        from mcpapi.protocol_stdout import claim_stdout

        claim_stdout()
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import CommandError

    from papersite.data.folder import UnusableData

    try:
        return _run(options, rest)
    except (ImproperlyConfigured, CommandError, UnusableData) as error:
        return fail(str(error))
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # `papersite settings | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


def _set_environment(options: Namespace) -> None:
    """Options become the variables that every process of the site reads. Paths are made absolute here."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "papersite.settings")
    for name, value in list(os.environ.items()):
        # A desktop client passes on what its user left empty as it stands in the bundle.
        if name.startswith("PAPERSITE_") and value.startswith("${user_config."):
            del os.environ[name]
    for name, value in (("PAPERSITE_DATA", options.data), ("PAPERSITE_CONFIG", options.config)):
        if value:
            os.environ[name] = str(Path(value).expanduser().absolute())


def _run(options: Namespace, rest: list[str]) -> int:
    if options.command == "completion":
        from papersite.command.completion import script

        print(script(options.shell, parser()), end="")
        return 0
    if options.command == "settings":
        from papersite.command.settings_listing import rows, table

        print("\n".join(table(rows())))
        return 0
    if options.command in (None, "serve", "mcp"):
        return _start(options)
    if options.command in SITE_COMMANDS:
        return manage([options.command.replace("-", "_"), *rest])
    return _manage(options)


def _start(options: Namespace) -> int:
    from papersite.command import start
    from papersite.command.browser import is_desktop

    if options.command is None:
        start.start(options.bind, browser=not options.no_browser and is_desktop())
    if options.command == "serve":
        start.serve(options.bind)
    start.make_ready(demo=True)
    return manage(["mcp_stdio", options.server])


def _manage(options: Namespace) -> int:
    """The commands that are Django's own kind, under the names that people look for."""
    if options.command == "connect":
        site = ["--site", options.site] if options.site else []
        how = ["--stdio"] if options.stdio else []
        return call(["mcp_config", "--client", options.client, "--server", options.server, *site, *how])
    if options.command == "doctor":
        return call(["doctor", *(["--deploy"] if options.deploy else [])])
    if options.command == "add":
        return _add(options.files)
    if options.command == "bundle":
        given = {name: getattr(options, name) for name in ("out", "wheel", "python", "registry")}
        return call(["bundle", *(f"--{name}={value}" for name, value in given.items() if value)])
    if options.command == "upgrade-check":
        return call(["upgrade_check"])
    return manage(options.arguments or ["help"])


def _add(files: list[str]) -> int:
    """Begin a library of the user's own, or add to the one that is served."""
    from django.conf import settings

    from papersite.command.output import say
    from papersite.data import folder as data_folder

    data_folder.make(Path(settings.DATA))
    if Path(settings.SNAPSHOT) != Path(settings.DEMO_SNAPSHOT):
        return call(["add_papers", *files])
    call(["build_snapshot", *files, "--out", str(Path(settings.OWN_SNAPSHOT).parent)])
    say("From its next start on, papersite shows your papers instead of the demo.")
    return 0


def call(arguments: list[str]) -> int:
    """Run a command of the site; what it fails with is raised, and said as this command says it."""
    import django
    from django.core.management import call_command

    django.setup()
    call_command(*arguments)
    return 0


def manage(arguments: list[str]) -> int:
    """Do what `manage.py` does with these arguments."""
    from django.core.management import execute_from_command_line

    execute_from_command_line(["papersite", *arguments])
    return 0
