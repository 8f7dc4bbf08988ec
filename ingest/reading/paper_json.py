"""What a JSON object says of a paper: one of the format, or an item of CSL-JSON as Zotero and JabRef export it."""

import re
from collections.abc import Mapping

from ingest.entries.entry import BadEntry, BibtexEntry, PaperEntry, Provenance, Publication, Summary
from ingest.entries.text import natural_name
from ingest.reading.fields import Fields, issue_number, person_names, text_block, text_line, text_list, without_markup
from papercore.bibliography.bibtex import has_balanced_braces
from papercore.bibliography.fields import PersonName, date_text, kind_of_bibtex, kind_of_csl, parse_name
from papercore.bibliography.identifiers import arxiv_of_doi, canonical_arxiv, canonical_doi
from papercore.text import clean_text, one_line

_TEMPLATE_CHARS = re.compile(r"[^a-z0-9_-]+")
# As Crossref, CSL, OpenAlex and Semantic Scholar write them, in letters alone; BibTeX's are known.
_STATED_KINDS = {
    **dict.fromkeys(("journalarticle", "articlejournal", "review"), "article-journal"),
    **dict.fromkeys(("conferencepaper", "paperconference", "proceedingsarticle"), "paper-conference"),
    **dict.fromkeys(("bookchapter", "chapter", "booksection", "incollection"), "chapter"),
    **dict.fromkeys(("monograph", "editedbook"), "book"),
    **dict.fromkeys(("dissertation", "phd"), "thesis"),
    **dict.fromkeys(("preprint", "postedcontent"), "article"),
    "technicalreport": "report",
}
_MODULE = re.compile(r"module_", re.IGNORECASE)


def paper_entry(item: object, template: str = "") -> PaperEntry:
    """The entry for an object of the format; `template` names the summary when the paper itself does not."""
    if not isinstance(item, Mapping):
        raise BadEntry("not an object")
    title = text_line(item, "paper_title", "title")
    if not title:
        raise BadEntry("no title")
    bibtex = _object(item.get("bibtex"))
    bibtex_fields = {str(name).lower(): value for name, value in _object(bibtex.get("fields")).items()}
    stated_doi = text_line(item, "doi", "paper_doi") or text_line(bibtex_fields, "doi")
    doi = canonical_doi(stated_doi or text_line(item, "url"))
    arxiv = text_line(item, "arxiv_id", "arxiv") or text_line(bibtex_fields, "arxiv", "arxivid", "arxiv_id")
    if not arxiv and text_line(bibtex_fields, "archiveprefix").lower() == "arxiv":
        arxiv = text_line(bibtex_fields, "eprint")
    return PaperEntry(
        title=title,
        # Outside of the format, `Last, First` is common.
        authors=person_names(item, "paper_authors")
        or tuple(map(natural_name, person_names(item, "authors", "author"))),
        date=text_line(item, "publication_date", "paper_publication_date", "date")
        or date_text(text_line(item, "year"), text_line(item, "month"), text_line(item, "day")),
        venue=text_line(item, "publication_venue", "venue", "journal", "booktitle"),
        abstract=text_block(item, "abstract", "text"),
        keywords=text_list(item, "keywords"),
        institutions=text_list(item, "paper_institutions", "institutions"),
        tags=text_list(item, "ai_generated_tags", "tags"),
        doi=doi,
        arxiv=canonical_arxiv(arxiv or text_line(item, "url")) or arxiv_of_doi(doi),
        bib_key=text_line(bibtex, "key") or text_line(item, "bibkey", "bib_key", "citation_key") or None,
        bibtex=_bibtex(bibtex, bibtex_fields),
        publication=Publication(
            kind=_kind(item),
            volume=text_line(item, "volume"),
            issue=issue_number(text_line(item, "issue"), text_line(item, "number")),
            pages=text_line(item, "pages", "page"),
            publisher=text_line(item, "publisher", "school"),
            url=text_line(item, "url"),
        ),
        summaries=_summaries(item, template),
        source_path=text_line(item, "source_path"),
        source_hash=text_line(item, "source_hash"),
        reading_editions=text_list(item, "reading_editions"),
    )


def _kind(item: Fields) -> str:
    """By the type that the object names, in whichever vocabulary, else by the field that only one kind has."""
    for name in ("type", "entry_type", "ENTRYTYPE", "document_type", "publication_type", "publicationTypes"):
        for stated in text_list(item, name):
            letters = "".join(filter(str.isalpha, stated.lower()))
            if kind := _STATED_KINDS.get(letters) or kind_of_bibtex(letters):
                return kind
    by_field = (("journal", "article-journal"), ("booktitle", "paper-conference"), ("school", "thesis"))
    found = next((kind for name, kind in by_field if text_line(item, name)), "")
    return found or ("book" if text_line(item, "isbn", "ISBN") and text_line(item, "publisher") else "")


def _object(value: object) -> Fields:
    return value if isinstance(value, Mapping) else {}


