"""Commands that let people in: the owner's link, and invitations."""

from pathlib import Path

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from papersite.accounts import owner
from papersite.accounts.roles import ROLES, Role, invite
from papersite.server.serving import DEFAULT_BIND

DEFAULT_SITE = f"http://{DEFAULT_BIND}"


class Link(BaseCommand):
    help = "Print a link that signs in the owner of a site that `papersite` or `make run` serves. It works once."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--site", default=DEFAULT_SITE, metavar="URL", help=f"default: {DEFAULT_SITE}")

    def handle(self, *, site: str, **options: object) -> None:
        try:
            key = owner.new_key(Path(settings.DATA))
        except OSError as error:
            raise CommandError(f"The data folder {settings.DATA} cannot be written ({error.strerror}).") from None
        self.stdout.write(owner.link(site, key))


class Invite(BaseCommand):
    help = "Make an account and print a link at which its owner chooses a password. It holds for a week."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help="the name to sign in with")
        parser.add_argument("--role", choices=ROLES, default="reader", help="default: reader")
        parser.add_argument("--site", default=DEFAULT_SITE, metavar="URL", help=f"default: {DEFAULT_SITE}")

    def handle(self, *, name: str, role: Role, site: str, **options: object) -> None:
        try:
            path = invite(name, role)
        except ValueError as error:
            raise CommandError(str(error)) from None
        self.stdout.write(site.rstrip("/") + path)
