"""Reads an item of CSL-JSON, as Zotero and JabRef export it."""

from collections.abc import Mapping

from ingest.entries.entry import BadEntry, PaperEntry, Publication
from ingest.reading.fields import Fields, text_block, text_line, text_list
from ingest.reading.markup import without_markup
from papercore.bibliography.dates import date_text
from papercore.bibliography.identifiers import arxiv_of_doi, canonical_arxiv, canonical_doi
from papercore.bibliography.kinds import kind_of_csl
from papercore.bibliography.names import PersonName, parse_name
from papercore.text import one_line


def csl_entry(item: object) -> PaperEntry:
    if not isinstance(item, Mapping):
        raise BadEntry("not an object")
    title = _text(item, "title")
    if not title:
        raise BadEntry("no title")
    doi = canonical_doi(text_line(item, "DOI", "doi") or text_line(item, "URL"))
    publication = _publication(item)
    return PaperEntry(
        title=title,
        authors=tuple(dict.fromkeys(name.natural for name in publication.authors)),
        date=_date(item.get("issued")),
        venue=publication.venue or publication.publisher,
        abstract=without_markup(text_block(item, "abstract")),
        keywords=text_list(item, "keyword", "keywords"),
        doi=doi,
        arxiv=canonical_arxiv(text_line(item, "URL")) or _arxiv_number(item) or arxiv_of_doi(doi),
        bib_key=text_line(item, "citation-key") or None,
        publication=publication,
    )


def _publication(item: Fields) -> Publication:
    return Publication(
        kind=kind_of_csl(text_line(item, "type")),
        venue=_text(item, "container-title", "event-title", "event"),
        authors=_names(item, "author"),
        editors=_names(item, "editor"),
        volume=_text(item, "volume"),
        issue=_text(item, "issue", "number"),
        pages=_text(item, "page", "page-first"),
        publisher=_text(item, "publisher"),
        place=_text(item, "publisher-place"),
        series=_text(item, "collection-title"),
        edition=_text(item, "edition"),
        isbn=_text(item, "ISBN"),
        issn=_text(item, "ISSN"),
        url=text_line(item, "URL"),
        language=_text(item, "language"),
        note=_text(item, "note"),
    )


def _text(item: Fields, *names: str) -> str:
    return one_line(without_markup(text_line(item, *names)))


def _names(item: Fields, role: str) -> tuple[PersonName, ...]:
    listed = item.get(role) or []
    if not isinstance(listed, list):
        raise BadEntry(f"{role} is not a list")
    names = (_name(person) for person in listed)
    return tuple(dict.fromkeys(name for name in names if name.family))


def _name(person: object) -> PersonName:
    if not isinstance(person, Mapping):
        return parse_name(str(person))
    # Particles stay with the name that they are written with, where the export finds them again.
    family = f"{text_line(person, 'non-dropping-particle')} {text_line(person, 'family')}"
    given = f"{text_line(person, 'given')} {text_line(person, 'dropping-particle')}"
    name = PersonName(family.strip(), given.strip(), text_line(person, "suffix"))
    return name if name.family else PersonName(text_line(person, "literal", "name") or name.given)


def _arxiv_number(item: Fields) -> str | None:
    number = text_line(item, "number")
    return canonical_arxiv(number) if number.lower().startswith("arxiv:") else None


def _date(issued: object) -> str:
    if not isinstance(issued, Mapping):
        return one_line(issued) if isinstance(issued, str) else ""
    parts = issued.get("date-parts")
    first = parts[0] if isinstance(parts, list) and parts else None
    if isinstance(first, list) and first:
        texts = [one_line(str(part)) for part in first[:3]]
        return date_text(*texts, *[""] * (3 - len(texts)))
    return text_line(issued, "raw", "literal")
