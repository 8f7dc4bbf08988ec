"""papersite bundle: a bundle for desktop clients, or the entry for the registry of MCP servers."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management import BaseCommand, CommandError

from mcpapi.clients import registry_entry, start_command, write_bundle
from mcpapi.listing.servers import PAPERS


class Command(BaseCommand):
    help = "Write a .mcpb bundle that a desktop client installs, or print server.json for the registry."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--out", type=Path, default=Path("papersite.mcpb"), metavar="FILE", help="default: %(default)s"
        )
        parser.add_argument("--wheel", type=Path, metavar="FILE", help="put this wheel of papersite into the bundle")
        parser.add_argument("--python", metavar="PYTHON", help="start with this Python, which has papersite")
        parser.add_argument(
            "--registry", metavar="NAME", help="print server.json for io.github.OWNER/papersite instead"
        )

    def handle(
        self, *args: Any, out: Path, wheel: Path | None, python: str | None, registry: str | None, **options: Any
    ) -> None:  # Any: Django's signature
        if registry:
            self.stdout.write(json.dumps(registry_entry(registry), indent=2))
            return
        if wheel and not wheel.is_file():
            raise CommandError(f"There is no wheel {wheel}.")
        try:
            write_bundle(out, PAPERS, start_command(python, wheel), wheel)
        except OSError as error:
            raise CommandError(f"{out} cannot be written: {error.strerror}") from None
        self.stdout.write(f"{out}: {len(PAPERS.tools)} tools. Open it with your desktop client.")
