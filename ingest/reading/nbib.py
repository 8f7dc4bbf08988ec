"""What the tags of a PubMed entry (NBIB) say of a paper."""

import re

from ingest.entries.entry import BadEntry, PaperEntry, Publication
from ingest.reading.ris_entry import first, keywords, names, values
from ingest.reading.ris_tags import Tags
from papercore.bibliography.dates import date_text, parse_date
from papercore.bibliography.identifiers import canonical_doi
from papercore.bibliography.names import PersonName, parse_indexed_name
from papercore.text import clean_text, one_line

_INITIALS = re.compile(r"(.+) ([A-Z]{1,4})(?: (Jr|Sr|2nd|3rd))?")
_DAY = re.compile(r"\d{4} \w{3,9} (\d{1,2})")


def nbib_entry(tags: Tags) -> PaperEntry:
    title = first(tags, "TI", "BTI").removesuffix(".")
    if not title:
        raise BadEntry("no title")
    authors = names(values(tags, "FAU")) or tuple(_short_name(text) for text in values(tags, "AU"))
    groups = tuple(PersonName(one_line(text)) for text in values(tags, "CN"))
    venue = first(tags, "JT", "TA")
    return PaperEntry(
        title=title,
        authors=tuple(dict.fromkeys(name.natural for name in (*authors, *groups))),
        date=_date(first(tags, "DP", "DEP")),
        venue=venue,
        abstract=clean_text(next(values(tags, "AB"), "")),
        keywords=keywords((*values(tags, "OT"), *(_heading(text) for text in values(tags, "MH")))),
        doi=_doi(tags),
        publication=Publication(
            kind="book" if "BTI" in tags and "TI" not in tags else "article-journal",
            venue=venue,
            authors=(*authors, *groups),
            editors=names(values(tags, "FED")),
            volume=first(tags, "VI"),
            issue=first(tags, "IP"),
            pages=first(tags, "PG"),
            publisher=first(tags, "PB"),
            place=first(tags, "PL") if "BTI" in tags else "",
            issn=first(tags, "IS").partition(" ")[0],
            language=first(tags, "LA"),
            url=f"https://pubmed.ncbi.nlm.nih.gov/{first(tags, 'PMID')}/",
        ),
    )


def _short_name(text: str) -> PersonName:
    """`Lovelace AK`: the family name, then initials."""
    found = _INITIALS.fullmatch(text)
    return PersonName(found[1], found[2], found[3] or "") if found else parse_indexed_name(text)


def _heading(text: str) -> str:
    """A MeSH heading without its star and its qualifiers."""
    return text.partition("/")[0].replace("*", "")


def _date(text: str) -> str:
    """`2012 Apr 5` as `2012-04-05`."""
    parsed, day = parse_date(text), _DAY.match(text)
    return date_text(parsed.year, parsed.month, day[1] if day else "") if parsed.year.isdecimal() else text


def _doi(tags: Tags) -> str | None:
    marked = (text.removesuffix("[doi]") for text in values(tags, "LID", "AID") if text.endswith("[doi]"))
    return next((doi for text in marked if (doi := canonical_doi(text))), None)
