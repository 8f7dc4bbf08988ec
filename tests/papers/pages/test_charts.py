"""The chart of papers per year: what its bars stand for, and years far away from the others."""

import pytest

from papers.pages.charts import Chart, year_chart
from papers.search.list_query import ListQuery

MOST = dict.fromkeys(range(1990, 2025), 5)


def chart(years: dict[int, int]) -> Chart:
    drawn = year_chart(years, ListQuery().year_urls, grid=True)
    assert drawn is not None
    return drawn


def labels(years: dict[int, int]) -> list[str]:
    return [bar.label for bar in chart(years).bars]


@pytest.mark.parametrize(
    ("far", "label", "url", "tick"),
    [
        (1850, "before 1990: 1 paper", "/papers/?year_from=1850&year_to=1989", "earlier"),
        (2999, "after 2024: 1 paper", "/papers/?year_from=2025&year_to=2999", "later"),
    ],
)
def test_a_year_far_away_is_a_bar_at_the_edge_and_leaves_the_axis_to_the_others(
    far: int, label: str, url: str, tick: str
) -> None:
    drawn = chart({far: 1, **MOST})
    assert drawn.step == 1
    assert len(drawn.bars) == len(MOST) + 1
    assert (label, url) in [(bar.label, bar.url) for bar in drawn.bars]
    assert tick in [item.text for item in drawn.ticks]
    assert drawn.area_width * len(drawn.bars) > 90


def test_two_years_far_apart_are_both_on_the_axis() -> None:
    assert labels({1850: 1, 2020: 1}) == ["1850 to 1851: 1 paper", "2020: 1 paper"]


def test_a_long_history_is_not_cut() -> None:
    drawn = chart(dict.fromkeys(range(1900, 2025), 10))
    assert (drawn.step, drawn.bars[0].label) == (2, "1900 to 1901: 20 papers")


def test_years_next_to_the_others_stay_with_them_however_few_papers_they_have() -> None:
    many = dict.fromkeys(range(1990, 2025), 500)
    assert labels({1850: 1, 1986: 1, 1989: 1, **many})[:2] == ["before 1986: 1 paper", "1986: 1 paper"]


def test_the_scale_says_that_it_counts_papers() -> None:
    assert [line.text for line in chart({2019: 3, 2020: 5}).lines] == ["1", "2", "3", "4", "5 papers"]


@pytest.mark.parametrize(
    ("papers", "most"), [(600, "600 papers"), (1_100, "1,000 papers"), (110_000, "100,000 papers")]
)
def test_the_scale_fits_libraries_of_any_size(papers: int, most: str) -> None:
    lines = chart({2019: 3, 2020: papers}).lines
    assert lines[-1].text == most
    assert 2 <= len(lines) <= 5


@pytest.mark.parametrize("years", [{0: 1}, {0: 1, 9999: 1}, {0: 1, 2000: 50, 9999: 1}, {2020: 1_000_000}])
def test_any_years_can_be_drawn(years: dict[int, int]) -> None:
    drawn = chart(years)
    assert len(drawn.bars) == len(years)
    assert all(0 <= bar.area_x <= 100 for bar in drawn.bars)
