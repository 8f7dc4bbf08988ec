"""Snippets and passages as people read them: without markup, what matched marked, the sentence that counts set apart.

[[[ and ]]] stand around what matched.
"""

import re
from itertools import zip_longest

from msgspec import Struct, field

from papercore.retrieval import QueryTerms, with_marks
from papercore.text import has_cjk, one_line, sentence_spans, sentences

# What matched in a snippet. Another [[[ inside would mean looking for ]]] from each of them.
MARKED = re.compile(r"\[\[\[((?:(?!\[\[\[).)*?)\]\]\]", re.DOTALL)
_MARKDOWN_SYNTAX = re.compile(r"([\\`*_\[\]<>#|~$])")
# What matched may be within a link's text or a footnote's name.
_TEXT = r"(?:\[\[\[|\]\]\]|[^\[\]]){0,300}"
_FORMULA = re.compile(r"(\$\$?(?=\S)[^$]{1,2000}(?<=\S)\$\$?)")
_COMMAND = r"\\(?:[Cc]ite[a-zA-Z]*|nocite|ref|eqref|autoref|[Cc]ref|label)\*?"
# Each after what it cannot do without, because looking for that is cheap: most snippets have one of these, or none.
_MARKUP: tuple[tuple[str, re.Pattern[str], str], ...] = tuple(
    (sign, re.compile(pattern), kept)
    for sign, pattern, kept in (
        # References and labels of LaTeX, footnotes of markdown: the end of the snippet may cut one.
        ("\\", rf" ?{_COMMAND}(?:\[[^][]{{0,100}}\]){{0,2}}\{{[^{{}}…]{{0,300}}(?:\}}|(?= ?…?$))", ""),
        ("[^", rf" ?\[\^{_TEXT}(?:\]:?|$)", ""),
        ("\\", r"\\(?:textbf|textit|texttt|textsc|emph|underline|footnote)\{([^{}]{0,500})(?:\}|$)", r"\1"),
        ("](", rf"!?\[({_TEXT})\]\([^()\s]{{0,500}}(?:\s\"[^\"]{{0,200}}\")?\)", r"\1"),
        # The line below a table's head.
        ("---", r"\|(?: ?:?-{3,40}:? ?\|){1,50}", " "),
        # Headings, emphasis, code.
        ("#", r"(?:^|(?<=[.!?:…] ))#{1,6} |(?<!\S)#{2,6} ", ""),
        ("", r"\*\*|(?<!\w)__|__(?!\w)|`+", ""),
        ("*", r"(?<![\w*])\*(?=[^\s*])([^*]{1,300})(?<=[^\s*])\*(?![\w*])", r"\1"),
    )
)
_HAS_MARKUP = re.compile(r"[\\#*_`|]|\[\^|\]\(|---")
# The sign before a list item or a quotation; nobody reads it.
_LEAD = re.compile(r"^(?:[-*+>]|\d{1,3}[.)])\s+")
_RULE = re.compile(r"[|:\s-]+")
# A sentence with more bars than these is a row of a table.
MOST_CELLS = 2
_CELL_END = re.compile(r"(?<!\\)\|")


class MarkedPassage(Struct, frozen=True):
    """Of a single sentence nothing is set apart; a table has rows instead."""

    before: str = ""
    counts: str = ""
    after: str = ""
    rows: list[list[str]] = field(default_factory=list)


def without_markup(snippet: str) -> str:
    """The snippet without markdown and LaTeX commands around its words; formulas stay, for pages set them."""
    if not _HAS_MARKUP.search(snippet):
        return snippet
    parts = _FORMULA.split(snippet)
    for number in range(0, len(parts), 2):
        for sign, pattern, kept in _MARKUP:
            if sign in parts[number]:
                parts[number] = pattern.sub(kept, parts[number])
    return " ".join("".join(parts).split())


def snippet_markdown(snippet: str) -> str:
    """A snippet as markdown that shows what matched in bold."""
    parts = [_MARKDOWN_SYNTAX.sub(r"\\\1", part) for part in MARKED.split(snippet)]
    return " ".join("".join(f"**{part}**" if odd % 2 else part for odd, part in enumerate(parts)).split())


def plain_passage(quote: str) -> str:
    return without_markup(_LEAD.sub("", one_line(quote)))


def readable_quote(quote: str) -> str:
    """A passage without markup; of a table the rows, each cell with its head."""
    if not is_table(quote):
        return plain_passage(quote)
    head, *rows = _rows(quote, QueryTerms.of_words([])) or [[]]
    if not rows:
        return " · ".join(head)
    return "\n".join(
        " · ".join(f"{name}: {cell}" if name else cell for name, cell in zip_longest(head, row, fillvalue="") if cell)
        for row in rows
    )


def marked_words(quote: str, sought: QueryTerms) -> str:
    """In one line; of a table the cells, with a dot between them."""
    if is_table(quote):
        return " · ".join(cell for row in _rows(quote, sought) for cell in row if cell)
    return without_markup(with_marks(_LEAD.sub("", one_line(quote)), sought))


def in_sentences(snippet: str, *, cjk: bool) -> str:
    """The sentences of a snippet in the question's script, without cells of a table; all of it if none is left."""
    kept = [part for part in sentences(snippet) if has_cjk(part) == cjk and part.count(" | ") < MOST_CELLS]
    return " ".join(kept) or snippet


def is_table(quote: str) -> bool:
    return quote.lstrip().startswith("|")


def marked_passage(quote: str, sought: QueryTerms) -> MarkedPassage:
    """Set apart the sentence with most of the words."""
    if is_table(quote):
        return MarkedPassage(rows=_rows(quote, sought))
    text = _LEAD.sub("", one_line(quote))
    spans = list(sentence_spans(text, 0, len(text)))
    shares = [len({mark.term for mark in sought.marks(text[start:end])}) for start, end in spans]
    if len(spans) < 2 or not max(shares):
        return MarkedPassage(marked_words(text, sought))
    start, end = spans[shares.index(max(shares))]
    before, counts, after = (marked_words(part, sought) for part in (text[:start], text[start:end], text[end:]))
    return MarkedPassage(before, counts, after)


def _rows(quote: str, sought: QueryTerms) -> list[list[str]]:
    """The cells of a table, without the line below its head."""
    lines = [line.strip() for line in quote.strip().splitlines()]
    return [
        [marked_words(cell, sought) for cell in _CELL_END.split(line.removeprefix("|").removesuffix("|"))]
        for line in lines
        if not _RULE.fullmatch(line)
    ]
