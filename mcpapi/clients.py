"""What connects MCP clients to a server: the configuration of each, a bundle (.mcpb) to install, and `server.json`."""

import json
import os
import shlex
import sys
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from urllib.parse import quote

from django.conf import settings
from django.urls import reverse
from msgspec import Struct, field

from mcpapi.listing.servers import PAPERS, Server
from papercore.version import VERSION

TOKEN = "YOUR-TOKEN"  # noqa: S105 (a placeholder that the reader replaces)
# What a process started by the client needs to know, and the setting that holds it; secrets are left out.
_PASSED_ON = {
    "PAPERSITE_CONFIG": "CONFIG",
    "PAPERSITE_DATA": "DATA",
    "PAPERSITE_SNAPSHOT": "SNAPSHOT",
    "PAPERSITE_ASSETS": "ASSETS",
    "PAPERSITE_SEARCH_MODEL": "SEARCH_MODEL",
    "PAPERSITE_SPECS": "SPECS",
    "PAPERSITE_SEARCHES": "SEARCHES",
    "PAPERSITE_MCP_TOOLS": "MCP_TOOLS",
}


class RemoteServer(Struct, frozen=True):
    """A server reached by URL."""

    name: str
    url: str
    with_token: bool = False

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {TOKEN}"} if self.with_token else {}


class LocalServer(Struct, frozen=True):
    """A server that the client starts itself and talks to over stdio."""

    name: str
    command: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict)

    def entry(self) -> dict[str, object]:
        entry: dict[str, object] = {"command": self.command[0], "args": list(self.command[1:])}
        return {**entry, "env": dict(self.environment)} if self.environment else entry


def path_of(server: Server) -> str:
    return reverse("mcp:default") if server is PAPERS else reverse("mcp:server", kwargs={"name": server.name})


def remote_server(server: Server, site: str, tools: str = "") -> RemoteServer:
    """`site` is the address of the site, as in https://papers.example.org; `tools` chooses what is listed."""
    url = site.rstrip("/") + path_of(server) + (f"?tools={quote(tools, safe=',')}" if tools else "")
    return RemoteServer(server.name, url, with_token=settings.MCP_AUTH == "required")


def local_server(server: Server, tools: str = "") -> LocalServer:
    # A client starts it in a folder and an environment of its own, where a checkout is not found by name.
    manage = Path(settings.BASE_DIR) / "manage.py"
    how = (str(manage), "mcp_stdio") if manage.is_file() else ("-m", "papersite", "mcp")
    command = (sys.executable, *how, server.name)
    given = [name for name in _PASSED_ON if os.environ.get(name)]
    values = {name: getattr(settings, _PASSED_ON[name]) for name in given}
    # As the environment would give them. Paths are absolute: the client starts the process elsewhere.
    texts = {name: "on" if value is True else str(value) if value else "off" for name, value in values.items()}
    return LocalServer(server.name, command, {**texts, **({"PAPERSITE_MCP_TOOLS": tools} if tools else {})})


class McpClient(Struct, frozen=True):
    """A program that speaks MCP: where its configuration goes, and how it is written."""

    title: str
    place: str
    remote: Callable[[RemoteServer], str]
    local: Callable[[LocalServer], str]


def _json(group: str, name: str, entry: Mapping[str, object]) -> str:
    return json.dumps({group: {name: entry}}, indent=2, ensure_ascii=False)


def _with_headers(entry: dict[str, object], server: RemoteServer) -> dict[str, object]:
    return {**entry, "headers": server.headers} if server.with_token else entry


def claude_code_remote(server: RemoteServer) -> str:
    command = ["claude", "mcp", "add", "--transport", "http", server.name, server.url]
    for name, value in server.headers.items():
        command += ["--header", f"{name}: {value}"]
    return shlex.join(command)


def claude_code_local(server: LocalServer) -> str:
    command = ["claude", "mcp", "add", server.name]
    for name, value in server.environment.items():
        command += ["--env", f"{name}={value}"]
    return shlex.join([*command, "--", *server.command])


def claude_desktop_remote(server: RemoteServer) -> str:
    """Its configuration can only start programs, so a small bridge talks to the server."""
    bridge = ["-y", "mcp-remote", server.url]
    for name, value in server.headers.items():
        bridge += ["--header", f"{name}: {value}"]
    return _json("mcpServers", server.name, {"command": "npx", "args": bridge})


def codex_remote(server: RemoteServer) -> str:
    lines = [f"[mcp_servers.{server.name}]", f"url = {json.dumps(server.url)}"]
    if server.with_token:
        lines.append('bearer_token_env_var = "PAPERSITE_TOKEN"  # put your token into this variable')
    return "\n".join(lines)


def codex_local(server: LocalServer) -> str:
    first, *rest = server.command
    lines = [f"[mcp_servers.{server.name}]", f"command = {json.dumps(first)}", f"args = {json.dumps(rest)}"]
    if server.environment:
        pairs = ", ".join(f"{name} = {json.dumps(value)}" for name, value in server.environment.items())
        lines.append(f"env = {{ {pairs} }}")
    return "\n".join(lines)


def vscode_remote(server: RemoteServer) -> str:
    return _json("servers", server.name, _with_headers({"type": "http", "url": server.url}, server))


def vscode_local(server: LocalServer) -> str:
    return _json("servers", server.name, {"type": "stdio", **server.entry()})


def cursor_remote(server: RemoteServer) -> str:
    return _json("mcpServers", server.name, _with_headers({"url": server.url}, server))


def gemini_remote(server: RemoteServer) -> str:
    return _json("mcpServers", server.name, _with_headers({"httpUrl": server.url}, server))


def mcp_servers_local(server: LocalServer) -> str:
    return _json("mcpServers", server.name, server.entry())


# A chat client is given one address in its settings, and calls it from where it runs.
CONNECTOR_PLACE = "Enter as the address of a custom connector; the chat client must be able to reach it, by https:"
CLIENTS = {
    "claude-code": McpClient("Claude Code", "Run:", claude_code_remote, claude_code_local),
    "claude-desktop": McpClient(
        "Claude Desktop",
        "Put into claude_desktop_config.json (Settings, Developer, Edit Config):",
        claude_desktop_remote,
        mcp_servers_local,
    ),
    "cursor": McpClient("Cursor", "Put into ~/.cursor/mcp.json:", cursor_remote, mcp_servers_local),
    "vscode": McpClient("VS Code", "Put into .vscode/mcp.json:", vscode_remote, vscode_local),
    "codex": McpClient("Codex", "Put into ~/.codex/config.toml:", codex_remote, codex_local),
    "gemini": McpClient("Gemini CLI", "Put into ~/.gemini/settings.json:", gemini_remote, mcp_servers_local),
}

# What desktop clients and the registry of MCP servers install papersite from.
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
        "tools": [{"name": tool.name, "description": tool.description.split("\n")[0]} for tool in server.listed],
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
