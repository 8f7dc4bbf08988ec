"""Parses BibTeX entries into fields with macros written out, and turns their LaTeX into text and names."""

import logging
import re
from collections.abc import Iterator, Mapping, Sequence

from bibtexparser.entrypoint import parse_string
from bibtexparser.middlewares.names import InvalidNameError, parse_single_name_into_parts
from bibtexparser.model import (
    DuplicateBlockKeyBlock,
    DuplicateFieldKeyBlock,
    Entry,
    ParsingFailedBlock,
)
from msgspec import Struct
from pylatexenc import latex2text, latexwalker
from pylatexenc.macrospec import std_macro

from papercore.bibliography.fields import PersonName, parse_initials_last
from papercore.text import clean_text, one_line

# The parser logs each broken block; ours are reported with file and line instead.
logging.getLogger("bibtexparser").setLevel(logging.CRITICAL)
# Macros may contain macros: forty that double each other would fill any memory.
MACRO_CHARS = 10_000
_PART = re.compile(r'"((?:[^"{}]|\{[^{}]*\})*)"|\{([^{}]*)\}|([^\s"#{}]+)')
# It warns of each macro that lacks its arguments.
logging.getLogger("pylatexenc").setLevel(logging.CRITICAL)
# It starts a comment in LaTeX, but in a .bib it is always meant as a per cent sign.
_BARE_PERCENT = re.compile(r"(?<!\\)%")
_LOGOS = {name: name for name in ("LaTeX", "TeX", "BibTeX", "XeTeX")} | {"LaTeXe": "LaTeX2e"}
_SIGNS = {"S": "§", "P": "¶", "copyright": "©", "thinspace": " ", "-": ""}
# TeX takes the space after a macro for the macro's end; who writes `\\LaTeX is` means the space.
_LOGO_AND_SPACE = re.compile(rf"\\({'|'.join(_LOGOS)})(?=\s)")
_BRACE_OR_AND = re.compile(r"[{}]|\sand\s", re.IGNORECASE)
_ET_AL = re.compile(r",?\s(?:and\s)?et\s?al\.?\s*$", re.IGNORECASE)
_OTHERS = ("others", "et al.", "et al")
# Macros whose arguments are not part of the text, and how many they have.
_HIDDEN = {"index": 1, "label": 1, "cite": 1, "noopsort": 1, "vspace": 1, "hspace": 1, "textcolor": 1, "href": 1}
_HIDDEN |= {"footnote": 1, "thanks": 1}


class BibtexFields(Struct, frozen=True):
    """An entry's fields by their names in lower case, and the entry's text, which needs nothing from its file.

    `repeated` are the fields that it has twice; the first counts.
    """

    entry_type: str
    key: str
    fields: Mapping[str, str]
    raw: str
    line: int = 0
    repeated: tuple[str, ...] = ()


class UnreadableEntry(Struct, frozen=True):
    line: int


def parse_entries(text: str, macros: Mapping[str, str] | None = None) -> Iterator[BibtexFields | UnreadableEntry]:
    """Every entry in a text, in order."""
    for block in parse_string(text).blocks:
        entry: object = block
        # An entry with a field twice, or with the key of another one, is as good as any.
        if isinstance(block, DuplicateFieldKeyBlock | DuplicateBlockKeyBlock):
            entry = block.ignore_error_block
        if isinstance(entry, Entry):
            fields: dict[str, str] = {}
            for field in entry.fields:
                fields.setdefault(field.key.lower(), _value(str(field.value), field.enclosing, macros or {}))
            raw = _without_macros(entry, macros) if macros else entry.raw or ""
            repeated = sorted(block.duplicate_keys) if isinstance(block, DuplicateFieldKeyBlock) else []
            yield BibtexFields(entry.entry_type.lower(), entry.key, fields, raw, entry.start_line or 0, tuple(repeated))
        elif isinstance(block, ParsingFailedBlock):
            yield UnreadableEntry(block.start_line or 0)


def parse_macros(text: str, known: dict[str, str]) -> None:
    """Add the @string macros of a text to the known ones."""
    for macro in parse_string(text).strings:
        known[macro.key.lower()] = _value(str(macro.value), macro.enclosing, known)[:MACRO_CHARS]


def _value(value: str, enclosing: str | None, macros: Mapping[str, str]) -> str:
    """Concatenate a value such as `macro # " text"`, which the parser leaves as it is."""
    if enclosing != "no-enclosing":
        return value
    parts = _PART.findall(value)
    return "".join(quoted or braced or macros.get(bare.lower(), bare) for quoted, braced, bare in parts)


