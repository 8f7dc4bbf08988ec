"""Papers that agents would add: a proposal that a person accepts in the browser, or an addition where that is set."""

import asyncio
import time
from collections.abc import Sequence
from io import BytesIO
from typing import Annotated, Literal
from urllib.parse import urlsplit

from django.conf import settings
from django.urls import reverse
from pydantic import BaseModel, Field

from papercore import caller, limits
from papercore.errors import InvalidInput
from papercore.http_client import RequestFailed, Retries, Service, fetch
from papercore.tool import VISIBLE, tool
from papers.library import additions
from papers.library.additions import ADDITIONS, Addition, AdditionRefused, AdditionState
from papers.library.received_files import SentFiles
from searches.identified_papers import look_up_papers

# Proposals that may wait for a person at the same time, and papers of one that an answer names.
MOST_WAITING, SHOWN = 10, 50
FILES, FILE_SECONDS = 10, 20.0
POLL_SECONDS = 0.1
BY = "an agent"
# What an agent does next, by the status of its addition.
NEXT = {
    "reading": "Call propose_papers with addition_id alone to see what it would change.",
    "ready": "Nothing was added yet: show `page` to a person, who accepts or discards it within a day.",
    "applying": "It is being added: call propose_papers with addition_id alone.",
    "done": "It is in the library. A person can take it back at `page`.",
    "failed": "Nothing was added.",
}

Text = Annotated[
    str,
    Field(
        max_length=limits.IDENTIFIER_LIST_CHARS,
        description="DOIs, arXiv ids, PMIDs or addresses of papers' pages, one a line; or BibTeX; or RIS.",
    ),
]
Addresses = Annotated[
    list[Annotated[str, Field(min_length=1, max_length=limits.QUERY_CHARS), VISIBLE]],
    Field(max_length=FILES, description="Addresses of files on the web: PDFs, bibliographies, archives."),
]
AdditionId = Annotated[
    str, Field(max_length=limits.ID_CHARS, description="Of an earlier answer: how far that is. Alone.")
]


class ProposedPaper(BaseModel):
    title: str
    kind: str = Field(description="added, changed (of a paper that is here) or unchanged.")
    paper_id: str
    doubts: tuple[str, ...] = ()


class ProposedPapers(BaseModel):
    """What was read, what it would change or has changed, and what happens next."""

    addition_id: str
    status: Literal["reading", "ready", "applying", "done", "failed"]
    message: str = ""
    added: int = 0
    changed: int = 0
    unchanged: int = 0
    papers: list[ProposedPaper] = []
    notes: list[str] = Field(default=[], description="What could not be read, and why.")
    page: str = Field(description="Where a person accepts or discards it, or takes it back: show it to them.")
    next: str


@tool
def propose_papers(text: Text = "", addresses: Addresses = [], addition_id: AdditionId = "") -> ProposedPapers:  # noqa: B006 (never changed)
    """Propose papers for the library, by identifiers, a bibliography or files on the web.

    Nothing is added before a person accepts it at `page`, unless the owner of the library lets agents add; then it is
    added, and a person can take it back there. The answer says what would change.
    """
    if settings.LIBRARY_CHANGES == "off":
        raise AdditionRefused("This library is not changed here (PAPERSITE_LIBRARY_CHANGES is off).")
    if addition_id:
        return _shown(ADDITIONS.find(addition_id))
    if not text.strip() and not addresses:
        raise InvalidInput("There is nothing to add: give text or addresses.")
    adds = settings.AGENT_ADDITIONS == "add"
    if not adds and len(additions.proposals()) >= MOST_WAITING:
        raise AdditionRefused(f"{MOST_WAITING} proposals are waiting for a person already.")
    token = caller.current().key
    addition = ADDITIONS.new(AdditionState(by=f"{BY} (token {token[:8]})" if token else BY, proposed=not adds))
    sent = additions.sent_files(addition, text)
    state = addition.load()
    state.notes = asyncio.run(_bring(sent, addresses))
    addition.save(state)
    additions.start_reading(addition, sent, look_up_papers)
    if _waited(addition).status == "ready" and adds:
        additions.start_applying(addition)
        _waited(addition)
    return _shown(addition)


async def _bring(sent: SentFiles, addresses: Sequence[str]) -> list[str]:
    """The files at these addresses, each by the one client, within what may be uploaded; why some are not there."""
    left, problems = limits.UPLOAD_BYTES, []
    for address in addresses:
        try:
            name, content = await fetched_file(address, left)
        except (RequestFailed, InvalidInput) as error:
            problems.append(f"{address[: limits.ID_CHARS]}: {error}")
            continue
        left -= len(content)
        sent.add(name, BytesIO(content))
    return problems


async def fetched_file(address: str, most_bytes: int, *, operator_named: bool = False) -> tuple[str, bytes]:
    """The name and content of a file on the web. RequestFailed or InvalidInput says why there is none."""
    try:
        parts = urlsplit(address)
        usable = parts.scheme in ("http", "https") and parts.hostname and "@" not in parts.netloc
    except ValueError:
        usable = False
    if not usable:
        raise InvalidInput("not an address that begins with http:// or https://")
    service = Service(
        f"{parts.scheme}://{parts.netloc}", max(1, most_bytes), FILE_SECONDS, operator_named, stranger_named=True
    )
    path = f"{parts.path or '/'}{'?' if parts.query else ''}{parts.query}"
    reply = await fetch(service, path, retries=Retries(attempts=1))
    if reply.status_code != 200:
        raise InvalidInput(f"the server answers {reply.status_code}; give the file's own address")
    return parts.path.rpartition("/")[2] or parts.netloc, reply.content


def _waited(addition: Addition) -> AdditionState:
    """The state when nothing is done on it any more, or when the call has waited for long enough."""
    ends = time.monotonic() + min(limits.SESSION_WAIT_SECONDS, caller.current().waits_until - time.monotonic())
    while (state := addition.load()).is_working and time.monotonic() < ends:
        time.sleep(POLL_SECONDS)
    return state


def _shown(addition: Addition) -> ProposedPapers:
    state = addition.load()
    papers = [change for change in state.changes if change.kind != "unchanged"][:SHOWN]
    # What is done is taken back where papers are added.
    page = reverse("library-add") if state.status == "done" else reverse("library-addition", args=[addition.id])
    return ProposedPapers(
        addition_id=addition.id,
        status=state.status,
        message=state.message,
        added=state.count("added"),
        changed=state.count("changed"),
        unchanged=state.count("unchanged"),
        papers=[
            ProposedPaper(title=each.title, kind=each.kind, paper_id=each.paper_id, doubts=each.doubts)
            for each in papers
        ],
        notes=state.notes[:SHOWN],
        page=f"{caller.current().site}{page}",
        next=NEXT[state.status],
    )
