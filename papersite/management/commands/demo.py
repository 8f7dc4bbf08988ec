"""manage.py demo: set up the demo library and serve it. `make run` calls it."""

import os
import secrets
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand, call_command

from papercore.snapshot_layout import DATABASE
from papersite.bind_address import DEFAULT_BIND, parse_bind, require_free

INPUTS = Path(settings.BASE_DIR) / "papers" / "demo"


class Command(BaseCommand):
    help = "Build the demo library if it is not there, prepare the database, and serve."
    requires_system_checks = ()  # they would complain about what is made here

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--bind", default=DEFAULT_BIND, metavar="HOST:PORT", help=f"default: {DEFAULT_BIND}")
        parser.add_argument("--no-serve", action="store_true", help="build and stop")

    def handle(self, *args: Any, bind: str, no_serve: bool, **options: Any) -> None:  # Any: Django's signature
        if not no_serve:
            require_free(*parse_bind(bind))
        build_demo_library()
        call_command("build_spec_index")
        call_command("migrate", interactive=False, verbosity=0)
        if no_serve:
            return
        secret_key = settings.SECRET_KEY_GIVEN or stored_secret_key(Path(settings.DATA) / "secret-key")
        os.environ["PAPERSITE_SECRET_KEY"] = secret_key
        # A new process, because settings are read from the environment once.
        os.execv(sys.executable, [sys.executable, sys.argv[0], "serve", "--bind", bind])  # noqa: S606


def build_demo_library() -> None:
    """Build it if it is missing or older than its inputs. A snapshot of the user's own is left alone."""
    folder = Path(settings.DATA) / "demo"
    if Path(settings.SNAPSHOT) != folder / DATABASE:
        return
    if is_current(folder / DATABASE):
        call_command("build_index", if_needed=True)
        return
    inputs = sorted([*INPUTS.glob("summaries/*.json"), *INPUTS.glob("*.bib")])
    texts = ["--markdown", str(INPUTS / "markdown"), "--translations", str(INPUTS / "translations")]
    call_command("build_snapshot", *map(str, inputs), "--out", str(folder), *texts)


def is_current(snapshot: Path) -> bool:
    newest = max(path.stat().st_mtime for path in INPUTS.rglob("*"))
    return snapshot.exists() and snapshot.stat().st_mtime >= newest


def stored_secret_key(path: Path) -> str:
    """The demo's secret key: made once, in a file that only its owner can read."""
    if not path.exists():
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w") as file:
            file.write(secrets.token_urlsafe(50))
    return path.read_text().strip()