def _bibtex(bibtex: Fields, fields: Fields) -> BibtexEntry | None:
    """The entry as the input wrote it, or written from its fields."""
    key, entry_type = text_line(bibtex, "key"), text_line(bibtex, "type", "entry_type").lower() or "misc"
    raw = text_block(bibtex, "raw", "raw_entry", "bibtex_raw")
    if not raw:
        rows = []
        for name in fields:
            value = text_line(fields, name)
            # Braces that would close the entry early go.
            safe = value if has_balanced_braces(value) else value.replace("{", "").replace("}", "")
            rows.extend([f"  {name} = {{{safe}}}"] if value else [])
        raw = f"@{entry_type}{{{key},\n" + ",\n".join(rows) + "\n}"
    return BibtexEntry(raw=raw, key=key, entry_type=entry_type) if key else None


def _summaries(item: Fields, template: str) -> tuple[Summary, ...]:
    """The paper's own summary, and those under `templates`, all made the same way."""
    own = text_line(item, "template_tag") or template or text_line(item, "prompt_template")
    provenance = Provenance(**{name: text_line(item, name) for name in Provenance.model_fields})
    by_tag = [(own, item), *((str(tag), _object(fields)) for tag, fields in _object(item.get("templates")).items())]
    summaries = []
    for tag, fields in by_tag:
        # The `module_*` fields are sections, in their order.
        modules = ((name, _markdown(value)) for name, value in fields.items() if _MODULE.match(name))
        sections = (f"## {_heading(name)}\n\n{body}" for name, body in modules if body)
        if text := text_block(fields, "summary") or "\n\n".join(sections):
            summaries.append(Summary(template=template_tag(tag), text=text, provenance=provenance))
    return tuple(summaries)


def template_tag(name: str) -> str:
    """A template's name in the characters that an asset key may have."""
    return _TEMPLATE_CHARS.sub("_", one_line(name).lower()).strip("_")[:64] or "simple"


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


def csl_entry(item: object) -> PaperEntry:
    """The entry for an item of CSL-JSON."""
    if not isinstance(item, Mapping):
        raise BadEntry("not an object")
    title = _plain(item, "title")
    if not title:
        raise BadEntry("no title")
    doi = canonical_doi(text_line(item, "DOI", "doi") or text_line(item, "URL"))
    publication = Publication(
        kind=kind_of_csl(text_line(item, "type")),
        venue=_plain(item, "container-title", "event-title", "event"),
        authors=_csl_names(item, "author"),
        editors=_csl_names(item, "editor"),
        volume=_plain(item, "volume"),
        issue=issue_number(_plain(item, "issue"), _plain(item, "number")),
        pages=_plain(item, "page", "page-first"),
        publisher=_plain(item, "publisher"),
        place=_plain(item, "publisher-place"),
        series=_plain(item, "collection-title"),
        edition=_plain(item, "edition"),
        isbn=_plain(item, "ISBN"),
        issn=_plain(item, "ISSN"),
        url=text_line(item, "URL"),
        language=_plain(item, "language"),
        note=_plain(item, "note"),
    )
    number = text_line(item, "number")
    numbered_arxiv = canonical_arxiv(number) if number.lower().startswith("arxiv:") else None
    return PaperEntry(
        title=title,
        authors=tuple(dict.fromkeys(name.natural for name in publication.authors)),
        date=_csl_date(item.get("issued")),
        venue=publication.venue or publication.publisher,
        abstract=without_markup(text_block(item, "abstract")),
        keywords=text_list(item, "keyword", "keywords"),
        doi=doi,
        arxiv=canonical_arxiv(text_line(item, "URL")) or numbered_arxiv or arxiv_of_doi(doi),
        bib_key=text_line(item, "citation-key") or None,
        publication=publication,
    )


def _plain(item: Fields, *names: str) -> str:
    return one_line(without_markup(text_line(item, *names)))


def _csl_names(item: Fields, role: str) -> tuple[PersonName, ...]:
    listed = item.get(role) or []
    if not isinstance(listed, list):
        raise BadEntry(f"{role} is not a list")
    found = []
    for person in listed:
        if not isinstance(person, Mapping):
            found.append(parse_name(str(person)))
            continue
        # Particles stay with the name that they are written with, where the export finds them again.
        family = f"{text_line(person, 'non-dropping-particle')} {text_line(person, 'family')}".strip()
        given = f"{text_line(person, 'given')} {text_line(person, 'dropping-particle')}".strip()
        if family:
            found.append(PersonName(family, given, text_line(person, "suffix")))
        else:
            found.append(PersonName(text_line(person, "literal", "name") or given))
    return tuple(dict.fromkeys(name for name in found if name.family))


def _csl_date(issued: object) -> str:
    if not isinstance(issued, Mapping):
        return one_line(issued) if isinstance(issued, str) else ""
    parts = issued.get("date-parts")
    first = parts[0] if isinstance(parts, list) and parts else None
    if isinstance(first, list) and first:
        texts = [one_line(str(part)) for part in first[:3]]
        return date_text(*texts, *[""] * (3 - len(texts)))
    return text_line(issued, "raw", "literal")
