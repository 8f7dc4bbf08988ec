"""Papers that were looked up by their identifiers: written as a file for an import, and read by it."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from ingest.entries.entry import BadEntry, LocatedEntry, Problem, Trust
from ingest.reading.paper_json import csl_entry

ENDING = ".looked-up.json"
# How sources that are such papers are named.
LOOKED_UP = "looked up"


class LookedUpPaper(Struct, frozen=True):
    """What a service says of the paper with an identifier, as an item of CSL-JSON.

    Where no service could be asked, `service` is empty and the item a stub that says nothing but the identifier.
    """

    identifier: str
    service: str
    item: dict[str, object]


class LookedUpPapers(Struct, frozen=True):
    """`stubs` and `left_out` say in words which identifiers could not be looked up, and which no service knows."""

    papers: list[LookedUpPaper]
    stubs: list[str]
    left_out: list[str]

    @property
    def notes(self) -> list[str]:
        return [*self.stubs, *self.left_out]


def write_looked_up(folder: Path, papers: Sequence[LookedUpPaper]) -> Path:
    path = folder / f"identifiers{ENDING}"
    path.write_bytes(msgspec.json.encode(papers))
    return path


def read_looked_up(path: Path) -> Iterator[LocatedEntry | Problem]:
    try:
        papers = msgspec.json.decode(path.read_bytes(), type=list[LookedUpPaper])
    except msgspec.DecodeError as error:
        yield Problem(str(path), f"not a list of papers that were looked up: {error}")
        return
    for line, paper in enumerate(papers, 1):
        try:
            entry = csl_entry(paper.item).model_copy(update={"trust": Trust.LOOKED_UP})
            yield LocatedEntry(line, entry, key=paper.identifier, looked_up_at=paper.service)
        except BadEntry as error:
            yield Problem(paper.identifier, str(error))
