"""The chart of papers per year as numbers: where each bar is, in percent across and pixels down. Templates draw it."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

AXIS = 20  # pixels below the bars, for the labels
HEADROOM = 16  # pixels above the tallest bar
GAP = 0.12  # share of a bar's slot that stays free on either side
MIN_BARS, MAX_BARS = 24, 120  # fewer would be slabs, more would be hairs
MAX_TICKS = 12
# Given spans of years, the address of each.
YearUrls = Callable[[Iterable[tuple[int, int]]], list[str]]


@dataclass(frozen=True)
class YearBar:
    """A span of years. The area is what can be clicked, the bar what is seen."""

    label: str
    url: str
    on: bool
    area_x: float
    area_width: float
    x: float
    width: float
    y: float
    height: float


@dataclass(frozen=True)
class Tick:
    text: str
    x: float
    anchor: str
    minor: bool


@dataclass(frozen=True)
class GridLine:
    text: str
    y: float


@dataclass(frozen=True)
class Chart:
    height: int
    base: int
    bars: list[YearBar]
    ticks: list[Tick]
    lines: list[GridLine]


def year_chart(
    years: dict[int, int],
    urls: YearUrls,
    *,
    height: int = 92,
    chosen: tuple[int | None, int | None] = (None, None),
    grid: bool = False,
) -> Chart | None:
    """Papers per year, or per span of years where there are many; None without any year."""
    if not years:
        return None
    earliest = min(min(years), max(years) - MIN_BARS + 1)
    step = _round_step(max(years) - earliest + 1, MAX_BARS)
    first = earliest // step * step
    spans = [(start, min(start + step - 1, max(years))) for start in range(first, max(years) + 1, step)]
    counts = [sum(years.get(year, 0) for year in range(start, end + 1)) for start, end in spans]
    base, slot, most = height - AXIS, 100 / len(spans), max(counts)
    (low, high), bars = chosen, []
    for index, ((start, end), count, url) in enumerate(zip(spans, counts, urls(spans), strict=True)):
        if not count:
            continue
        tall = max(1.0, count / most * (base - HEADROOM))
        name = str(start) if start == end else f"{start} to {end}"
        bars.append(
            YearBar(
                label=f"{name}: {count:,} paper{'' if count == 1 else 's'}",
                url=url,
                on=(low is None or end >= low) and (high is None or start <= high),
                area_x=round(index * slot, 3),
                area_width=round(slot, 3),
                x=round((index + GAP) * slot, 3),
                width=round((1 - 2 * GAP) * slot, 3),
                y=round(base - tall, 1),
                height=round(tall, 1),
            )
        )
    ticks = _ticks([start for start, _ in spans], slot)
    return Chart(height, base, bars, ticks, _grid_lines(most, base) if grid else [])


def _round_step(wanted: int, most: int) -> int:
    """The smallest round number that leaves at most `most` steps."""
    return next((step for step in (1, 2, 5, 10, 20, 25, 50, 100) if wanted / step <= most), 1000)


def _ticks(starts: list[int], slot: float) -> list[Tick]:
    step = _round_step(starts[-1] - starts[0] + 1, MAX_TICKS)
    marked = [(index, start) for index, start in enumerate(starts) if start % step == 0] or [(0, starts[0])]
    return [
        Tick(str(start), *_anchored((index + 0.5) * slot), minor=number % 2 == 1)
        for number, (index, start) in enumerate(marked)
    ]


def _anchored(x: float) -> tuple[float, str]:
    """Labels at the edges are aligned inwards."""
    if x < 3:
        return 0.0, "start"
    return (100.0, "end") if x > 97 else (round(x, 3), "middle")


def _grid_lines(most: int, base: int) -> list[GridLine]:
    step = max(1, _round_step(most, 5))
    values = range(step, most + 1, step)
    return [GridLine(f"{value:,}", round(base - value / most * (base - HEADROOM), 1)) for value in values]
