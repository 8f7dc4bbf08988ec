"""The configuration that connects each MCP client to a server: by its address on the site, or by starting it."""

import json
import os
import shlex
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from django.conf import settings
from django.urls import reverse
from msgspec import Struct, field

from mcpapi.listing.servers import PAPERS, Server

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


def remote_server(server: Server, site: str) -> RemoteServer:
    """`site` is the address of the site, as in https://papers.example.org."""
    url = site.rstrip("/") + path_of(server)
    return RemoteServer(server.name, url, with_token=settings.MCP_AUTH == "required")


def local_server(server: Server) -> LocalServer:
    manage = Path(settings.BASE_DIR) / "manage.py"
    how = (str(manage), "mcp_stdio") if manage.is_file() else ("-m", "papersite", "mcp")
    command = (sys.executable, *how, server.name)
    given = [name for name in _PASSED_ON if os.environ.get(name)]
    values = {name: getattr(settings, _PASSED_ON[name]) for name in given}
    # As the environment would give them. Paths are absolute: the client starts the process elsewhere.
    texts = {name: "on" if value is True else str(value) if value else "off" for name, value in values.items()}
    return LocalServer(server.name, command, texts)


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
