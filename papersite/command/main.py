"""The command `papersite`: what each of its commands runs, and its arguments with their help."""

import os
import sys
from argparse import REMAINDER, SUPPRESS, ArgumentParser, Namespace, RawDescriptionHelpFormatter
from pathlib import Path

import django
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError

from mcpapi.protocol_stdout import claim_stdout
from papercore.version import VERSION
from papersite.command import browser, completion
from papersite.command.commands import CommandLine, call_command
from papersite.command.start import make_ready, say, start
from papersite.configuration import files, listing
from papersite.data.folder import UnusableData
from papersite.server.serving import DEFAULT_BIND

CLIENTS = ("claude-code", "claude-desktop", "codex", "cursor", "gemini", "vscode")
SERVERS = ("papers", "paper-search", "spox", "connector")
SHELLS = ("bash", "zsh", "fish")
# Commands of Django's kind, which read the rest of the line themselves; `manage.py` has them with underscores.
SITE_COMMANDS = {
    "call": "call a tool of /mcp and print its answer: call search_papers query='...' limit=5",
    "build-snapshot": "build a library from bibliographies, PDFs or Zotero, in a folder of its own",
    "add-papers": "add papers to the library that is served, or to another",
    "remove-papers": "remove papers from a library",
    "add": "add papers to your library, which then replaces the demo",
    "remove": "remove papers from your library; they stay removed until you undo it",
    "undo": "take back the last operation on your library, or another by its number",
    "redo": "make again what was taken back",
    "edit": "correct fields of a paper: edit PAPER title='...' year=1978",
    "merge": "say that several papers are one",
    "split": "say that some sources of a paper are about another one",
    "tell-apart": "say that two papers are not the same",
    "attach": "make a file the PDF of a paper",
    "duplicates": "list papers that may be one",
    "incomplete": "list papers that lack authors, year, venue, identifier, text or PDF",
    "history": "list what was done to your library, or what is known of a paper and from where",
    "ocr": "read by OCR the PDFs of your library that have no text (extra ocr)",
    "watch": "keep your library in step with folders",
    "undo-update": "the same as undo",
    "watch-library": "the same as watch",
    "look-up": "look papers up by DOI, arXiv id, PMID or address",
    "check": "check a .bib against the library, and the keys, quotations and claims of a draft",
    "check-snapshot": "check a library: counts, features, broken assets, index",
    "build-index": "build the search index of a library",
    "fill-index": "add the sentence vectors that an index lacks",
    "build-spec-index": "build the search index of the specs",
    "model": "list, install, remove and check sentence models, which improve search",
    "install-model": "the same as model install",
    "create-token": "make a bearer token for /mcp",
    "revoke-token": "revoke a token, or list all of them",
    "link": "print a link that signs in the owner of this site, once",
    "invite": "make an account, and print a link to choose its password",
    "expire-sessions": "end idle search sessions, and delete old ones",
    "demo": "build the demo library, and serve it",
    "prepare": "bring the data folder up to this version",
    "migrate": "bring the database up to this version",
    "createsuperuser": "make an account that may enter the admin",
}
DESCRIPTION = """\
Serves a library of research papers to people and to LLM agents.

Without a command: prepares the data folder at the first start, serves the library, and opens the browser."""
EPILOG = """\
Settings come from variables PAPERSITE_... and from papersite.toml in the data folder: 'papersite settings' lists them.
Exit codes: 0 done, 1 failed, 2 wrong arguments, 130 stopped by Ctrl-C."""


def main(arguments: list[str] | None = None) -> int:
    """The command's exit code. What it may say of wrong settings or folders is one line."""
    given = sys.argv[1:] if arguments is None else arguments
    if given and given[0].replace("_", "-") in SITE_COMMANDS:
        given = [given[0].replace("_", "-"), *given[1:]]
    options, rest = parser().parse_known_args(given)
    if rest and options.command not in SITE_COMMANDS:
        parser().error(f"unrecognized arguments: {' '.join(rest)}")
    if options.command == "mcp":
        # Before settings are read, which may print: stdout is for the protocol alone.
        claim_stdout()
    set_environment(options)
    try:
        return run(options, rest)
    except (ImproperlyConfigured, CommandError, UnusableData) as error:
        in_colour = sys.stderr.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
        name = "\x1b[31mpapersite:\x1b[0m" if in_colour else "papersite:"
        say(f"{name} {error}")
        return 1
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # `papersite settings | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


