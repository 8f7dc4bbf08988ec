"""One running server that all of these tests share, and libraries and databases for those that need their own."""

import shutil
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from papercore.snapshot.file import write_checksum
from tests import snapshot as sample
from tests.server import SiteServer, manage

MakeServer = Callable[..., SiteServer]


SET_UP = "from papersite.command.commands import call_command as call; "
SET_UP += "call('migrate', verbosity=0); call('build_index', verbosity=0); call('build_spec_index', verbosity=0)"


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder in which everything is ready, to be copied."""
    folder = tmp_path_factory.mktemp("template")
    write_checksum(sample.build(folder / "demo"))
    (folder / "collected-static").mkdir()  # `manage.py serve` fills it; these tests look at no styles
    done = manage(folder, "shell", "-c", SET_UP)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="session")
def make_server(tmp_path_factory: pytest.TempPathFactory, template: Path) -> Iterator[MakeServer]:
    """Starts a server over the sample library in a folder of its own; all of them end with the tests."""
    started: list[SiteServer] = []

    def make(wrapper: tuple[str, ...] = (), *, by_systemd: bool = False, **settings: str) -> SiteServer:
        data = tmp_path_factory.mktemp("sites") / "site"
        shutil.copytree(template, data)
        started.append(SiteServer(data, wrapper=wrapper, by_systemd=by_systemd, **settings))
        return started[-1]

    yield make
    for server in started:  # all at once, for each takes a while
        server.signal(signal.SIGTERM)
    for server in started:
        server.close()


@pytest.fixture(scope="session")
def server(make_server: MakeServer) -> SiteServer:
    """A server with two workers."""
    server = make_server(WEB_CONCURRENCY="2", PAPERSITE_SESSION_CALLS="0")
    server.wait_until_up()
    return server


@pytest.fixture(scope="session")
def single(make_server: MakeServer) -> SiteServer:
    """A server with one worker, whose memory of the last good snapshot is the only one."""
    server = make_server(WEB_CONCURRENCY="1")
    server.wait_until_up()
    return server
