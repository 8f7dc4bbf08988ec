"""Snippets as people read them: without the markup of the texts they were cut from."""

import re

# [[[ and ]]] stand around what matched, also within a link's text or a footnote's name.
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


def without_markup(snippet: str) -> str:
    """The snippet without markdown and LaTeX commands around its words; formulas stay, for pages set them."""
    if not _HAS_MARKUP.search(snippet):
        return snippet
    parts = _FORMULA.split(snippet)
    cleaned = "".join(part if odd % 2 else _cleaned(part) for odd, part in enumerate(parts))
    return " ".join(cleaned.split())


def _cleaned(text: str) -> str:
    for sign, pattern, kept in _MARKUP:
        if sign in text:
            text = pattern.sub(kept, text)
    return text
