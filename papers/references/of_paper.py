"""The references of one paper: those of its text, and those that its BibTeX entry lists."""

import re
from functools import lru_cache

from ingest.bibtex.entries import BibtexFields, parse_entries
from papercore import limits
from papercore.bibliography.references import Reference, read_reference, references_in
from papercore.errors import ToolError
from papercore.text import one_line
from papers.snapshot.models import Paper, PaperBibtex
from papers.texts.named import source_of

# `cites` is what this project writes; Web of Science exports the other.
CITING_FIELDS = ("cites", "cited-references")
_SEPARATOR = re.compile(r"[;\n]")


def references_of(paper: Paper) -> tuple[Reference, ...]:
    """Those of its text; where it has none, those of its BibTeX entry. A text that cannot be read has none."""
    found = _references_in_text(paper) if paper.source_md_content_hash else ()
    if found:
        return found
    entry = PaperBibtex.objects.filter(paper=paper).first()
    return listed_in(entry.bibtex_raw) if entry else ()


def _references_in_text(paper: Paper) -> tuple[Reference, ...]:
    try:
        return _references_of_text(source_of(paper))
    except ToolError:
        return ()


# By text, so that it survives an update; looking for citing papers reads the same texts again and again.
@lru_cache(maxsize=256)
def _references_of_text(text: str) -> tuple[Reference, ...]:
    return references_in(text)


def listed_in(bibtex: str) -> tuple[Reference, ...]:
    """The references in the fields of a stored entry: one a line, or with semicolons between them."""
    lowered = bibtex.lower()
    if len(bibtex) > limits.BIBTEX_CHARS or not any(field in lowered for field in CITING_FIELDS):
        return ()
    entry = next((entry for entry in parse_entries(bibtex) if isinstance(entry, BibtexFields)), None)
    texts = [entry.fields.get(field, "") for field in CITING_FIELDS] if entry else []
    parts = (one_line(part.replace("\\", "").strip(" {}")) for text in texts for part in _SEPARATOR.split(text))
    return tuple(read_reference(part[: limits.REFERENCE_CHARS]) for part in parts if part)[: limits.REFERENCES]
