"""Turns LaTeX in BibTeX fields into text, and lists of names into names."""

import re

from bibtexparser.middlewares.names import (
    InvalidNameError,
    parse_single_name_into_parts,
    split_multiple_persons_names,
)
from pylatexenc.latex2text import LatexNodes2Text
from pylatexenc.latexwalker import LatexWalkerError

from papers.build.text import clean_line, clean_text

# It starts a comment in LaTeX, but in a .bib it is always meant as a per cent sign.
_BARE_PERCENT = re.compile(r"(?<!\\)%")
_DECODER = LatexNodes2Text(math_mode="verbatim", keep_comments=True)


def latex_text(text: str) -> str:
    """Plain text; formulas, and anything that is not LaTeX, stay as they are."""
    if not any(char in text for char in "\\{}~$`'-"):
        return clean_text(text)
    try:
        return clean_text(_DECODER.latex_to_text(_BARE_PERCENT.sub(r"\\%", text)))
    except (LatexWalkerError, ValueError, IndexError, RecursionError):
        return clean_text(text)


def latex_names(text: str) -> tuple[str, ...]:
    """`Knuth, Donald E. and {The Team} and others` as `Donald E. Knuth`, `The Team`."""
    names = (_natural(name) for name in split_multiple_persons_names(clean_line(text)))
    return tuple(dict.fromkeys(name for name in names if name and name.lower() != "others"))


def _natural(name: str) -> str:
    try:
        parts = parse_single_name_into_parts(name, strict=False)
    except InvalidNameError:
        return clean_line(latex_text(name))
    ordered = [*parts.first, *parts.von, *parts.last, *parts.jr]
    return clean_line(latex_text(" ".join(ordered)))
