"""Brings a data folder up to this program: backup, database, demo library, indexes, static files."""

import hashlib
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

from django.conf import settings
from django.core.management.base import OutputWrapper
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

import papers
from papercore.snapshot.file import DATABASE, BadSnapshot, open_read_only, read_facts
from papercore.version import VERSION
from papers.snapshot.served import is_demo
from papersite.command.commands import call_command
from papersite.configuration import files
from papersite.data import folder as data_folder
from papersite.data.folder import UnusableData
from specs.reading.files import find_specs, projects

# Spec files that are looked at for changes when the site starts; a look at one takes microseconds.
SPECS_LOOKED_AT = 20_000
DEMO_INPUTS = Path(papers.__file__).parent / "demo"


def prepare(output: OutputWrapper, *, demo: bool) -> None:
    """Do what is needed before the site starts. Raises UnusableData if the folder must not be used."""
    folder = Path(settings.DATA)
    state = data_folder.read_state(folder)
    data_folder.refuse_newer(folder, state)
    upgrade_database(output, state.version if state else VERSION)
    # Compressing them takes as long as the library, and another core can do it.
    with ThreadPoolExecutor(1) as other:
        static_files = other.submit(call_command, "collectstatic", interactive=False, verbosity=0)
        if demo:
            build_demo_library()
        if not (demo and is_demo()) and Path(settings.SNAPSHOT).is_relative_to(folder):
            # The site starts with what there is, and `papersite` starts a process that fills the index.
            call_command("build_index", if_needed=True, no_fill=True)
        if settings.SPECS:
            call_command("build_spec_index")
        static_files.result()
    data_folder.write_state(folder, inputs_fingerprint())


def upgrade_database(output: OutputWrapper, written_by: str) -> None:
    pending, unknown = migrations()
    if unknown:
        raise UnusableData(data_folder.newer_data(Path(settings.DATA), f"newer than {VERSION}"))
    if not pending:
        return
    if connection.vendor == "sqlite" and connection.introspection.table_names():
        copy = data_folder.back_up(Path(connection.settings_dict["NAME"]), written_by)
        output.write(f"The database is upgraded. As it was before: {copy}")
    call_command("migrate", interactive=False, verbosity=0)


def migrations() -> tuple[list[str], list[str]]:
    """Those that the database lacks, and those that it has and this program does not know."""
    executor = MigrationExecutor(connection)
    graph, applied = executor.loader.graph, executor.loader.applied_migrations
    pending = [f"{step.app_label}.{step.name}" for step, _ in executor.migration_plan(graph.leaf_nodes())]
    ours = executor.loader.migrated_apps
    replaced = {key for step in executor.loader.disk_migrations.values() for key in step.replaces}
    unknown = [f"{app}.{name}" for app, name in applied if app in ours and (app, name) not in {*graph.nodes, *replaced}]
    return pending, unknown


def build_demo_library() -> None:
    """Build it if it is missing or its inputs have changed. A library that its user has changed is left alone."""
    if not is_demo():
        return
    folder = Path(settings.DATA) / "demo"
    mark, inputs = Path(settings.DATA) / "demo-built-from", demo_fingerprint()
    built_from, _, built = mark.read_text(encoding="utf-8").partition("\n") if mark.exists() else ("", "", "")
    present = _build_id(folder / DATABASE)
    if present and (built_from == inputs or (built and built != present)):
        call_command("build_index", if_needed=True)
        return
    bibliographies = sorted([*DEMO_INPUTS.glob("summaries/*.json"), *DEMO_INPUTS.glob("*.bib")])
    texts = ["--markdown", str(DEMO_INPUTS / "markdown"), "--translations", str(DEMO_INPUTS / "translations")]
    call_command("build_snapshot", *map(str, bibliographies), "--out", str(folder), *texts)
    mark.write_text(f"{inputs}\n{_build_id(folder / DATABASE)}", encoding="utf-8")


def _build_id(database: Path) -> str:
    """Empty if there is no library, or none that can be read."""
    try:
        with closing(open_read_only(database)) as connection:
            return read_facts(connection, database.stat().st_size).build_id
    except (BadSnapshot, OSError):
        return ""


def demo_fingerprint() -> str:
    """Of names and contents: an installer may give files any time."""
    digest = hashlib.sha256()
    for path in sorted(path for path in DEMO_INPUTS.rglob("*") if path.is_file()):
        digest.update(
            path.relative_to(DEMO_INPUTS).as_posix().encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest()
        )
    return digest.hexdigest()


def inputs_fingerprint() -> str:
    """Changes with whatever the data folder is prepared from: program, settings, library, specs.

    Needs the settings but no apps, so that a start with nothing to do is quick.
    """
    digest = hashlib.sha256()
    for name, value in sorted(os.environ.items()):
        if name.startswith("PAPERSITE_") and name != "PAPERSITE_SECRET_KEY":
            digest.update(f"{name}={value}\0".encode())
    digest.update(f"{settings.SEARCH_MODEL}\0".encode())
    for path in input_files():
        try:
            status = path.stat()
        except OSError:
            continue
        digest.update(f"{path}\0{status.st_mtime_ns}\0{status.st_size}\0".encode())
    return digest.hexdigest()


def input_files() -> Iterator[Path]:
    yield from (Path(settings.SNAPSHOT), Path(settings.CONFIG or files.PACKAGE))
    for package in settings.PACKAGES:
        yield from sorted((settings.BASE_DIR / package).rglob("*.py"))
    yield from sorted((files.PACKAGE / "static").rglob("*"))
    specs = [file.path for project in projects() for folder in project.spec_folders for file in find_specs(folder)]
    yield from specs[:SPECS_LOOKED_AT]
