"""papersite doctor: the state of the whole site on one screen, for when something is wrong."""

import platform
import shutil
import sqlite3
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import django
from django.conf import settings
from django.core import checks
from django.core.management import BaseCommand, CommandError
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor

from papercore.errors import ToolError
from papercore.processes.children import ChildFailed, confinement_gaps
from papercore.version import VERSION
from papers.snapshot import served
from papersite import monitoring
from specs.core import all_notices, parse_all_specs

MARKS = {"ok": "ok      ", "degraded": "DEGRADED", "missing": "MISSING "}


class Doctor(BaseCommand):
    help = "Check every part of the site, and say what to do about problems. Fails if a part is missing."
    requires_system_checks = ()  # their messages are part of the output

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--deploy", action="store_true", help="check the settings as for production")

    def handle(self, *args: Any, deploy: bool, **options: Any) -> None:  # Any: Django's signature
        for name, value in [*installation(), *confinement(), *library(), *database()]:
            self.stdout.write(f"{name:<10}{value}")
        self.stdout.write("")
        parts = monitoring.parts()
        for part in parts:
            where = f" ({settings.SNAPSHOT})" if part.name == "snapshot" and part.hint else ""
            self.stdout.write(f"{MARKS[part.state]}  {part.name:<10}{part.hint}{where}".rstrip())
        for message in checks.run_checks(include_deployment_checks=deploy):
            self.stdout.write(f"{message.id}: {message.msg} {message.hint or ''}".rstrip())
        if missing := [part.name for part in parts if part.state == "missing"]:
            raise CommandError(f"Missing: {', '.join(missing)}.")


def installation() -> Iterator[tuple[str, str]]:
    versions = f"Python {platform.python_version()}, Django {django.__version__}, SQLite {sqlite3.sqlite_version}"
    yield "papersite", f"{VERSION} ({versions})"
    yield "data", f"{settings.DATA} ({free_space(Path(settings.DATA))})"
    yield "hosts", ", ".join(settings.ALLOWED_HOSTS)
    flags = {"https": settings.HTTPS, "debug": settings.DEBUG, "secret key given": bool(settings.SECRET_KEY_GIVEN)}
    yield "settings", ", ".join(f"{name}: {'yes' if value else 'no'}" for name, value in flags.items())
    yield "access", settings.ACCESS
    yield "mcp", f"token {settings.MCP_AUTH}; origins: {', '.join(settings.ALLOWED_ORIGINS) or 'own only'}"


def confinement() -> Iterator[tuple[str, str]]:
    """Whether the processes that open strangers' files are shut in, as a child that tries to get out reports."""
    try:
        gaps = confinement_gaps()
    except (ChildFailed, OSError) as error:
        yield "confined", f"unknown: a process that reads files cannot be started ({error})"
        return
    yield "confined", "yes: files are read without network, other processes or other files" if not gaps else "in part"
    if gaps:
        could = ", ".join(
            {"files": "open any file", "network": "use the network"}.get(gap, f"reach {gap}") for gap in gaps
        )
        yield "", f"a hostile file that takes over its reader could {could}: needs Linux 5.13 with Landlock and seccomp"


def library() -> Iterator[tuple[str, str]]:
    file = served.served_file()
    file.refresh()
    yield "snapshot", f"{settings.SNAPSHOT} ({size_of(Path(settings.SNAPSHOT))})"
    if file.good:
        age = monitoring.snapshot_age()
        days = "age unknown" if age is None else f"{age / 86_400:.1f} days old"
        yield "", f"build {file.good.facts.build_id[:12] or 'unnamed'}, {days}"
    yield "assets", str(settings.ASSETS)
    yield "specs", f"{settings.SPECS} ({len(parse_all_specs())} specs)" if settings.SPECS else "off"
    yield "index", index_fill()
    yield "searches", "on" if settings.SEARCHES else "off"
    for warning in all_notices():
        if warning.notice.code == "unreadable":
            yield "", f"{warning.file}: {warning.notice.message}"


def index_fill() -> str:
    """How much of the library it holds, and by which model."""
    try:
        return served.index_state().message
    except ToolError as error:
        return error.message


def database() -> Iterator[tuple[str, str]]:
    name = str(connection.settings_dict["NAME"])
    yield "database", f"{connection.vendor}: {name}" + (f" ({size_of(Path(name))})" if "/" in name else "")
    try:
        executor = MigrationExecutor(connection)
        plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    except DatabaseError as error:
        yield "", f"cannot be read: {error}"
        return
    if plan:
        yield "", f"{len(plan)} migrations to apply: run 'papersite migrate'"


def size_of(path: Path) -> str:
    return f"{path.stat().st_size / 1e6:,.1f} MB" if path.is_file() else "missing"


def free_space(folder: Path) -> str:
    return f"{shutil.disk_usage(folder).free / 1e9:,.1f} GB free" if folder.is_dir() else "folder missing"
