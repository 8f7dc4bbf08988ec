"""Reads the references of a text: each with its title, year, DOI and arXiv id, and whether it cites a given paper."""

from papercore.bibliography.references.matching import CitablePaper, certain_match, cites, possible_beginnings
from papercore.bibliography.references.reading import Reference, read_reference
from papercore.bibliography.references.section import is_references_heading, reference_texts

__all__ = [
    "CitablePaper",
    "Reference",
    "certain_match",
    "cites",
    "is_references_heading",
    "possible_beginnings",
    "read_reference",
    "reference_texts",
    "references_in",
]


def references_in(markdown: str) -> tuple[Reference, ...]:
    """The references at the end of a text, in its order; none if it has no such section."""
    return tuple(read_reference(text) for text in reference_texts(markdown))
