"""Brings a data folder up to this program: backup, database, demo library, indexes, static files."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import OutputWrapper
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from papercore.version import VERSION
from papersite.data import demo_library
from papersite.data import folder as data_folder
from papersite.data.folder import UnusableData
from papersite.preparation_inputs import inputs_fingerprint


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
            demo_library.build_demo_library()
        if not (demo and demo_library.is_served()) and Path(settings.SNAPSHOT).is_relative_to(folder):
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
