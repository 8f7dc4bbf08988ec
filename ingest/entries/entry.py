"""What readers return: an entry for a paper, or a problem, each with its place; and the errors of a build or update."""

from collections.abc import Sequence
from enum import IntEnum
from pathlib import Path

from msgspec import Struct
from pydantic import BaseModel, ConfigDict

from papercore.bibliography.fields import PersonName

# The template of the abstract, which serves as the summary of a paper that has none.
ABSTRACT_TEMPLATE = "abstract"


class Trust(IntEnum):
    """How far a source is believed where several describe one paper. Ledgers hold these numbers, so none changes."""

    BIBLIOGRAPHY = 1
    # What a library said of the paper when it was adopted: it came from bibliographies, too.
    LIBRARY = 2
    # What other papers say when they cite it.
    REFERENCES = 3
    # What a file says of itself.
    PDF = 4
    # What a service says of an identifier.
    LOOKED_UP = 5

    @property
    def place(self) -> int:
        """The smaller, the more it is believed."""
        return _PLACES[self]


_PLACES = {Trust.BIBLIOGRAPHY: 1, Trust.LIBRARY: 1, Trust.LOOKED_UP: 2, Trust.REFERENCES: 3, Trust.PDF: 4}


class Provenance(BaseModel):
    """How a summary was made."""

    model_config = ConfigDict(frozen=True)

    output_language: str = ""
    provider: str = ""
    model: str = ""
    prompt_template: str = ""
    extracted_at: str = ""


class Summary(BaseModel):
    model_config = ConfigDict(frozen=True)

    template: str
    text: str
    provenance: Provenance = Provenance()


class BibtexEntry(BaseModel):
    model_config = ConfigDict(frozen=True)

    raw: str
    key: str
    entry_type: str


class Publication(BaseModel):
    """How and where a paper was published, as a citation needs it: names in their parts, CSL's name for the kind."""

    model_config = ConfigDict(frozen=True)

    kind: str = ""
    venue: str = ""
    authors: tuple[PersonName, ...] = ()
    editors: tuple[PersonName, ...] = ()
    volume: str = ""
    issue: str = ""
    pages: str = ""
    publisher: str = ""
    place: str = ""
    series: str = ""
    edition: str = ""
    isbn: str = ""
    issn: str = ""
    url: str = ""
    language: str = ""
    note: str = ""


class PaperEntry(BaseModel):
    """One paper as one input describes it: clean text, canonical DOI and arXiv id, authors as `First Last`.

    The title is empty for a file that says nothing of itself. `has_more_authors`: the list ends with `and others`.
    """

    model_config = ConfigDict(frozen=True)

    title: str
    trust: Trust = Trust.BIBLIOGRAPHY
    authors: tuple[str, ...] = ()
    has_more_authors: bool = False
    date: str = ""
    venue: str = ""
    abstract: str = ""
    keywords: tuple[str, ...] = ()
    institutions: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    doi: str | None = None
    arxiv: str | None = None
    bib_key: str | None = None
    bibtex: BibtexEntry | None = None
    publication: Publication | None = None
    summaries: tuple[Summary, ...] = ()
    source_path: str = ""
    source_hash: str = ""
    # Its texts (`abstract`, `source`) that are not in the authors' words.
    reading_editions: tuple[str, ...] = ()
    # Of a PDF: how many pages it has, and the words that it begins with.
    file_pages: int = 0
    first_words: str = ""


class LocatedEntry(Struct, frozen=True):
    """An entry, the line of the input at which it starts, what is odd about it, and the file that comes with it.

    `key` names it in its input, whatever its place there. `looked_up_at` is set if the key is an identifier that was
    looked up: at this service, or in vain if it is empty.
    """

    line: int
    entry: PaperEntry
    warnings: tuple[str, ...] = ()
    pdf: Path | None = None
    key: str = ""
    looked_up_at: str | None = None
    # It was read before, and is remembered.
    is_known: bool = False


class Problem(Struct, frozen=True):
    """Something in an input that cannot be used, and where it is."""

    place: str
    message: str

    def __str__(self) -> str:
        """The place once, also where the message begins with it."""
        return self.message if self.message.startswith(self.place) else f"{self.place}: {self.message}"


class BadEntry(ValueError):
    """One entry cannot be read; the message says why, and the reader adds the place."""


class BuildError(Exception):
    """Nothing was built or changed; the message says why, in one line for the person at the terminal."""


class LibraryBusy(BuildError):
    """Another build or update is at work in the same folder."""


class BelongsToOther(BuildError):
    """What a correction gives a paper is another paper's."""

    def __init__(self, value: str, other_id: str, other_title: str) -> None:
        super().__init__(f"{value} belongs to “{other_title}” ({other_id}): merge the two if they are one paper.")
        self.other_id = other_id


class UnusableInput(BuildError):
    """These inputs give no paper."""

    def __init__(self, paths: Sequence[Path], message: str) -> None:
        super().__init__(message)
        self.paths = tuple(paths)
