"""Removes the little HTML and JATS that exports leave in titles and abstracts."""

import html
import re

_TAG = re.compile(r"</?(?:jats:)?(?:i|b|u|em|strong|sub|sup|sc|span|p|title|sec|br|italic|bold)\b[^<>]*>", re.I)
_PARAGRAPH = re.compile(r"</(?:jats:)?(?:p|title)>|<br\s*/?>", re.I)


def without_markup(text: str) -> str:
    if "<" not in text and "&" not in text:
        return text
    return html.unescape(_TAG.sub("", _PARAGRAPH.sub("\n", text))).strip()
