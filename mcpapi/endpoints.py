"""Where each server is reached: its address on the site, or the command that runs it over stdio."""

import os
import sys

from django.conf import settings
from django.urls import reverse

from mcpapi.clients import LocalServer, RemoteServer
from mcpapi.servers import PAPERS, Server

# What a process started by the client needs to know; secrets are left out.
_PASSED_ON = ("PAPERSITE_DATA", "PAPERSITE_SNAPSHOT", "PAPERSITE_ASSETS", "PAPERSITE_SPECS")


def path_of(server: Server) -> str:
    return reverse("mcp:default") if server is PAPERS else reverse("mcp:server", kwargs={"name": server.name})


def remote_server(server: Server, site: str) -> RemoteServer:
    """`site` is the address of the site, as in https://papers.example.org."""
    url = site.rstrip("/") + path_of(server)
    return RemoteServer(server.name, url, with_token=settings.MCP_AUTH == "required")


def local_server(server: Server) -> LocalServer:
    command = (sys.executable, str(settings.BASE_DIR / "manage.py"), "mcp_stdio", server.name)
    environment = {name: value for name in _PASSED_ON if (value := os.environ.get(name))}
    return LocalServer(server.name, command, environment)
