"""The demo library, served as in production from a temporary folder."""

import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.server import SiteServer, manage


@contextmanager
def demo_server(session_calls: int = 0) -> Iterator[SiteServer]:
    """Without a rate limit unless one is given, because the clients of most benchmarks share one address."""
    with tempfile.TemporaryDirectory(prefix="papersite-bench-") as folder:
        data = Path(folder)
        for command in (["demo", "--no-serve"], ["collectstatic", "--no-input", "--verbosity", "0"]):
            done = manage(data, *command)
            if done.returncode:
                raise SystemExit(done.stderr)
        server = SiteServer(data, PAPERSITE_SESSION_CALLS=str(session_calls))
        try:
            server.wait_until_up()
            yield server
        finally:
            server.close()


def paper_ids(server: SiteServer) -> list[str]:
    database = sqlite3.connect(f"file:{server.data / 'demo' / 'paper_snapshot.db'}?mode=ro", uri=True)
    found = [row[0] for row in database.execute("SELECT paper_id FROM paper ORDER BY paper_id")]
    database.close()
    return found
