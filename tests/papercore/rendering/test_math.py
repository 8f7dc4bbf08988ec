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


@pytest.mark.parametrize(
    ("tex", "spaces"),
    [
        (r"\exp s", ("0", "0.167em")),
        (r"x\exp s", ("0.167em", "0.167em")),
        (r"\exp(s)", ("0", "0")),
        (r"\exp\left(s\right)", ("0", "0")),
        (r"\log_2 n", ("0", "0.167em")),
        (r"\operatorname{Var}(q)", ("0", "0")),
        (r"\operatorname{rank} A", ("0", "0.167em")),
    ],
)
def test_the_name_of_a_function_keeps_its_distance(tex: str, spaces: tuple[str, str]) -> None:
    assert f'lspace="{spaces[0]}" rspace="{spaces[1]}">' in mathml(tex, display=False)


def test_mod_keeps_the_spaces_of_an_operator() -> None:
    assert "<mo>mod</mo>" in mathml(r"a \bmod b", display=False)
