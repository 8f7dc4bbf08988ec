"""Years in a text."""

from datetime import UTC, datetime

import pytest

from paper_search.reading.years import read_years


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("since 2018", 2018, None),
        ("since March 2018", 2018, None),
        ("after 2018", 2019, None),
        ("newer than 2013", 2014, None),
        ("published before 2018", None, 2017),
        ("up to 2018", None, 2018),
        ("2018 or later", 2018, None),
        ("between 2010 and 2015", 2010, 2015),
        ("2015-2010", 2010, 2015),
        ("after 2010, before 2015", 2011, 2014),
        ("in 2019", 2019, 2019),
        ("in the 1990s", 1990, 1999),
        ("from the late eighties", 1986, 1989),
        ("in the last five years", 2021, None),
        ("over the past decade", 2016, None),
        ("not older than ten years", 2016, None),
        ("from 2001 until 2009", 2001, 2009),
        ("before the 1990s", None, 1989),
        ("no later than 2016", None, 2016),
        ("nothing older than 2015", 2015, None),
        ("exclude everything before 2018", 2018, None),
        ("drop 2015 and earlier", 2016, None),
        ("not after March 2020", None, 2020),
        ("2020..2022", 2020, 2022),
        ("seit 2018", 2018, None),
        ("jusqu'en 2018", None, 2018),
        ("2018年之前", None, 2017),
        ("2001 a space odyssey", None, None),
        ("since 2020, before 2010", None, None),
        ("ISO 9001", None, None),
    ],
)
def test_years_that_are_stated_plainly_are_read(text: str, first: int | None, last: int | None) -> None:
    found = read_years(f"graphs {text}", this_year=2026)
    assert (found.first, found.last) == (first, last)


def test_years_count_from_today_unless_told() -> None:
    assert read_years("last 3 years").first == datetime.now(UTC).year - 3


@pytest.mark.parametrize(
    "thought",
    ["I have read everything before 2015", "anything before 2010 is too old", "no surveys since 2018", "not in 2018"],
)
def test_a_year_that_is_not_asked_for_sets_no_range_and_is_told(thought: str) -> None:
    found = read_years(f"graphs, {thought}", this_year=2026)
    assert (found.first, found.last) == (None, None)
    assert found.not_understood == (thought,)
    assert "20" not in found.rest
