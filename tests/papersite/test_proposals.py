"""Papers that agents propose: who may, what a person sees and accepts, and what an owner may allow."""

import asyncio
from pathlib import Path

import pytest
from django.test import Client
from pytest_django import Settings

from papercore.caller import Caller, calling, scopes_up_to
from papercore.errors import InvalidInput
from papercore.http_client import RequestFailed
from papers.library.additions import AdditionRefused
from searches import proposals
from searches.proposals import ProposedPapers, fetched_file, propose_papers
from tests.paper_search.http_server import Answer, serving
from tests.papersite.test_library_pages import CHANGED, NEW, dois, local, own_folder, wait_for
from tests.server import wait_for as wait_until

__all__ = ["local", "own_folder"]  # fixtures
pytestmark = pytest.mark.django_db(databases=["default", "snapshot"])
BOTH = (NEW + CHANGED).decode()
OLD, CATS = "10.1162/neco.1997.9.8.1735", "10.5555/cats"


def settled(proposal: ProposedPapers, status: str) -> ProposedPapers:
    """The proposal when it is so far, however long a busy machine takes."""
    states = [proposal]

    def is_so() -> bool:
        states.append(propose_papers(addition_id=proposal.addition_id))
        return states[-1].status == status

    wait_until(is_so, status)
    return states[-1]


def test_a_proposal_says_what_it_would_change_and_a_person_accepts_it(local: Client, own_folder: Path) -> None:
    with calling(Caller(site="https://papers.example.org", scopes=scopes_up_to("write"))):
        proposal = settled(propose_papers(text=BOTH), "ready")
    assert (proposal.added, proposal.changed) == (1, 1)
    assert {(paper.kind, paper.title) for paper in proposal.papers} == {
        ("added", "On the weight of cats"),
        ("changed", "Long Short-Term Memory"),
    }
    page = f"/library/add/{proposal.addition_id}/"
    assert proposal.page == f"https://papers.example.org{page}"
    assert dois(own_folder) == {OLD}
    assert "Proposed by agents" in (listed := local.get("/library/add/").content.decode())
    assert page in listed
    assert "On the weight of cats" in local.get(page).content.decode()
    local.post(f"{page}apply/")
    wait_for(local, page, "up to date")
    assert dois(own_folder) == {OLD, CATS}
    history = local.get("/library/add/").content.decode()
    assert "Proposed by agents" not in history
    assert "by an agent" in history


def test_an_owner_may_let_agents_add_and_can_take_it_back(local: Client, own_folder: Path, settings: Settings) -> None:
    settings.AGENT_ADDITIONS = "add"
    done = settled(propose_papers(text=NEW.decode()), "done")
    assert (done.added, done.page) == (1, "/library/add/")
    assert dois(own_folder) == {OLD, CATS}
    build = local.get("/library/add/").content.decode().partition('name="build" value="')[2].partition('"')[0]
    assert local.post("/library/undo/", {"build": build, "operation": "1"}).status_code == 302
    assert dois(own_folder) == {OLD}


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("http://127.0.0.1:9/a.pdf", "private"),
        ("http://169.254.169.254/latest/meta-data", "private"),
        ("file:///etc/passwd", "not an address"),
        ("https://user:password@example.org/a.pdf", "not an address"),
        ("http://[bad", "not an address"),
    ],
)
def test_files_come_from_the_public_web_alone(address: str, said: str) -> None:
    proposal = settled(propose_papers(addresses=[address]), "failed")
    assert said in proposal.notes[0]
    assert (proposal.added, proposal.changed, proposal.next) == (0, 0, "Nothing was added.")


def test_a_file_is_fetched_once_and_within_its_size() -> None:
    async def fetch(address: str, most_bytes: int) -> tuple[str, bytes]:
        return await fetched_file(address, most_bytes, operator_named=True)

    with serving(Answer(NEW.decode())) as service:
        assert asyncio.run(fetch(f"{service.address}/lists/cats.bib?v=1", 1_000)) == ("cats.bib", NEW)
        assert [(asked.path, asked.params) for asked in service.asked] == [("/lists/cats.bib", {"v": "1"})]
        with pytest.raises(RequestFailed, match="too much"):
            asyncio.run(fetch(f"{service.address}/cats.bib", 10))
    with serving(Answer(status=302, headers={"Location": "http://127.0.0.1:9/"})) as service:
        with pytest.raises(InvalidInput, match="302"):
            asyncio.run(fetch(f"{service.address}/a.pdf", 10))
        assert len(service.asked) == 1


def test_nothing_and_too_much_are_refused(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> None:
    with pytest.raises(InvalidInput):
        propose_papers(text="  ")
    monkeypatch.setattr(proposals, "MOST_WAITING", 1)
    settled(propose_papers(text=NEW.decode()), "ready")
    with pytest.raises(AdditionRefused, match="waiting"):
        propose_papers(text=BOTH)
    settings.LIBRARY_CHANGES = "off"
    with pytest.raises(AdditionRefused, match="not changed here"):
        propose_papers(text=BOTH)
