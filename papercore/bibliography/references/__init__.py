"""Reads the references of a text: each with its title, year, DOI and arXiv id, and whether it cites a given paper."""

from papercore.bibliography.references.matching import CitablePaper, certain_match, cites, possible_beginnings
from papercore.bibliography.references.reading import (
    Reference,
    is_references_heading,
    read_reference,
    reference_texts,
    references_in,
)

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
