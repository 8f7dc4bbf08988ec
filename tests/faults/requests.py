"""The requests that clients send in these tests, and the check that the answer is the right one."""

from tests.load import KeepAliveClient
from tests.snapshot import PAPERS

IDS = [paper.paper_id for paper in PAPERS]
TITLES = {paper.paper_id: paper.title for paper in PAPERS}


def mixed(client: KeepAliveClient, number: int) -> None:
    """Papers in turn, by tool and by page; an answer about another paper means that answers were swapped."""
    paper_id = IDS[number % len(IDS)]
    if number % 4 == 0:
        assert f"/papers/{paper_id}.json" in client.page(f"/papers/{paper_id}/"), f"page of {paper_id} swapped"
    elif number % 4 == 1:
        found = client.call("search_papers", query=TITLES[paper_id], limit=3)
        assert paper_id in [paper["paper_id"] for paper in found["papers"]], f"search for {paper_id} swapped"
    else:
        assert client.call("get_paper_metadata", paper_id=paper_id)["paper_id"] == paper_id, f"{paper_id} swapped"


def metadata(client: KeepAliveClient, number: int) -> None:
    paper_id = IDS[number % len(IDS)]
    assert client.call("get_paper_metadata", paper_id=paper_id)["title"] == TITLES[paper_id]