def set_environment(options: Namespace) -> None:
    """Options become the variables that every process of the site reads. Paths are made absolute here."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "papersite.settings")
    files.let_children_import()
    for name, value in list(os.environ.items()):
        # A desktop client passes on what its user left empty as it stands in the bundle.
        if name.startswith("PAPERSITE_") and value.startswith("${user_config."):
            del os.environ[name]
    for name, value in (("PAPERSITE_DATA", options.data), ("PAPERSITE_CONFIG", options.config)):
        if value:
            os.environ[name] = str(Path(value).expanduser().absolute())


def run(options: Namespace, rest: list[str]) -> int:
    """What the site's own commands do; the others are Django's kind, which read the rest of the line themselves."""
    match options.command:
        case None:
            start(options.bind, with_browser=not options.no_browser and browser.is_desktop())
        case "mcp":
            make_ready(demo=True)
            return manage(["mcp_stdio", options.server])
        case "completion":
            print(completion.script(options.shell, parser()), end="")
            return 0
        case "settings":
            print("\n".join(listing.table(listing.rows())))
            return 0
        case "manage":
            return manage(options.arguments or ["help"])
    if options.command == "check":
        # Django's own command of this name checks the site.
        return manage(["check_draft", *rest])
    if options.command in SITE_COMMANDS:
        # What it fails with is raised, and said as this command says it.
        return manage([options.command.replace("-", "_"), "--traceback", *rest])
    return call(django_command(options))


def django_command(options: Namespace) -> list[str]:
    """The command behind a name that people look for, with its arguments."""
    match options.command:
        case "serve":
            return ["serve", "--prepare", *(["--bind", options.bind] if options.bind else [])]
        case "connect":
            site = ["--site", options.site] if options.site else []
            how = ["--stdio"] if options.stdio else []
            tools = ["--tools", options.tools] if options.tools else []
            plugin = ["--plugin", options.plugin] if options.plugin else []
            return ["mcp_config", "--client", options.client, "--server", options.server, *site, *how, *tools, *plugin]
        case "doctor":
            return ["doctor", *(["--deploy"] if options.deploy else [])]
        case "bundle":
            given = {name: getattr(options, name) for name in ("out", "wheel", "python", "registry")}
            return ["bundle", *(f"--{name}={value}" for name, value in given.items() if value)]
    return [options.command.replace("-", "_")]


def call(arguments: list[str]) -> int:
    """Run a command of the site; what it fails with is raised, and said as this command says it."""
    django.setup()
    call_command(*arguments)
    return 0


def manage(arguments: list[str]) -> int:
    """Do what `manage.py` does with these arguments."""
    CommandLine(["papersite", *arguments]).execute()
    return 0


def parser() -> ArgumentParser:
    main = ArgumentParser(
        "papersite", description=DESCRIPTION, epilog=EPILOG, formatter_class=RawDescriptionHelpFormatter
    )
    main.add_argument("--version", action="version", version=f"papersite {VERSION}")
    _add_places(main, None)
    _add_bind(main, None)
    main.add_argument("--no-browser", action="store_true", help="do not open the browser")
    commands = main.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    serve = commands.add_parser("serve", help="serve without demo and browser, as a service does")
    _add_bind(serve, SUPPRESS)
    mcp = commands.add_parser("mcp", help="serve MCP over stdin and stdout, for a client that starts this command")
    mcp.add_argument("server", nargs="?", default="papers", choices=SERVERS, help="default: papers")
    connect = commands.add_parser("connect", help="print what connects an MCP client to this library")
    connect.add_argument("client", choices=CLIENTS)
    connect.add_argument("--server", default="papers", choices=SERVERS, help="default: papers")
    connect.add_argument("--stdio", action="store_true", help="let the client start papersite itself")
    connect.add_argument("--site", metavar="URL", help="where the site is (default: where it was started last)")
    connect.add_argument("--tools", metavar="NAMES", help="what it lists: papers,evidence,specs,..., default or all")
    connect.add_argument("--plugin", metavar="FOLDER", help="write a plugin with a skill and the server for it instead")
    doctor = commands.add_parser("doctor", help="check every part, and say what to do about problems")
    doctor.add_argument("--deploy", action="store_true", help="check the settings as for production")
    commands.add_parser("upgrade-check", help="say what this version would do with the data folder, and change nothing")
    commands.add_parser("settings", help="list every setting, its value, and where it comes from")
    bundle = commands.add_parser("bundle", help="write a .mcpb that a desktop client installs")
    bundle.add_argument("--out", metavar="FILE", help="default: papersite.mcpb")
    bundle.add_argument("--wheel", metavar="FILE", help="put this wheel of papersite into the bundle")
    bundle.add_argument("--python", metavar="PYTHON", help="start with this Python, which has papersite")
    bundle.add_argument("--registry", metavar="NAME", help="print server.json for io.github.OWNER/papersite instead")
    completion = commands.add_parser("completion", help="print a script that completes this command in a shell")
    completion.add_argument("shell", choices=SHELLS)
    for name, said in SITE_COMMANDS.items():
        commands.add_parser(name, help=said, add_help=False, allow_abbrev=False)
    for command in commands.choices.values():
        _add_places(command, SUPPRESS)
    manage = commands.add_parser("manage", help="run any other command of the site; 'manage help' lists them")
    manage.add_argument("arguments", nargs=REMAINDER, metavar="...")
    return main


def _add_places(parser: ArgumentParser, default: str | None) -> None:
    """Before or after the command's name; left out after it, what stands before it holds."""
    folder, file = (
        "the data folder (default: the one of your account)",
        "a file of settings (default: papersite.toml there)",
    )
    parser.add_argument("--data", metavar="FOLDER", default=default, help=folder)
    parser.add_argument("--config", metavar="FILE", default=default, help=file)


def _add_bind(parser: ArgumentParser, default: str | None) -> None:
    said = f"where to serve (default: {DEFAULT_BIND})"
    parser.add_argument("--bind", metavar="HOST:PORT", default=default, help=said)
