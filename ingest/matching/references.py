"""What references in other papers say of a paper that is known by its PDF alone. What is not sure is left open."""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from ingest.entries.entry import PaperEntry, Trust
from ingest.entries.text import folded, surname
from ingest.matching.claims import best_first
from ingest.matching.facts import compared_title
from ingest.pdf.names import is_person
from papercore.bibliography.fields import UNKNOWN, parse_date
from papercore.bibliography.references import CitablePaper, Reference, cites, read_reference, references_in
from papercore.text import one_line

T = TypeVar("T")
_AND = re.compile(r",? (?:and|&) ")
_YEAR_AT_END = re.compile(r"\(?\b(?:1[6-9]|20)\d\d[a-z]?\)?$")
# What may stand between the authors, the year and the title.
_BETWEEN = " .,:;“\"'‘(["
_FAMILY = re.compile(r"(?:(?:van|von|de|der|den|la|le)\s){0,3}[A-ZÀ-Þ][\w'’-]+", re.UNICODE)
_INITIALS = re.compile(r"(?:[A-Z]\.[\s-]?){0,3}[A-Z]\.?")
# Where the name of a journal or conference ends, and a word that tells that it is one.
_VENUE = re.compile(r"[\s.,;:”\"'’»]*(?:In:?\s+)?(?:the\s+)?([A-Z][^\d.,;:()\[\]“”\"]{5,100}?)\s*(?=[,.;:(\d]|vol\b|$)")
_PUBLISHES = re.compile(
    r"\b(?:Journal|Proceedings|Conference|Transactions|Letters|Review|Reviews|Communications|Symposium|Workshop|Annals"
    r"|Magazine|Bulletin|Quarterly|Surveys)\b"
)


def references_of_text(markdown: str) -> list[tuple[str, str]]:
    """The references of a text whose titles are clear: the title in the form in which it is compared, and all of it."""
    read = references_in(markdown)
    return [(compared_title(each.title), each.text) for each in read if each.title]


def said_in_references(files: Sequence[PaperEntry], texts: Iterable[str]) -> PaperEntry | None:
    """What a paper's own files do not say of authors, year and venue, where the references to it agree."""
    entries = best_first(files)
    title, authors, date, venue = (
        next((value for entry in entries if (value := getattr(entry, name))), "")
        for name in ("title", "authors", "date", "venue")
    )
    year = parse_date(str(date)).year
    known = CitablePaper(
        str(title), None if year == UNKNOWN else int(year), tuple(authors) if isinstance(authors, tuple) else ()
    )
    found = [reference for text in texts if cites(reference := read_reference(text), known)]
    values: dict[str, object] = {}
    if not authors and (names := _agreed(found, _authors, lambda named: tuple(map(surname, named)))):
        values["authors"] = names
    if year == UNKNOWN and (agreed := _agreed(found, lambda cited: str(cited.year or ""), str)):
        values["date"] = agreed
    if not venue and (agreed := _agreed(found, _venue, folded)):
        values["venue"] = agreed
    return PaperEntry(title=str(title), trust=Trust.REFERENCES, **values) if values else None


def _agreed(found: Sequence[Reference], read: Callable[[Reference], T], compared: Callable[[T], object]) -> T | None:
    """The longest form of what all references say that say it; None if they differ."""
    said = [value for reference in found if (value := read(reference))]
    if len({compared(value) for value in said}) != 1:
        return None
    return max(said, key=lambda value: (len(str(value)), str(value)))


def _authors(reference: Reference) -> tuple[str, ...]:
    """The names before the title, if every one of them is clearly a person's and none is left out."""
    before_title = one_line(reference.text.partition(reference.title or "\0")[0])
    text = _YEAR_AT_END.sub("", before_title.rstrip(_BETWEEN)).rstrip(_BETWEEN)
    parts = [part for part in map(one_line, _AND.sub(", ", text).split(",")) if part]
    # The dot of the last initial may have been taken for that of the sentence.
    turned = [f"{given.rstrip('.')}. {family}" for family, given in zip(parts[::2], parts[1::2], strict=False)]
    if len(parts) % 2 == 0 and all(map(_INITIALS.fullmatch, parts[1::2])) and all(map(_FAMILY.fullmatch, parts[::2])):
        return tuple(turned)
    are_named = all(" " in part and is_person(part) and _FAMILY.search(part) for part in parts)
    return tuple(parts) if are_named and "et al" not in text else ()


def _venue(reference: Reference) -> str:
    """What follows the title, if a word in it says that it is a journal or a conference."""
    found = _VENUE.match(reference.text.partition(reference.title or "\0")[2])
    return one_line(found[1]) if found and _PUBLISHES.search(found[1]) else ""
