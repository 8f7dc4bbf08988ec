"""Reads a paper from a JSON object: a line of .jsonl, or an item of a summary file of the format."""

import re
from collections.abc import Mapping

from ingest.author_names import natural_name
from ingest.entries.entry import BadEntry, BibtexEntry, PaperEntry, Provenance, Publication, Summary
from ingest.reading.bibtex_writer import bibtex_text
from ingest.reading.fields import Fields, person_names, text_block, text_line, text_list
from papercore.bibliography.dates import date_text
from papercore.bibliography.identifiers import arxiv_of_doi, canonical_arxiv, canonical_doi
from papercore.text import clean_text, one_line

_TEMPLATE_CHARS = re.compile(r"[^a-z0-9_-]+")
_MODULE = re.compile(r"module_", re.IGNORECASE)


def paper_entry(item: object, template: str = "") -> PaperEntry:
    """The entry for one JSON value; `template` names the summary when the paper itself does not."""
    if not isinstance(item, Mapping):
        raise BadEntry("not an object")
    title = text_line(item, "paper_title", "title")
    if not title:
        raise BadEntry("no title")
    bib = _bib_fields(item)
    doi = canonical_doi(text_line(item, "doi", "paper_doi") or text_line(bib, "doi") or text_line(item, "url"))
    return PaperEntry(
        title=title,
        authors=person_names(item, "paper_authors") or _authors(item),
        date=_date(item),
        venue=text_line(item, "publication_venue", "venue", "journal", "booktitle"),
        abstract=text_block(item, "abstract", "text"),
        keywords=text_list(item, "keywords"),
        institutions=text_list(item, "paper_institutions", "institutions"),
        tags=text_list(item, "ai_generated_tags", "tags"),
        doi=doi,
        arxiv=_arxiv(item, bib) or arxiv_of_doi(doi),
        bib_key=_bib_key(item) or None,
        bibtex=_bibtex(item),
        publication=_publication(item),
        summaries=_summaries(item, template),
        source_path=text_line(item, "source_path"),
        source_hash=text_line(item, "source_hash"),
    )


def _authors(item: Fields) -> tuple[str, ...]:
    """Authors outside of the format, where `Last, First` is common."""
    return tuple(map(natural_name, person_names(item, "authors", "author")))


def _publication(item: Fields) -> Publication:
    return Publication(
        volume=text_line(item, "volume"),
        issue=text_line(item, "issue", "number"),
        pages=text_line(item, "pages", "page"),
        publisher=text_line(item, "publisher"),
        url=text_line(item, "url"),
    )


def _date(item: Fields) -> str:
    date = text_line(item, "publication_date", "paper_publication_date", "date")
    return date or date_text(text_line(item, "year"), text_line(item, "month"), text_line(item, "day"))


def _provenance(item: Fields) -> Provenance:
    names = ("output_language", "provider", "model", "prompt_template", "extracted_at")
    return Provenance(**{name: text_line(item, name) for name in names})


def _bib_fields(item: Fields) -> Fields:
    bibtex = item.get("bibtex")
    fields = bibtex.get("fields") if isinstance(bibtex, Mapping) else None
    return {str(name).lower(): value for name, value in fields.items()} if isinstance(fields, Mapping) else {}


def _arxiv(item: Fields, bib: Fields) -> str | None:
    named = text_line(item, "arxiv_id", "arxiv") or text_line(bib, "arxiv", "arxivid", "arxiv_id")
    if not named and text_line(bib, "archiveprefix").lower() == "arxiv":
        named = text_line(bib, "eprint")
    return canonical_arxiv(named or text_line(item, "url"))


def _bib_key(item: Fields) -> str:
    bibtex = item.get("bibtex")
    nested = text_line(bibtex, "key") if isinstance(bibtex, Mapping) else ""
    return nested or text_line(item, "bibkey", "bib_key", "citation_key")


def _bibtex(item: Fields) -> BibtexEntry | None:
    bibtex = item.get("bibtex")
    if not isinstance(bibtex, Mapping):
        return None
    key, entry_type = text_line(bibtex, "key"), text_line(bibtex, "type", "entry_type").lower() or "misc"
    raw = text_block(bibtex, "raw", "raw_entry", "bibtex_raw") or bibtex_text(entry_type, key, _bib_fields(item))
    return BibtexEntry(raw=raw, key=key, entry_type=entry_type) if key else None


def _summaries(item: Fields, template: str) -> tuple[Summary, ...]:
    text = text_block(item, "summary") or _modules(item)
    own = text_line(item, "template_tag") or template or text_line(item, "prompt_template")
    provenance = _provenance(item)
    found = [Summary(template=template_tag(own), text=text, provenance=provenance)] if text else []
    templates = item.get("templates")
    if isinstance(templates, Mapping):
        for tag, fields in templates.items():
            found.extend(_nested_summary(str(tag), fields, provenance))
    return tuple(found)


def _nested_summary(tag: str, fields: object, provenance: Provenance) -> list[Summary]:
    text = (text_block(fields, "summary") or _modules(fields)) if isinstance(fields, Mapping) else ""
    return [Summary(template=template_tag(tag), text=text, provenance=provenance)] if text else []


def template_tag(name: str) -> str:
    """A template's name in the characters that an asset key may have."""
    return _TEMPLATE_CHARS.sub("_", one_line(name).lower()).strip("_")[:64] or "simple"


def _modules(item: Fields) -> str:
    """The `module_*` fields as sections, in their order."""
    sections = [
        f"## {_heading(name)}\n\n{body}"
        for name, value in item.items()
        if _MODULE.match(name) and (body := _markdown(value))
    ]
    return "\n\n".join(sections)


def _heading(name: str) -> str:
    return one_line(name.replace("_", " ")).title()


def _markdown(value: object, depth: int = 0) -> str:
    """Text as it is; a list as bullets; an object as bold names with their values."""
    if depth > 5 or value is None:
        return ""
    if isinstance(value, list):
        items = (_markdown(item, depth + 1) for item in value)
        return "\n".join("- " + item.replace("\n", "\n  ") for item in items if item)
    if isinstance(value, Mapping):
        named = ((str(name), _markdown(item, depth + 1)) for name, item in value.items())
        return "\n\n".join(f"**{_heading(name)}:** {item}" for name, item in named if item)
    return clean_text(str(value))
