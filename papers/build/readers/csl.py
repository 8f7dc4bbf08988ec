"""Reads an item of CSL-JSON, as Zotero and JabRef export it."""

from collections.abc import Mapping

from papercore.identifiers import arxiv_of_doi, canonical_arxiv, canonical_doi
from papers.build.dates import date_text
from papers.build.entry import BadEntry, PaperEntry
from papers.build.readers.fields import Fields, person_names, text_block, text_line, text_list
from papers.build.readers.markup import without_markup
from papers.build.text import clean_line


def csl_entry(item: object) -> PaperEntry:
    if not isinstance(item, Mapping):
        raise BadEntry("not an object")
    title = without_markup(text_line(item, "title"))
    if not title:
        raise BadEntry("no title")
    doi = canonical_doi(text_line(item, "DOI", "doi") or text_line(item, "URL"))
    return PaperEntry(
        title=title,
        authors=person_names(item, "author"),
        date=_date(item.get("issued")),
        venue=text_line(item, "container-title", "event-title", "event", "publisher"),
        abstract=without_markup(text_block(item, "abstract")),
        keywords=text_list(item, "keyword", "keywords"),
        doi=doi,
        arxiv=canonical_arxiv(text_line(item, "URL")) or _arxiv_number(item) or arxiv_of_doi(doi),
        bib_key=text_line(item, "citation-key") or None,
    )


def _arxiv_number(item: Fields) -> str | None:
    number = text_line(item, "number")
    return canonical_arxiv(number) if number.lower().startswith("arxiv:") else None


def _date(issued: object) -> str:
    if not isinstance(issued, Mapping):
        return clean_line(issued) if isinstance(issued, str) else ""
    parts = issued.get("date-parts")
    first = parts[0] if isinstance(parts, list) and parts else None
    if isinstance(first, list) and first:
        texts = [clean_line(str(part)) for part in first[:3]]
        return date_text(*texts, *[""] * (3 - len(texts)))
    return text_line(issued, "raw", "literal")
