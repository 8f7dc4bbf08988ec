"""Reads bibliographies that are to be checked in a child process: what each entry says, and which are one work."""

import atexit
import json
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from threading import Lock

from msgspec import Struct, convert, to_builtins
from msgspec.structs import replace

from ingest.bibtex.citation import BIBTEX_FIELD_CHARS, BIBTEX_LONG_FIELD_CHARS, citation_of
from ingest.bibtex.entries import BibtexFields, UnreadableEntry, parse_entries, parse_macros
from ingest.reading.lines import decode_file
from papercore import limits
from papercore.bibliography.checking import BibliographyEntry, folded_title, same_work
from papercore.bibliography.citation import Citation
from papercore.errors import InvalidInput, Unavailable
from papercore.processes.children import ChildCancelled, ChildFailed, ChildLimits, ChildProcess, Unanswerable

_LIMITS = ChildLimits(
    seconds=limits.BIBLIOGRAPHY_SECONDS, wait_seconds=3 * limits.BIBLIOGRAPHY_SECONDS, memory_bytes=1_000_000_000
)
# How long a call waits for those before it: the child reads one bibliography after the other.
_QUEUE_SECONDS = 5
_BYTES_OF_CHAR = 4
_KEY_CHARS = 500
_COMPARED = (
    "title",
    "subtitle",
    "author",
    "date",
    "year",
    "journal",
    "journaltitle",
    "booktitle",
    "doi",
    "url",
    "volume",
    "number",
    "pages",
)
_OTHERS = re.compile(r"\b(?:and\s+\{?others|et\s+al)\b\.?[\s}]{0,9}$", re.IGNORECASE)
# Titles are compared if they begin or end with the same letters: a slip elsewhere does not hide a duplicate.
_END_LETTERS = 10


class PlacedEntry(Struct, frozen=True):
    """An entry, the line on which it begins, and of the fields that are compared those too long to be read.

    `same_as` is the key of an entry before it that is about the same work.
    """

    line: int
    entry: BibliographyEntry
    too_long: tuple[str, ...] = ()
    same_as: str = ""


class ReadBibliography(Struct, frozen=True):
    """The entries that can be read, and the lines on which others begin."""

    entries: tuple[PlacedEntry, ...]
    unreadable_lines: tuple[int, ...] = ()


class UnreadableBibliography(InvalidInput):
    code = "unreadable_bibliography"


class BibliographyReader:
    """Reads one bibliography after the other in a child, which is started when it is needed first."""

    def __init__(self, readable: Sequence[Path] = ()) -> None:
        self._readable = readable
        self._child: ChildProcess | None = None
        self._lock = Lock()

    def read(self, bibliography: str | Path) -> ReadBibliography:
        """A text, or a file that is readable. UnreadableBibliography says why it cannot be checked."""
        wanted = {"path": str(bibliography.absolute())} if isinstance(bibliography, Path) else {"text": bibliography}
        if not self._lock.acquire(timeout=_QUEUE_SECONDS):
            raise Unavailable("Other bibliographies are being read. Try again in some seconds.")
        try:
            child = self._child = self._child or ChildProcess(f"{__name__}:answers", _LIMITS, self._readable)
            return convert(child.ask(json.dumps(wanted).encode()), ReadBibliography)
        except ChildFailed as error:
            if not error.is_refused:
                self.close()
            if isinstance(error, ChildCancelled):
                raise
            name = bibliography.name if isinstance(bibliography, Path) else "The bibliography"
            raise UnreadableBibliography(f"{name} cannot be checked: {error}.") from None
        finally:
            self._lock.release()

    def close(self) -> None:
        """Another thread may read: it then gets a ChildCancelled."""
        child, self._child = self._child, None
        if child:
            child.close()


# For who waits for an answer: starting a child takes longer than reading a short bibliography.
WARM_READER = BibliographyReader()
atexit.register(WARM_READER.close)


def answers(message: bytes) -> Iterator[object]:
    """What the child answers: the bibliography that the message holds or names."""
    wanted = convert(json.loads(message), dict[str, str])
    text = _text_of(Path(wanted["path"])) if "path" in wanted else wanted["text"]
    if len(text) > limits.BIBLIOGRAPHY_CHARS:
        raise Unanswerable(f"it must have at most {limits.BIBLIOGRAPHY_CHARS:,} characters; check it in parts")
    macros: dict[str, str] = {}
    if "@string" in text.lower():
        parse_macros(text, macros)
    found = list(islice(parse_entries(text, macros), limits.BIBLIOGRAPHY_ENTRIES + 1))
    if len(found) > limits.BIBLIOGRAPHY_ENTRIES:
        raise Unanswerable(f"it must have at most {limits.BIBLIOGRAPHY_ENTRIES:,} entries; check it in parts")
    readable = [_entry(item) for item in found if isinstance(item, BibtexFields) and len(item.key) <= _KEY_CHARS]
    unreadable = [item.line + 1 for item in found if isinstance(item, UnreadableEntry) or len(item.key) > _KEY_CHARS]
    yield to_builtins(ReadBibliography(tuple(with_duplicates(readable)), tuple(unreadable)))


def _text_of(path: Path) -> str:
    try:
        if path.stat().st_size > _BYTES_OF_CHAR * limits.BIBLIOGRAPHY_CHARS:
            raise Unanswerable(f"it must have at most {limits.BIBLIOGRAPHY_CHARS:,} characters; check it in parts")
        return decode_file(path.read_bytes())[0]
    except OSError as error:
        raise Unanswerable(error.strerror or "it cannot be opened") from None


def _entry(found: BibtexFields) -> PlacedEntry:
    most = {"author": BIBTEX_LONG_FIELD_CHARS, "editor": BIBTEX_LONG_FIELD_CHARS}
    fields = {name: value for name, value in found.fields.items() if len(value) <= most.get(name, BIBTEX_FIELD_CHARS)}
    entry = BibliographyEntry(
        found.key, citation_of(found.entry_type, fields), bool(_OTHERS.search(fields.get("author", "")))
    )
    too_long = tuple(name for name in _COMPARED if name in found.fields and name not in fields)
    return PlacedEntry(found.line + 1, entry, too_long)


def with_duplicates(entries: Sequence[PlacedEntry]) -> Iterator[PlacedEntry]:
    """Each entry is compared with those before it that have something in common with it, not with all."""
    having: defaultdict[tuple[str, str], list[PlacedEntry]] = defaultdict(list)
    for item in entries:
        marks = list(_marks(item.entry.citation))
        before = sorted((other for mark in marks for other in having[mark]), key=lambda other: other.line)
        first = next((other.entry.key for other in before if same_work(item.entry, other.entry)), "")
        yield replace(item, same_as=first)
        for mark in marks:
            having[mark].append(item)


def _marks(citation: Citation) -> Iterator[tuple[str, str]]:
    """What two entries about one work share: the DOI, or the letters with which their titles begin or end."""
    if citation.doi:
        yield ("doi", citation.doi)
    if title := folded_title(citation.title):
        yield from (("begins", title[:_END_LETTERS]), ("ends", title[-_END_LETTERS:]))
