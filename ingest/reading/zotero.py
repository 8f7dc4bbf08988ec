"""Reads a Zotero data folder: the record of each item, its files, and what the reader wrote beside it."""

import hashlib
import html
import re
from collections.abc import Iterator, Sequence, Set
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from ingest.entries.entry import ABSTRACT_TEMPLATE, LocatedEntry, PaperEntry, Problem, Publication, Summary
from ingest.reading.fields import issue_number, without_markup
from ingest.reading.zotero_database import Annotation, Attachment, ZoteroItem, open_copy
from papercore.bibliography.fields import PersonName, date_text, kind_of_csl
from papercore.bibliography.identifiers import arxiv_mentioned_in, arxiv_of_doi, canonical_arxiv, canonical_doi
from papercore.text import clean_text, one_line

NOTES_TEMPLATE = "notes"
# Zotero's types by CSL's names.
_KINDS = {
    "artwork": "graphic",
    "audioRecording": "song",
    "bill": "bill",
    "blogPost": "post-weblog",
    "book": "book",
    "bookSection": "chapter",
    "case": "legal_case",
    "computerProgram": "software",
    "conferencePaper": "paper-conference",
    "dataset": "dataset",
    "dictionaryEntry": "entry-dictionary",
    "document": "document",
    "encyclopediaArticle": "entry-encyclopedia",
    "forumPost": "post",
    "interview": "interview",
    "journalArticle": "article-journal",
    "letter": "personal_communication",
    "magazineArticle": "article-magazine",
    "manuscript": "manuscript",
    "newspaperArticle": "article-newspaper",
    "patent": "patent",
    "preprint": "article",
    "presentation": "speech",
    "report": "report",
    "standard": "standard",
    "statute": "legislation",
    "thesis": "thesis",
    "webpage": "webpage",
}
# What each type calls the place of publication, and who published it.
_VENUES = (
    "publicationTitle",
    "proceedingsTitle",
    "bookTitle",
    "encyclopediaTitle",
    "dictionaryTitle",
    "websiteTitle",
    "blogTitle",
    "forumTitle",
    "conferenceName",
    "meetingName",
    "repository",
)
_PUBLISHERS = ["publisher", "university", "institution", "company", "label", "studio"]
_AUTHORS = {"author", "programmer", "presenter", "artist", "inventor", "interviewee", "performer", "cartographer"}
_EXTRA = re.compile(r"^[ \t]{0,8}([A-Za-z][A-Za-z ]{1,30}):[ \t]{0,8}(.+)$", re.MULTILINE)
_DATE = re.compile(r"(\d{4})-(\d\d)-(\d\d)")
_BREAK = re.compile(r"</(?:p|li|h\d|div|blockquote|tr)>|<br\s?/?>", re.I)
_TAG = re.compile(r"<[^<>]*>")
_BLANK_LINES = re.compile(r"\n{3,}")
_COLOURS = {
    "#ffd400": "yellow",
    "#ff6666": "red",
    "#5fb236": "green",
    "#2ea8e5": "blue",
    "#a28ae5": "purple",
    "#e56eee": "magenta",
    "#f19837": "orange",
    "#aaaaaa": "gray",
}


class ZoteroEntry(Struct, frozen=True):
    """An entry, and the PDFs that the database names for it; a PDF without an item has no entry.

    `version` is another one whenever anything has changed that the entry is made of; of a known one there is no entry.
    """

    located: LocatedEntry | None
    attachments: tuple[Attachment, ...]
    version: str = ""


def zotero_entries(copy: Path, folder: Path, known: Set[str] = frozenset()) -> Iterator[ZoteroEntry | Problem]:
    """An entry for each item that is not in the trash, read from a copy of the database of this data folder."""
    with open_copy(copy) as database:
        for item in database.items():
            attachments = tuple(database.pdfs(item))
            marks = [mark for attachment in attachments for mark in database.annotations(attachment)]
            notes = database.notes(item)
            version = hashlib.sha256(msgspec.json.encode((item, notes, marks))).hexdigest()[:32]
            if version in known:
                yield ZoteroEntry(None, attachments, version)
                continue
            title = _field(item, "title", "caseName", "nameOfAct", "subject")
            if not title:
                yield Problem(f"{folder}: item {item.key}", "no title")
                continue
            entry = _entry(item, title, _notes(notes, marks))
            yield ZoteroEntry(LocatedEntry(item.number, entry, key=item.key), attachments, version)
        for attachment in database.loose_pdfs():
            yield ZoteroEntry(None, (attachment,))


