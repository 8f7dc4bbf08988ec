"""`manage.py mcp_config --client NAME [--stdio]`: print what connects a client to this site."""

import os
import sys
from argparse import ArgumentParser

from django.conf import settings
from django.core.management.base import BaseCommand

from mcpapi.clients import CLIENTS, Local, Remote
from mcpapi.servers import PAPERS, SERVERS

DEFAULT_SITE = "http://127.0.0.1:8000"
# What a process that the client starts must be told; secrets are left out.
_PASSED_ON = ("PAPERSITE_DATA", "PAPERSITE_SNAPSHOT", "PAPERSITE_ASSETS", "PAPERSITE_SPECS")


class Command(BaseCommand):
    help = "Print what to paste or run to connect an MCP client to this site."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--client", required=True, choices=sorted(CLIENTS))
        parser.add_argument("--server", default=PAPERS.name, choices=sorted(SERVERS), help="default: papers")
        parser.add_argument("--site", default=DEFAULT_SITE, metavar="URL", help=f"default: {DEFAULT_SITE}")
        parser.add_argument("--stdio", action="store_true", help="let the client start the server itself")

    def handle(self, *, client: str, server: str, site: str, stdio: bool, **options: object) -> None:
        found = CLIENTS[client]
        text = found.local(local_server(server)) if stdio else found.remote(remote_server(server, site))
        self.stderr.write(found.place)
        self.stdout.write(text)


def remote_server(name: str, site: str) -> Remote:
    path = "/mcp" if name == PAPERS.name else f"/mcp/{name}"
    return Remote(name, site.rstrip("/") + path, with_token=settings.MCP_AUTH == "required")


def local_server(name: str) -> Local:
    command = (sys.executable, str(settings.BASE_DIR / "manage.py"), "mcp_stdio", name)
    environment = {name: value for name in _PASSED_ON if (value := os.environ.get(name))}
    return Local(name, command, environment)
