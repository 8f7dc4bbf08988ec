"""Publication dates as people write them."""

import pytest

from papercore.bibliography.fields import date_text, parse_date


@pytest.mark.parametrize(
    ("text", "year", "month"),
    [
        ("2017-06-12", "2017", "06"),
        ("2021-13", "2021", "unknown"),
        ("June 2017", "2017", "06"),
        ("Sept. 1999", "1999", "09"),
        ("Decision of 2001", "2001", "unknown"),
        ("1865", "1865", "unknown"),
        ("in press", "unknown", "unknown"),
        ("20170612", "2017", "unknown"),
    ],
)
def test_dates_are_understood_as_far_as_they_go(text: str, year: str, month: str) -> None:
    date = parse_date(text)
    assert (date.year, date.month) == (year, month)


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        (("2020", "5", "7"), "2020-05-07"),
        (("2020", "Aug 23–Aug 27"), "2020-08"),
        (("2020", "13"), "2020"),
        (("2020", "spring"), "2020"),
        (("to appear", "5"), "to appear"),
    ],
)
def test_separate_parts_make_one_date(parts: tuple[str, ...], expected: str) -> None:
    assert date_text(*parts) == expected
