"""Sessions of the library's MCP server that a test can look into."""

import pytest

from paper_search import mcp_server as server
from paper_search.workflow.session import SessionManager
from tests.paper_search.workflows import Parts, maker


@pytest.fixture
def parts(monkeypatch: pytest.MonkeyPatch) -> list[Parts]:
    """Sessions whose workflows are made of our own parts, which the test can look at."""
    made: list[Parts] = []

    def new() -> Parts:
        made.append(Parts())
        return made[-1]

    monkeypatch.setattr(server, "sessions", SessionManager(make_workflow=maker(new)))
    return made
