"""Turns LaTeX in BibTeX fields into text, and lists of names into names."""

import logging
import re
from collections.abc import Iterator

from bibtexparser.middlewares.names import InvalidNameError, parse_single_name_into_parts
from pylatexenc import latex2text, latexwalker
from pylatexenc.macrospec import std_macro

from papercore.bibliography.fields import PersonName
from papercore.text import clean_text, one_line

# It warns of each macro that lacks its arguments.
logging.getLogger("pylatexenc").setLevel(logging.CRITICAL)

# It starts a comment in LaTeX, but in a .bib it is always meant as a per cent sign.
_BARE_PERCENT = re.compile(r"(?<!\\)%")
_LOGOS = {name: name for name in ("LaTeX", "TeX", "BibTeX", "XeTeX")} | {"LaTeXe": "LaTeX2e"}
_SIGNS = {"S": "§", "P": "¶", "copyright": "©", "thinspace": " ", "-": ""}
# TeX takes the space after a macro for the macro's end; who writes `\\LaTeX is` means the space.
_LOGO_AND_SPACE = re.compile(rf"\\({'|'.join(_LOGOS)})(?=\s)")
_BRACE_OR_AND = re.compile(r"[{}]|\sand\s", re.IGNORECASE)
_OTHERS = ("others", "et al.", "et al")
# Macros whose arguments are not part of the text, and how many they have.
_HIDDEN = {"index": 1, "label": 1, "cite": 1, "noopsort": 1, "vspace": 1, "hspace": 1, "textcolor": 1, "href": 1}
_HIDDEN |= {"footnote": 1, "thanks": 1}


def _decoder() -> latex2text.LatexNodes2Text:
    """A decoder that shows the arguments of macros it does not know, instead of leaving them out."""
    context = latex2text.get_default_latex_context_db()
    context.set_unknown_macro_spec(latex2text.MacroTextSpec("", discard=False))
    signs = [latex2text.MacroTextSpec(name, text) for name, text in (_LOGOS | _SIGNS).items()]
    hidden = [latex2text.MacroTextSpec(name, discard=True) for name in _HIDDEN]
    url = latex2text.MacroTextSpec("url", discard=False)
    context.add_context_category("bibliographies", macros=[*signs, *hidden, url], prepend=True)
    return latex2text.LatexNodes2Text(latex_context=context, math_mode="verbatim", keep_comments=True)


def _walker_context() -> object:
    context = latexwalker.get_default_latex_context_db()
    macros = [std_macro(name, False, arguments) for name, arguments in _HIDDEN.items()]
    context.add_context_category("bibliographies", macros=macros, prepend=True)
    return context


_DECODER = _decoder()
_WALKER_CONTEXT = _walker_context()


def latex_text(text: str) -> str:
    """Plain text; formulas, and anything that is not LaTeX, stay as they are."""
    if not any(char in text for char in "\\{}~$`'-"):
        return clean_text(text)
    prepared = _LOGO_AND_SPACE.sub(r"\\\1{}", _BARE_PERCENT.sub(r"\\%", text))
    try:
        return clean_text(_DECODER.latex_to_text(prepared, latex_context=_WALKER_CONTEXT))
    except (latexwalker.LatexWalkerError, ValueError, IndexError, RecursionError):
        return clean_text(text)


def latex_names(text: str) -> tuple[PersonName, ...]:
    """The names in `Knuth, Donald E. and {The Team} and others`, without the others."""
    names = []
    for name in _split_names(one_line(text)):
        try:
            parts = parse_single_name_into_parts(name, strict=False)
        except InvalidNameError:
            names.append(PersonName(one_line(latex_text(name))))
            continue
        family, given, suffix = ([*parts.von, *parts.last], parts.first, parts.jr)
        names.append(PersonName(*(one_line(latex_text(" ".join(words))) for words in (family, given, suffix))))
    return tuple(dict.fromkeys(name for name in names if name.family and name.natural.lower() not in _OTHERS))


def _split_names(text: str) -> Iterator[str]:
    """The parts between each `and` that is outside of braces."""
    depth = start = 0
    for found in _BRACE_OR_AND.finditer(text):
        if found[0] in "{}":
            depth += 1 if found[0] == "{" else -1
        elif depth <= 0:
            yield text[start : found.start()]
            start = found.end()
    yield text[start:]
