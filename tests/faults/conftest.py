"""One running server that all of these tests share, and libraries and databases for those that need their own."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests import snapshot as sample
from tests.server import Server, manage

MakeServer = Callable[..., Server]


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated default database, to be copied."""
    folder = tmp_path_factory.mktemp("database")
    done = manage(folder, "migrate", "--verbosity", "0")
    assert done.returncode == 0, done.stderr
    return folder / "site.sqlite3"


@pytest.fixture(scope="session")
def make_server(tmp_path_factory: pytest.TempPathFactory, empty_database: Path) -> Iterator[MakeServer]:
    """Starts a server over the sample library in a folder of its own; all of them end with the tests."""
    started: list[Server] = []

    def make(**settings: str) -> Server:
        data = tmp_path_factory.mktemp("site")
        shutil.copy(empty_database, data)
        (data / "collected-static").mkdir()  # `manage.py serve` fills it; these tests look at no styles
        sample.build(data / "demo")
        started.append(Server(data, **settings))
        return started[-1]

    yield make
    for server in started:
        server.close()


@pytest.fixture(scope="session")
def server(make_server: MakeServer) -> Server:
    return make_server()
