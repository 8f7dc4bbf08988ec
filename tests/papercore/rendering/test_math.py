"""Formulas: what the converter leaves raw is put right before and after it."""

import pytest

from papercore.rendering.math import mathml


@pytest.mark.parametrize(
    ("tex", "shown"),
    [
        (r"\mathbb R", "ℝ"),
        (r"\mathbb 1", "𝟙"),
        (r"\mathfrak g", "𝔤"),
        (r"\mathfrak H", "ℌ"),
        (r"\mathscr{F}", "ℱ"),
        (r"\boldsymbol{\alpha}", "𝜶"),
        (r"\bigl\| x \bigr\|", "‖"),
        (r"\Big\lfloor x \Big\rfloor", "⌊"),
        (r"\text{issue \#5}", "#5"),
    ],
)
def test_styles_and_delimiters_become_characters(tex: str, shown: str) -> None:
    html = mathml(tex, display=False)
    assert shown in html
    assert "\\" not in html
    assert "mathvariant" not in html


def test_an_unknown_delimiter_is_left_to_the_converter() -> None:
    assert mathml(r"\big( x \big)", display=False).startswith("<math")


def test_a_letter_without_that_style_stays_as_it_is() -> None:
    assert "&#x003B2;" in mathml(r"\mathfrak{\beta}", display=False)
