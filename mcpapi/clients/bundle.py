"""What desktop clients and the registry of MCP servers install papersite from: a bundle (.mcpb), and `server.json`."""

import json
import zipfile
from pathlib import Path

from mcpapi.listing.servers import Server
from papercore.version import VERSION

MANIFEST = "manifest.json"
# The newest form that all desktop clients read; 0.4 adds a way to run Python that some of them reject.
MANIFEST_VERSION = "0.3"
REGISTRY_SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"
DESCRIPTION = "Your library of research papers: search, passages, quotes, full texts, BibTeX, and requirement specs."
# What a client asks its user for, and the variable that each becomes.
LIBRARY = {
    "title": "Library",
    "description": "The folder that holds paper_snapshot.db. Left empty, a demo library is shown.",
}
SPECS = {
    "title": "Specs",
    "description": "A project with requirement specs (OpenSpec or Spec Kit). Left empty, papersite's own are shown.",
}
ASKED = {"PAPERSITE_SNAPSHOT": ("library", LIBRARY), "PAPERSITE_SPECS": ("specs", SPECS)}
# Clients want a file to start; this one starts what the manifest's command would.
STARTER = "import sys\n\nfrom papersite.command.main import main\n\nsys.exit(main(['mcp']))\n"


def manifest(server: Server, command: tuple[str, ...]) -> dict[str, object]:
    """The description of the bundle. Its tools are those of the server, in the first line of their descriptions."""
    return {
        "manifest_version": MANIFEST_VERSION,
        "name": "papersite",
        "display_name": "papersite",
        "version": VERSION,
        "description": DESCRIPTION,
        "author": {"name": "papersite"},
        "license": "MIT",
        "keywords": ["research papers", "literature", "requirements"],
        "server": {
            "type": "python",
            "entry_point": "server/main.py",
            "mcp_config": {
                "command": command[0],
                "args": list(command[1:]),
                "env": {name: f"${{user_config.{key}}}" for name, (key, _) in ASKED.items()},
            },
        },
        "tools": [{"name": tool.name, "description": tool.description.split("\n")[0]} for tool in server.tools],
        "user_config": {key: {"type": "directory", "required": False, **said} for key, said in ASKED.values()},
        "compatibility": {"platforms": ["darwin", "win32", "linux"], "runtimes": {"python": ">=3.11"}},
    }


def write_bundle(path: Path, server: Server, command: tuple[str, ...], wheel: Path | None) -> None:
    """Write the bundle; with a wheel, it holds the program itself and the library's wheel that lies beside it."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as bundle:
        bundle.writestr(MANIFEST, json.dumps(manifest(server, command), indent=2) + "\n")
        bundle.writestr("server/main.py", STARTER)
        for file in [wheel, *wheel.parent.glob("paper_search-*.whl")] if wheel else []:
            bundle.write(file, file.name)


def start_command(python: str | None, wheel: Path | None) -> tuple[str, ...]:
    """A Python that has papersite, or uvx, which fetches this version or takes the wheel in the bundle."""
    if python:
        return (python, "-m", "papersite", "mcp")
    if wheel:
        return ("uvx", "--find-links", "${__dirname}", "--from", f"${{__dirname}}/{wheel.name}", "papersite", "mcp")
    return ("uvx", "--from", f"papersite=={VERSION}", "papersite", "mcp")


def registry_entry(name: str) -> dict[str, object]:
    """`server.json` for the registry, where the server has a name like io.github.someone/papersite."""
    variables = [
        {"name": variable, "description": said["description"], "isRequired": False, "format": "filepath"}
        for variable, (_, said) in ASKED.items()
    ]
    return {
        "$schema": REGISTRY_SCHEMA,
        "name": name,
        "title": "papersite",
        "description": DESCRIPTION[:100],
        "version": VERSION,
        "packages": [
            {
                "registryType": "pypi",
                "identifier": "papersite",
                "version": VERSION,
                "runtimeHint": "uvx",
                "transport": {"type": "stdio"},
                "packageArguments": [{"type": "positional", "value": "mcp"}],
                "environmentVariables": variables,
            }
        ],
    }
