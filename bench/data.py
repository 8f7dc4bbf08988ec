"""Papers of the benchmark collections, as documents to be indexed."""

import orjson
from pydantic import BaseModel, Field

from paper_search.retrieval import Document

FACETS = ("author", "venue", "keyword")


class Paper(BaseModel):
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
