"""Raw marks such as <sub> in a text: kept where they are closed in order, otherwise shown as text."""

import re
from collections.abc import Iterable

from markdown_it.token import Token

from papercore import limits

_MARK = re.compile(r"<(/?)(sup|sub|i|b|u|em|strong)>", re.IGNORECASE)


def pair_marks(children: Iterable[Token]) -> None:
    """Turn marks without a partner into text: each would stay open, and cleaning would walk past it ever after."""
    opened: list[tuple[str, Token]] = []
    for token in children:
        mark = _MARK.fullmatch(token.content) if token.type == "html_inline" else None
        if mark is None:
            continue
        name = mark[2].lower()
        if not mark[1] and len(opened) < limits.NESTED_MARKS:
            opened.append((name, token))
        elif mark[1] and any(name == other for other, _ in opened):
            while opened[-1][0] != name:
                _make_text(opened.pop()[1])
            opened.pop()
        else:
            _make_text(token)
    for _, token in opened:
        _make_text(token)


def _make_text(token: Token) -> None:
    token.type = "text"
