"""Papers of the benchmark collections, read one by one as documents for the index."""

import gzip
import mmap
import random
from array import array
from collections.abc import Iterator
from pathlib import Path

import orjson
from msgspec.structs import replace
from pydantic import BaseModel, Field

from papercore.retrieval import Document

FACETS = ("author", "venue", "keyword")
FREQUENT = 1_024


class CollectionPaper(BaseModel):
    """One line of a collection."""

    id: str = Field(alias="_id")
    title: str
    text: str
    authors: list[str] = []
    keywords: list[str] = []
    year: int | None = None
    venue: str = ""
    doi: str = ""

    def document(self) -> Document:
        return Document(
            id=self.id,
            title=self.title,
            text=self.text,
            year=self.year,
            identifiers=(self.doi,) if self.doi else (),
            facets={
                "author": tuple(self.authors),
                "venue": (self.venue,) if self.venue else (),
                "keyword": tuple(self.keywords),
            },
            payload=orjson.dumps(
                {"title": self.title, "year": self.year, "venue": self.venue, "authors": self.authors}
            ),
        )


def read(path: Path) -> Iterator[Document]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield CollectionPaper.model_validate_json(line).document()


class PaperFile:
    """As many papers of a file as asked for. None is kept in memory, so that the memory of a build is its own.

    Beyond the end of the file papers are repeated, each with the abstract of another.
    """

    def __init__(self, path: Path, scratch: Path) -> None:
        self._path = path
        self._ends = array("q", [0])
        with (scratch / "abstracts").open("w+b") as file:
            for paper in read(path):
                self._ends.append(self._ends[-1] + file.write(paper.text.encode()))
            file.flush()
            self._abstracts = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)

    def first(self, size: int) -> Iterator[Document]:
        chance, done = random.Random(1), 0
        while done < size:
            for paper in read(self._path):
                if done == size:
                    return
                again = done >= len(self._ends) - 1
                yield replace(paper, id=f"{paper.id}-{done}", text=self._abstract(chance)) if again else paper
                done += 1

    def _abstract(self, chance: random.Random) -> str:
        number = chance.randrange(len(self._ends) - 1)
        return self._abstracts[self._ends[number] : self._ends[number + 1]].decode()
