"""Threads share one parser, which is complete before the first text."""

from typing import Any  # rules of any kind

import pytest
from markdown_it.ruler import Ruler

from papercore.rendering import markdown
from papercore.rendering.markdown import MarkdownSource, convert

TEXT = "# Title\n\n*word* `code` [link](https://example.org/)[^1]\n\n- a\n\n| x |\n|---|\n| $y$ |\n\n[^1]: Note."


def test_no_rules_are_listed_while_texts_are_rendered(monkeypatch: pytest.MonkeyPatch) -> None:
    """The parser would list them at its first text, and another thread would meanwhile render with half of them."""
    expected = convert(MarkdownSource(TEXT))
    monkeypatch.setattr(markdown, "_md", markdown._parser())
    listed = []
    list_rules = Ruler.__compile__

    def count(ruler: "Ruler[Any]") -> None:
        listed.append(ruler)
        list_rules(ruler)

    monkeypatch.setattr(Ruler, "__compile__", count)
    assert convert(MarkdownSource(TEXT)) == expected
    assert listed == []
