"""Cuts markdown into passages of a few sentences along its structure, and finds quotes in it."""

from papercore.passages.cutting import CutText, Passage, Section, check_of, cut, cut_once
from papercore.passages.quotes import Quotable, visible_length

__all__ = [
    "CutText",
    "Passage",
    "Quotable",
    "Section",
    "check_of",
    "cut",
    "cut_once",
    "visible_length",
]