def _without_macros(entry: Entry, macros: Mapping[str, str]) -> str:
    """The entry's own text with macros written out, so that it needs nothing from its file."""
    raw = entry.raw or ""
    for field in entry.fields:
        value = str(field.value)
        if field.enclosing == "no-enclosing" and any(bare.lower() in macros for *_, bare in _PART.findall(value)):
            place = re.search(rf"\b{re.escape(field.key)}\s*=\s*(?={re.escape(value)})", raw, re.IGNORECASE)
            if place:
                written_out = "{" + _value(value, field.enclosing, macros) + "}"
                raw = raw[: place.end()] + written_out + raw[place.end() + len(value) :]
    return raw


def _latex_decoder() -> tuple[latex2text.LatexNodes2Text, object]:
    """A decoder that shows the arguments of macros it does not know, and the macros that it parses."""
    context = latex2text.get_default_latex_context_db()
    context.set_unknown_macro_spec(latex2text.MacroTextSpec("", discard=False))
    signs = [latex2text.MacroTextSpec(name, text) for name, text in (_LOGOS | _SIGNS).items()]
    hidden = [latex2text.MacroTextSpec(name, discard=True) for name in _HIDDEN]
    url = latex2text.MacroTextSpec("url", discard=False)
    context.add_context_category("bibliographies", macros=[*signs, *hidden, url], prepend=True)
    decoder = latex2text.LatexNodes2Text(latex_context=context, math_mode="verbatim", keep_comments=True)
    parsed = latexwalker.get_default_latex_context_db()
    macros = [std_macro(name, False, arguments) for name, arguments in _HIDDEN.items()]
    parsed.add_context_category("bibliographies", macros=macros, prepend=True)
    return decoder, parsed


_DECODER, _PARSED_MACROS = _latex_decoder()


def latex_text(text: str) -> str:
    """Plain text; formulas, and anything that is not LaTeX, stay as they are."""
    if not any(char in text for char in "\\{}~$`'-"):
        return clean_text(text)
    prepared = _LOGO_AND_SPACE.sub(r"\\\1{}", _BARE_PERCENT.sub(r"\\%", text))
    try:
        return clean_text(_DECODER.latex_to_text(prepared, latex_context=_PARSED_MACROS))
    except (latexwalker.LatexWalkerError, ValueError, IndexError, RecursionError):
        return clean_text(text)


def latex_names(text: str) -> tuple[PersonName, ...]:
    """The names in `Knuth, Donald E. and {The Team} and others`, without the others; or in `Knuth DE, Plass M`."""
    written = list(_split_names(_ET_AL.sub("", one_line(text))))
    if names_of_pubmed := _names_of_pubmed(written):
        return names_of_pubmed
    names = []
    for name in written:
        try:
            parts = parse_single_name_into_parts(name, strict=False)
        except InvalidNameError:
            names.append(PersonName(one_line(latex_text(name))))
            continue
        family, given, suffix = ([*parts.von, *parts.last], parts.first, parts.jr)
        names.append(PersonName(*(one_line(latex_text(" ".join(words))) for words in (family, given, suffix))))
    kept = [name for name in names if name.family and name.natural.strip("{}").lower() not in _OTHERS]
    # Two people may be `Li, Y.`, but not `Li, Yan`.
    return tuple({(name, place * name.given.isupper()): name for place, name in enumerate(kept)}.values())


def _names_of_pubmed(written: Sequence[str]) -> tuple[PersonName, ...]:
    """`Knuth DE and Plass MF`, or a list with commas, pasted as it is; nothing for names in another form."""
    is_pasted = len(written) == 1 and "," in written[0]
    listed = written[0].split(",") if is_pasted else written
    names = [name.strip() for name in listed if name.strip(" {}").lower() not in _OTHERS]
    # Decoding LaTeX takes long. What stands in braces is one name.
    if any(not name or name[-1].islower() or (name[0], name[-1]) == ("{", "}") for name in names):
        return ()
    return parse_initials_last([one_line(latex_text(name)) for name in names], surely=is_pasted)


def has_others(text: str) -> bool:
    """Whether a list of names ends with `and others`: there are more, and nobody says who."""
    *_, last = _split_names(one_line(text))
    return last.strip(" {}").lower() in _OTHERS


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
