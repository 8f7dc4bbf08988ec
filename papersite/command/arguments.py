"""The arguments of the command, with its help."""

from argparse import REMAINDER, SUPPRESS, ArgumentParser, RawDescriptionHelpFormatter, _SubParsersAction

from papercore.version import VERSION
from papersite.server.bind_address import DEFAULT_BIND

CLIENTS = ("claude-code", "claude-desktop", "codex", "cursor", "gemini", "vscode")
SERVERS = ("papers", "paper-search", "spox", "connector")
SHELLS = ("bash", "zsh", "fish")
# Commands of Django's kind, which read the rest of the line themselves; `manage.py` has them with underscores.
SITE_COMMANDS = {
    "build-snapshot": "build a library from bibliographies, PDFs or Zotero, in a folder of its own",
    "add-papers": "add papers to the library that is served, or to another",
    "remove-papers": "remove papers from a library",
    "undo-update": "undo the last update of a library",
    "watch-library": "keep a library in step with folders",
    "look-up": "look papers up by DOI, arXiv id, PMID or address",
    "check-snapshot": "check a library: counts, features, broken assets, index",
    "build-index": "build the search index of a library",
    "fill-index": "add the sentence vectors that an index lacks",
    "build-spec-index": "build the search index of the specs",
    "install-model": "install a sentence model that improves search",
    "create-token": "make a bearer token for /mcp",
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


def parser() -> ArgumentParser:
    main = ArgumentParser(
        "papersite", description=DESCRIPTION, epilog=EPILOG, formatter_class=RawDescriptionHelpFormatter
    )
    main.add_argument("--version", action="version", version=f"papersite {VERSION}")
    _add_places(main, None)
    _add_bind(main, None)
    main.add_argument("--no-browser", action="store_true", help="do not open the browser")
    commands = main.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    _add_serving(commands)
    add = commands.add_parser("add", help="add papers to your library, which then replaces the demo")
    files = "bibliographies (.bib, .ris, .json), PDFs or folders of them, Zotero's data folder"
    add.add_argument("files", nargs="+", metavar="FILE", help=files)
    _add_connect(commands)
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


def _add_serving(commands: "_SubParsersAction[ArgumentParser]") -> None:
    serve = commands.add_parser("serve", help="serve without demo and browser, as a service does")
    _add_bind(serve, SUPPRESS)
    mcp = commands.add_parser("mcp", help="serve MCP over stdin and stdout, for a client that starts this command")
    mcp.add_argument("server", nargs="?", default="papers", choices=SERVERS, help="default: papers")


def _add_connect(commands: "_SubParsersAction[ArgumentParser]") -> None:
    connect = commands.add_parser("connect", help="print what connects an MCP client to this library")
    connect.add_argument("client", choices=CLIENTS)
    connect.add_argument("--server", default="papers", choices=SERVERS, help="default: papers")
    connect.add_argument("--stdio", action="store_true", help="let the client start papersite itself")
    connect.add_argument("--site", metavar="URL", help=f"where the site is (default: http://{DEFAULT_BIND})")