def with_file(
    located: LocatedEntry, attachments: Sequence[Attachment], folder: Path, linked: Sequence[Path]
) -> LocatedEntry:
    """The entry with the first of its PDFs that is there, and that may be taken."""
    title = located.entry.title
    found = [path for attachment in attachments if (path := attachment.file_in(folder, linked))]
    if found:
        return replace(located, pdf=found[0])
    if any(attachment.is_linked for attachment in attachments):
        hint = "name the folder it is in with --zotero-base"
        return replace(located, warnings=(f"{title}: its PDF is linked from outside of Zotero's folder; {hint}",))
    return replace(located, warnings=(f"{title}: its PDF is not where Zotero says",))


def _notes(notes: Sequence[str], annotations: Sequence[Annotation]) -> str:
    """The reader's notes and marked passages as markdown."""
    parts = []
    for note in notes:
        lines = html.unescape(_TAG.sub("", _BREAK.sub("\n\n", note))).split("\n")
        parts.append(_BLANK_LINES.sub("\n\n", clean_text("\n".join(line.strip() for line in lines))).strip())
    parts += ["## Annotations"] if annotations else []
    # The passage as a quote, then what the reader wrote about it and where it is.
    for mark in annotations:
        page, colour = f"p. {mark.page}" if mark.page else "", _COLOURS.get(mark.colour.lower(), "")
        where = ", ".join(part for part in (page, colour) if part)
        parts.append(f"> {one_line(mark.text)}" if mark.text else "")
        parts.append(" ".join(part for part in (one_line(mark.comment), f"({where})" if where else "") if part))
    return "\n\n".join(part for part in parts if part)


def _entry(item: ZoteroItem, title: str, notes: str) -> PaperEntry:
    extra = {name.strip().lower(): value.strip() for name, value in _EXTRA.findall(item.fields.get("extra", ""))}
    doi = canonical_doi(_field(item, "DOI") or extra.get("doi", "")) or canonical_doi(_field(item, "url"))
    stated = (extra.get("arxiv", ""), _field(item, "archiveID"), _field(item, "archiveLocation"), _field(item, "url"))
    arxiv = next((found for text in stated if (found := canonical_arxiv(text.split(" ")[0]))), None)
    abstract = clean_text(without_markup(item.fields.get("abstractNote", "")))
    # Zotero stores what it understood before what was typed: `2017-06-00 June 2017`.
    date = one_line(item.fields.get("date", ""))
    if understood := _DATE.match(item.fields.get("date", "")):
        date = date_text(*("" if part.strip("0") == "" else part for part in understood.groups()))
    venue, publisher = _field(item, *_VENUES), _field(item, *_PUBLISHERS)
    authors = _people(item, _AUTHORS) or _people(item, {"contributor", "bookAuthor", "director"})
    tags = [*item.collections, *item.tags, *([item.group] if item.group else [])]
    summaries = [Summary(template=NOTES_TEMPLATE, text=notes)] if notes else []
    if notes and abstract:
        summaries.insert(0, Summary(template=ABSTRACT_TEMPLATE, text=abstract))
    return PaperEntry(
        title=title,
        authors=tuple(dict.fromkeys(name.natural for name in authors)),
        date=date,
        venue=venue or publisher,
        abstract=abstract,
        keywords=tuple(map(one_line, item.keywords)),
        tags=tuple(dict.fromkeys(map(one_line, tags))),
        doi=doi,
        arxiv=arxiv or arxiv_mentioned_in(item.fields.get("extra", "")) or arxiv_of_doi(doi),
        bib_key=_field(item, "citationKey") or extra.get("citation key") or None,
        publication=Publication(
            kind=kind_of_csl(_KINDS.get(item.kind, "document")),
            venue=venue,
            authors=authors,
            editors=_people(item, {"editor"}),
            volume=_field(item, "volume"),
            issue=issue_number(*(_field(item, name) for name in ("issue", "reportNumber", "number"))),
            pages=_field(item, "pages"),
            publisher=publisher,
            place=_field(item, "place"),
            series=_field(item, "series", "seriesTitle"),
            edition=_field(item, "edition"),
            isbn=_field(item, "ISBN"),
            issn=_field(item, "ISSN"),
            url=_field(item, "url"),
            language=_field(item, "language"),
        ),
        summaries=tuple(summaries),
    )


def _field(item: ZoteroItem, *names: str) -> str:
    found = (one_line(without_markup(item.fields.get(name, ""))) for name in names)
    return next((text for text in found if text), "")


def _people(item: ZoteroItem, roles: set[str]) -> tuple[PersonName, ...]:
    people = (PersonName(one_line(family), one_line(given)) for role, given, family in item.creators if role in roles)
    return tuple(dict.fromkeys(person for person in people if person.family))
