"""`papersite mcp-config --client NAME [--stdio]`: print what connects a client to this site."""

from argparse import ArgumentParser

from django.core.management.base import BaseCommand, CommandError

from mcpapi.clients import CLIENTS, CONNECTOR_PLACE, local_server, remote_server
from mcpapi.listing.servers import CONNECTOR, PAPERS, SERVERS

DEFAULT_SITE = "http://127.0.0.1:8000"


class Command(BaseCommand):
    help = "Print what to paste or run to connect an MCP client to this site."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--client", required=True, choices=sorted([*CLIENTS, CONNECTOR.name]))
        parser.add_argument("--server", default=PAPERS.name, choices=sorted(SERVERS), help="default: papers")
        parser.add_argument("--site", default=DEFAULT_SITE, metavar="URL", help=f"default: {DEFAULT_SITE}")
        parser.add_argument("--stdio", action="store_true", help="let the client start the server itself")

    def handle(self, *, client: str, server: str, site: str, stdio: bool, **options: object) -> None:
        if client == CONNECTOR.name:
            if stdio:
                raise CommandError("A custom connector is reached by its address: leave out --stdio.")
            self.stderr.write(CONNECTOR_PLACE)
            self.stdout.write(remote_server(CONNECTOR, site).url)
            return
        chosen, wanted = CLIENTS[client], SERVERS[server]
        text = chosen.local(local_server(wanted)) if stdio else chosen.remote(remote_server(wanted, site))
        self.stderr.write(chosen.place)
        self.stdout.write(text)
