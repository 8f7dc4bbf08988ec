"""Where each server is reached: its address on the site, or the command that runs it over stdio."""

import os
import sys
from pathlib import Path

from django.conf import settings
from django.urls import reverse

from mcpapi.clients.configuration import LocalServer, RemoteServer
from mcpapi.listing.servers import PAPERS, Server

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
    environment = {name: _as_text(getattr(settings, _PASSED_ON[name])) for name in given}
    return LocalServer(server.name, command, environment)


def _as_text(value: Path | str | bool) -> str:
    """A setting as the environment would give it. Its paths are absolute: the client starts the process elsewhere."""
    return str(value) if value not in ("", True, False) else "on" if value is True else "off"
