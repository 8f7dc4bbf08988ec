"""Colours code, for as long as a text may spend on it."""

import time
from html import escape

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

from papercore import limits
from papercore.rendering.slow import SlowTexts, TooSlow, stop_after

_formatter = HtmlFormatter(nowrap=True)
_slow_codes = SlowTexts()


def coloured(code: str, language: str, seconds: float) -> str:
    """The code as HTML, plain in an unknown language. TooSlow after so many seconds, and at once the next time."""
    try:
        lexer = get_lexer_by_name(language)
    except ClassNotFound:
        return escape(code)
    key = f"{language}\n{code}"
    if len(code) > limits.COLOURED_CHARS or seconds <= 0 or key in _slow_codes:
        raise TooSlow
    limit = min(seconds, limits.CODE_SECONDS)
    try:
        with stop_after(limit):
            return str(highlight(code, lexer, _formatter))
    except TooSlow:
        # Code that only came last, when little time was left, may do better on another page.
        if limit == limits.CODE_SECONDS:
            _slow_codes.add(key)
        raise


class CodeTime:
    """The time that one text has left for its code."""

    def __init__(self) -> None:
        self._left = limits.ALL_CODE_SECONDS

    def coloured(self, code: str, language: str) -> str:
        began = time.process_time()
        try:
            return coloured(code, language, self._left)
        finally:
            self._left -= time.process_time() - began
