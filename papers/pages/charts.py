"""Charts as numbers: where each bar stands, in percent across and pixels down. The templates draw them."""

from collections.abc import Callable
from dataclasses import dataclass

AXIS = 20  # pixels below the bars, for the labels
GAP = 0.12  # of a bar's room stays free on either side
MIN_BARS, MAX_BARS = 24, 120  # fewer would be slabs, more would be hairs
MAX_TICKS = 12


@dataclass(frozen=True)
class Bar:
    """One span of years. `area` is what can be pressed, the bar what is seen."""

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
class Line:
    """A grid line and the number that it stands for."""

    text: str
    y: float


@dataclass(frozen=True)
class Chart:
    height: int
    base: int
    bars: list[Bar]
    ticks: list[Tick]
    lines: list[Line]


def year_chart(
    years: dict[int, int],
    url: Callable[[int, int], str],
    *,
    height: int = 92,
    shown: tuple[int | None, int | None] = (None, None),
    grid: bool = False,
) -> Chart | None:
    """Papers per year, or per span of years where there are many; None without any year."""
    if not years:
        return None
    earliest = min(min(years), max(years) - MIN_BARS + 1)
    step = _step(max(years) - earliest + 1, MAX_BARS)
    first = earliest // step * step
    spans = [(start, min(start + step - 1, max(years))) for start in range(first, max(years) + 1, step)]
    counts = [sum(years.get(year, 0) for year in range(start, end + 1)) for start, end in spans]
    base, room, most = height - AXIS, 100 / len(spans), max(counts)
    bars = [
        _bar(index, span, count, room, base, count / most, url, shown)
        for index, (span, count) in enumerate(zip(spans, counts, strict=True))
        if count
    ]
    return Chart(height, base, bars, _ticks([start for start, _ in spans], room), _lines(most, base) if grid else [])


def _bar(
    index: int,
    span: tuple[int, int],
    count: int,
    room: float,
    base: int,
    part: float,
    url: Callable[[int, int], str],
    shown: tuple[int | None, int | None],
) -> Bar:
    start, end = span
    tall = max(1.0, part * (base - 16))
    low, high = shown
    name = str(start) if start == end else f"{start} to {end}"
    return Bar(
        label=f"{name}: {count:,} paper{'' if count == 1 else 's'}",
        url=url(start, end),
        on=(low is None or end >= low) and (high is None or start <= high),
        area_x=round(index * room, 3),
        area_width=round(room, 3),
        x=round((index + GAP) * room, 3),
        width=round((1 - 2 * GAP) * room, 3),
        y=round(base - tall, 1),
        height=round(tall, 1),
    )


def _step(wanted: int, most: int) -> int:
    """The smallest round number of years that leaves at most so many steps."""
    return next((step for step in (1, 2, 5, 10, 20, 25, 50, 100) if wanted / step <= most), 1000)


def _ticks(starts: list[int], room: float) -> list[Tick]:
    step = _step(starts[-1] - starts[0] + 1, MAX_TICKS)
    marked = [(index, start) for index, start in enumerate(starts) if start % step == 0] or [(0, starts[0])]
    return [
        Tick(str(start), *_place((index + 0.5) * room), minor=number % 2 == 1)
        for number, (index, start) in enumerate(marked)
    ]


def _place(x: float) -> tuple[float, str]:
    """Labels at the ends turn inwards."""
    if x < 3:
        return 0.0, "start"
    return (100.0, "end") if x > 97 else (round(x, 3), "middle")


def _lines(most: int, base: int) -> list[Line]:
    step = max(1, _step(most, 5))
    return [Line(f"{value:,}", round(base - value / most * (base - 16), 1)) for value in range(step, most + 1, step)]
