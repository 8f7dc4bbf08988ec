"""A real database file for each test: sessions are worked on by threads, which an in-memory one cannot serve."""

import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connections
from pytest_django import DjangoDbBlocker


@contextmanager
def using(path: Path) -> Iterator[None]:
    """The default database, of this thread and of those to come, is this file."""
    before, settings = connections["default"], connections.settings["default"]
    name = settings["NAME"]
    settings["NAME"] = str(path)
    connections["default"] = connections.create_connection("default")
    yield
    connections["default"].close()
    settings["NAME"] = name
    connections["default"] = before


@pytest.fixture(scope="session")
def migrated(
    tmp_path_factory: pytest.TempPathFactory, django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Path:
    """An empty database, made once."""
    path = tmp_path_factory.mktemp("database") / "site.sqlite3"
    with django_db_blocker.unblock(), using(path):
        call_command("migrate", verbosity=0)
    return path


@pytest.fixture
def database(migrated: Path, tmp_path: Path, django_db_blocker: DjangoDbBlocker) -> Iterator[Path]:
    path = tmp_path / "site.sqlite3"
    shutil.copy(migrated, path)
    with django_db_blocker.unblock(), using(path):
        yield path
        finish_work()


def finish_work() -> None:
    """Wait for the threads that work on sessions."""
    for thread in threading.enumerate():
        if thread.name.startswith("search "):
            thread.join(timeout=20)
            assert not thread.is_alive()
