"""Search sessions that seem to be worked on by a process which does nothing."""

import sqlite3
from datetime import UTC, datetime, timedelta
from pathlib import Path

from paper_search.workflow.state import WorkflowState


def claim(data: Path, session_id: str, seconds: float) -> None:
    """The session is at its first step, claimed for so long; when that is over, somebody else does the work."""
    until = (datetime.now(UTC) + timedelta(seconds=seconds)).strftime("%Y-%m-%d %H:%M:%S.%f")
    state = WorkflowState(query="attention").model_dump_json()
    with sqlite3.connect(data / "site.sqlite3") as database:
        database.execute(
            "UPDATE searches_searchsession SET status = 'running', checkpoint_id = '', state = ?, lease = 'other',"
            " lease_until = ? WHERE id = ?",
            [state, until, session_id],
        )
    database.close()
