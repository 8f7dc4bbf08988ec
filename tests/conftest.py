"""What all tests share: the test snapshot, and a default database that leaves the snapshot alone."""

from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest
from django.conf import settings
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.test.utils import setup_databases, teardown_databases
from pytest_django import DjangoDbBlocker, Settings

from papers.snapshot import served
from papers.snapshot.base import DatabaseWrapper
from tests import snapshot as sample


def pytest_configure() -> None:
    """A checkout that has been run holds collected files and a model; tests serve the files as they are in it now.

    Generated cases are the same in every run, so that none fails by chance: `make fuzz` looks for new ones.
    """
    hypothesis.settings.register_profile("repeatable", derandomize=True, database=None, deadline=None)
    hypothesis.settings.load_profile("repeatable")
    settings.SEARCH_MODEL = ""
    settings.STATIC_ROOT = settings.DATA / "no-collected-static"


@pytest.fixture(scope="session", autouse=True)
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The snapshot that every test reads unless it brings its own."""
    path = sample.build(tmp_path_factory.mktemp("library"))
    settings.SNAPSHOT, settings.ASSETS = path, str(path.parent / "static")
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # the slow ones are Django's to test
    return path


@pytest.fixture(scope="session")
def django_db_setup(django_test_environment: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Create the default database alone: the snapshot is read as it is."""
    with django_db_blocker.unblock():
        created = setup_databases(verbosity=0, interactive=False, aliases={"default": None})
    yield
    with django_db_blocker.unblock():
        teardown_databases(created, verbosity=0)


@pytest.fixture(scope="session", autouse=True)
def snapshot_needs_no_mark(django_db_blocker: DjangoDbBlocker) -> None:
    """The guard against unmarked database access is for the default database; the snapshot is free to read."""
    with django_db_blocker.unblock():
        DatabaseWrapper.ensure_connection = BaseDatabaseWrapper.ensure_connection  # type: ignore[method-assign]


@pytest.fixture(autouse=True)
def fresh_look(library: Path) -> None:
    """Each test begins like a request: with a look at the snapshot."""
    served.renew()


@pytest.fixture
def own_library(tmp_path: Path, settings: Settings) -> Iterator[Path]:
    """A snapshot that the test may replace or break."""
    path = sample.build(tmp_path / "own")
    settings.SNAPSHOT, settings.ASSETS = path, str(path.parent / "static")
    served.renew()
    yield path
    connections["snapshot"].close()
