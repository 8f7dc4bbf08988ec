"""Commands of whoever runs the site: demo, serve, prepare, upgrade-check, and those that let people in."""

import os
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand, CommandError
from django.db import DatabaseError

import papers.health
import specs.health
from papercore.health import Part
from papercore.version import VERSION
from papersite.accounts import owner
from papersite.accounts.roles import ROLES, Role, invite
from papersite.command import preparation
from papersite.command.commands import call_command
from papersite.command.preparation import migrations
from papersite.command.start import make_ready, start, start_filling
from papersite.data import folder as data_folder
from papersite.data import served_site
from papersite.data.folder import UnusableData
from papersite.server.serving import DEFAULT_BIND, parse_bind, require_free, require_workers, run_server

SITE_HELP = "where people reach it (default: where it was started last)"


class Demo(BaseCommand):
    help = "Build the demo library if it is not there, prepare the database, and serve."
    requires_system_checks = ()  # they would complain about what is made here

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--bind", default=DEFAULT_BIND, metavar="HOST:PORT", help=f"default: {DEFAULT_BIND}")
        parser.add_argument("--no-serve", action="store_true", help="build and stop")

    def handle(self, *args: Any, bind: str, no_serve: bool, **options: Any) -> None:  # Any: Django's signature
        if no_serve:
            call_command("prepare", demo=True, stdout=self.stdout, stderr=self.stderr)
            return
        try:
            start(bind, with_browser=False)
        except UnusableData as error:
            raise CommandError(str(error)) from None


class Serve(BaseCommand):
    help = "Serve the site with gunicorn, configured by gunicorn.conf.py; on Windows with waitress."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--bind", default=DEFAULT_BIND, metavar="HOST:PORT", help=f"default: {DEFAULT_BIND}")
        parser.add_argument("--prepare", action="store_true", help="bring the data folder up to this version before")

    def handle(self, *args: Any, bind: str, prepare: bool, **options: Any) -> None:  # Any: Django's signature
        host, port = parse_bind(bind)
        if "LISTEN_FDS" not in os.environ:  # systemd has opened the socket already
            require_free(host, port)
        if not settings.SECRET_KEY_GIVEN:
            raise CommandError("PAPERSITE_SECRET_KEY is not set: set it to 50 or more random characters.")
        require_workers()
        if prepare:
            self.prepare_data_folder()
        else:
            self.collect_static_files()
        for line in snapshot_warnings(papers.health.snapshot_part()):
            self.stderr.write(line)
        run_server(host, port, settings.SECRET_KEY_GIVEN)

    def prepare_data_folder(self) -> None:
        try:
            make_ready(demo=False)
        except UnusableData as error:
            raise CommandError(str(error)) from None
        start_filling()

    def collect_static_files(self) -> None:
        try:
            call_command("collectstatic", interactive=False, verbosity=0)
        except OSError as error:  # a read-only folder, or a full disk: papers can be read all the same
            self.stderr.write(f"The static files cannot be collected in {settings.STATIC_ROOT}: {error.strerror}.")
            self.stderr.write("Pages look as when they were collected last; if they never were, they have no styles.")


def snapshot_warnings(part: Part) -> list[str]:
    """What the operator should know before the site answers; nothing if the snapshot is whole."""
    if part.state == "ok":
        return []
    found = f"PAPERSITE_SNAPSHOT={settings.SNAPSHOT}: {part.hint}"
    if part.state == "missing":  # absent, or unusable as the hint says
        return [found, "The site starts without papers, and serves them once a good file is there."]
    return [found]


class Prepare(BaseCommand):
    help = "Upgrade the data folder (with a backup), build what is missing. `papersite` does it when it starts."
    requires_system_checks = ()  # they would complain about what is made here

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--demo", action="store_true", help="build the demo library if no other is named")

    def handle(self, *args: Any, demo: bool, **options: Any) -> None:  # Any: Django's signature
        try:
            preparation.prepare(self.stderr, demo=demo)
        except UnusableData as error:
            raise CommandError(str(error)) from None


class UpgradeCheck(BaseCommand):
    help = "Say what starting this version would do with the data folder, and change nothing. Fails if it must not."
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:  # Any: Django's signature
        folder = Path(settings.DATA)
        state = data_folder.read_state(folder)
        try:
            data_folder.refuse_newer(folder, state)
            pending, unknown = migrations() if state else ([], [])
        except UnusableData as error:
            raise CommandError(str(error)) from None
        except DatabaseError as error:
            raise CommandError(f"The database cannot be read: {error}") from None
        if unknown:
            raise CommandError(data_folder.newer_data(folder, f"newer than {VERSION}"))
        if state is None:
            self.stdout.write(f"{folder}: empty, this is {VERSION}")
            self.stdout.write("The first start makes the database, the demo library and the indexes.")
            return
        self.stdout.write(f"{folder}: written by papersite {state.version}, this is {VERSION}")
        steps = [f"database: {len(pending)} migrations, after a backup"] * bool(pending)
        # Not the database and the searches: looking at them writes.
        parts = [*papers.health.parts(), *([specs.health.part()] if settings.SPECS else [])]
        steps += [f"{part.name}: {part.hint}" for part in parts if part.hint]
        for step in steps or ["Nothing to do."]:
            self.stdout.write(step)


class Link(BaseCommand):
    help = "Print a link that signs in the owner of a site that `papersite` or `make run` serves. It works once."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--site", metavar="URL", help=SITE_HELP)

    def handle(self, *, site: str | None, **options: object) -> None:
        address, served = served_site.site_address(site), served_site.noted()
        if served and not served.has_owner:
            raise CommandError("The site was started without an owner: 'papersite invite' makes accounts.")
        try:
            key = owner.new_key(Path(settings.DATA))
        except OSError as error:
            raise CommandError(f"The data folder {settings.DATA} cannot be written ({error.strerror}).") from None
        self.stdout.write(owner.link(address, key))
        self.stderr.write("It works once. Links that were printed before no longer work.")


class Invite(BaseCommand):
    help = "Make an account and print a link at which its owner chooses a password. It holds for a week."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", help="the name to sign in with")
        parser.add_argument("--role", choices=ROLES, default="reader", help="default: reader")
        parser.add_argument("--site", metavar="URL", help=SITE_HELP)

    def handle(self, *, name: str, role: Role, site: str | None, **options: object) -> None:
        address, served = served_site.site_address(site), served_site.noted()
        if not settings.SECRET_KEY_KEPT:
            raise CommandError(
                "There is no secret key to sign the link with: give this command the PAPERSITE_SECRET_KEY and "
                f"PAPERSITE_DATA of the site, or start 'papersite' once (the data folder is {settings.DATA})."
            )
        if served and served.key_mark != served_site.key_mark():
            raise CommandError("The site was started with another PAPERSITE_SECRET_KEY: give this command the same.")
        try:
            path = invite(name, role)
        except ValueError as error:
            raise CommandError(str(error)) from None
        self.stdout.write(address + path)
        self.stderr.write(f"It works once, for a week. Links that were printed for {name} before no longer work.")
