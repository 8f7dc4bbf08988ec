"""The review board of a search for chat clients that show MCP Apps: its document, and what it shows of a session.

The board's person decides by the same tool as the agent. What tells them apart is the id of the checkpoint: the board
has it signed, and nothing that an agent is answered has that.
"""

import re
from functools import cache
from pathlib import Path
from typing import Annotated, ClassVar

from django.contrib.staticfiles import finders
from django.core.signing import BadSignature, Signer
from django.template.loader import render_to_string
from pydantic import Field

from papercore import limits
from papercore.caller import current
from papercore.version import VERSION
from searches.pages.session_page import SessionPage
from searches.schemas import SessionId
from searches.sessions import store, worker
from searches.sessions.calls import session_tool

_SIGNER = Signer(salt="searches.board")
# The board may load nothing: fonts are those of the machine.
_FONT_FILE = re.compile(r',\s*url\("[^"]+"\) format\("woff2"\)')

PageNumber = Annotated[int, Field(ge=1, le=limits.SEARCH_RESULTS)]


class BoardPage(SessionPage, frozen=True, dict=True):
    # They are sent with the decision.
    saves_marks: ClassVar[bool] = False

    @property
    def checkpoint_id(self) -> str:
        return _SIGNER.sign(self.row.checkpoint_id)


def decided_on(checkpoint_id: str | None) -> tuple[str | None, bool]:
    """The checkpoint that a decision is for, and whether a person made it on the board."""
    if not checkpoint_id or _SIGNER.sep not in checkpoint_id:
        return checkpoint_id, False
    try:
        return _SIGNER.unsign(checkpoint_id), True
    except BadSignature:
        return checkpoint_id, False


@session_tool
def board(session_id: SessionId, page: PageNumber = 1) -> str:
    """What the board shows of a session: the same HTML as its page."""
    row = store.find(session_id, current())
    worker.resume(row)
    store.touch(row)
    store.note_shown(row)
    return render_to_string("searches/_session.html", {"page": BoardPage(row, row.workflow_state, page)})


@cache
def document() -> str:
    """The board itself: one file that needs no other."""
    files = (finders.find(f"papersite/{name}") for name in ("site.css", "board.js"))
    style, script = (Path(str(file)).read_text(encoding="utf-8") for file in files)
    return render_to_string(
        "searches/board.html", {"style": _FONT_FILE.sub("", style), "script": script, "version": VERSION}
    )
