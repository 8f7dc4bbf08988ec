"""`papersite mcp-stdio [server]`: serve MCP to the program that started this one."""

from argparse import ArgumentParser

from django.core.management.base import BaseCommand

from mcpapi.listing.servers import PAPERS, SERVERS
from mcpapi.protocol_stdout import claim_stdout
from mcpapi.transport import stdio


class Command(BaseCommand):
    help = "Serve MCP over stdin and stdout. Logs go to stderr."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("server", nargs="?", default=PAPERS.name, choices=sorted(SERVERS))

    def handle(self, *args: object, **options: str) -> None:
        stdio.serve(SERVERS[options["server"]], claim_stdout())
