"""`papersite create-token NAME`: make a bearer token for a caller of /mcp."""

from argparse import ArgumentParser

from django.core.management.base import BaseCommand, CommandError
from django.db import IntegrityError

from mcpapi.models import create_token


class Command(BaseCommand):
    help = "Make a bearer token for /mcp and print it. It is stored hashed, so it is shown this once only."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", help="who or what will use it")

    def handle(self, *args: object, **options: str) -> None:
        try:
            token = create_token(options["name"])
        except IntegrityError:
            raise CommandError(f"There is a token named {options['name']!r} already.") from None
        self.stdout.write(token)
        self.stderr.write("Keep it now: it cannot be shown again. Revoke it in the admin under MCP tokens.")
