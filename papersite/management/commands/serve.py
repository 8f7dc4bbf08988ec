"""papersite serve: exactly what the settings say, or an error. `papersite` adds --prepare, manage.py does not."""

import os
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand, CommandError, call_command

import papers.health
from papercore.health import Part
from papersite.command.start import make_ready, start_filling
from papersite.data.folder import UnusableData
from papersite.server.serving import DEFAULT_BIND, parse_bind, require_free, require_workers, run_server


class Command(BaseCommand):
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
