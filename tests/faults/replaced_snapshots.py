"""Two snapshots that replace each other under load, and a request that notices an answer made from both."""

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from ingest.entries.report import NoProgress
from papercore.snapshot.assets import FolderStore
from papers.library import index_build
from tests import snapshot as sample
from tests.load import KeepAliveClient

# Every title ends with its snapshot's mark, and the second has a paper less.
MARKED = {"AA": sample.PAPERS, "BB": [paper for paper in sample.PAPERS if paper.year != "2024"]}
SIZES = {mark * 16: len(papers) for mark, papers in MARKED.items()}
DATED = {mark: len([paper for paper in papers if paper.year.isdigit()]) for mark, papers in MARKED.items()}
MARKS = re.compile(r"\b(AA|BB)\b")


def put(path: Path, content: bytes) -> None:
    aside = path.with_name("aside")
    aside.write_bytes(content)
    aside.replace(path)


@contextmanager
def two_snapshots(folder: Path) -> Iterator[None]:
    """Build both beside the served one, each with its index. The one that was served is put back at the end."""
    served = folder / "paper_snapshot.db"
    before = folder / "before"
    shutil.copy(served, before)
    for mark, papers in MARKED.items():
        named = [replace(paper, title=f"{paper.title} {mark}") for paper in papers]
        path = sample.build(folder, named, build_id=mark * 16)
        index_build.build(path, FolderStore(str(folder / "static")), NoProgress())
        shutil.copy(path, folder / f"{mark}.db")
    sample.build(folder)  # assets are no part of what is replaced: theirs bear no mark
    yield
    before.replace(served)
    index_build.build(served, FolderStore(str(folder / "static")), NoProgress())


def switch(folder: Path, turn: int) -> None:
    """Serve the other snapshot, and a list of indexes that is as new."""
    listing = folder / "index" / "generations.json"
    put(folder / "paper_snapshot.db", (folder / f"{list(MARKED)[turn % 2]}.db").read_bytes())
    put(listing, listing.read_bytes())


def of_one_snapshot(client: KeepAliveClient, number: int) -> None:
    """Ask for titles and their number, counts and the build id, and a page: each must come from one snapshot."""
    found = client.call("search_papers", query="transformer memory")["papers"]
    assert len(found) > 1
    mark_of([paper["title"] for paper in found])
    listed = client.call("filter_papers", year_from=1990)
    assert DATED[mark_of([paper["title"] for paper in listed["papers"]])] == listed["total"], "mixed: titles and number"
    stats = client.call("get_database_stats")
    assert SIZES[stats["build_id"]] == stats["papers"], "mixed: id and count"
    mark_of([client.page("/papers/123/")])


def mark_of(texts: list[str]) -> str:
    marks: set[str] = {mark for text in texts for mark in MARKS.findall(text)}
    assert len(marks) == 1, f"mixed: {sorted(marks)}"
    return marks.pop()
