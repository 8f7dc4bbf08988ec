"""The chart of bench.speed.growth: CPU time against papers, both in powers of ten, for light and dark pages."""

from html import escape
from math import ceil, floor, log10

WIDTH, HEIGHT = 760, 420
LEFT, RIGHT, TOP, BOTTOM = 64, 190, 24, 44
# The least distance of two labels.
LINE = 16
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#8a6d00", "#56b4e9", "#7f7f7f", "#b03060", "#6a51a3", "#2f8f8f")
_HEAD = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" aria-label="{label}">
<style>
text {{ font: 13px system-ui, sans-serif; fill: #333; }}
.grid {{ stroke: #ccc; }}
@media (prefers-color-scheme: dark) {{ text {{ fill: #ddd; }} .grid {{ stroke: #444; }} }}
</style>
"""

Costs = dict[int, dict[str, float]]


class Axes:
    """Where a number of papers and a time are in the picture."""

    def __init__(self, costs: Costs) -> None:
        times = [time for kinds in costs.values() for time in kinds.values()]
        self.low, self.high = floor(log10(min(times))), ceil(log10(max(times)))
        self.high = max(self.high, self.low + 1)
        self.first, self.last = log10(min(costs)), max(log10(max(costs)), log10(min(costs)) + 1)

    def x(self, papers: int) -> float:
        return LEFT + (log10(papers) - self.first) / (self.last - self.first) * (WIDTH - LEFT - RIGHT)

    def y(self, time: float) -> float:
        return TOP + (self.high - log10(time)) / (self.high - self.low) * (HEIGHT - TOP - BOTTOM)


def draw(costs: Costs) -> str:
    """An SVG picture of one line for each kind of request; `costs` has its CPU ms for each number of papers."""
    axes, sizes = Axes(costs), sorted(costs)
    parts = [_HEAD.format(width=WIDTH, height=HEIGHT, label="CPU ms of requests against the number of papers")]
    parts += [_across(axes, 10.0**power) for power in range(axes.low, axes.high + 1)]
    parts += [_text(axes.x(size), HEIGHT - BOTTOM + 22, f"{size:,}", "middle") for size in sizes]
    parts.append(_text(LEFT, 14, "CPU ms"))
    parts.append(_text(WIDTH - RIGHT, HEIGHT - 4, "papers", "end"))
    labels = _label_places({kind: axes.y(time) for kind, time in costs[sizes[-1]].items()})
    for number, (kind, place) in enumerate(labels.items()):
        colour = COLOURS[number % len(COLOURS)]
        points = [(axes.x(size), axes.y(costs[size][kind])) for size in sizes]
        parts.append(_line(points, colour))
        parts.append(
            f'<path d="M{points[-1][0] + 5:.1f} {points[-1][1]:.1f}L{points[-1][0] + 16:.1f} {place:.1f}" '
            f'stroke="{colour}" fill="none"/>\n'
        )
        parts.append(_text(points[-1][0] + 20, place + 4, kind))
    return "".join([*parts, "</svg>\n"])


def _label_places(ends: dict[str, float]) -> dict[str, float]:
    """Where labels stand beside the ends of their lines, from top to bottom, without covering each other."""
    places: dict[str, float] = {}
    lowest = 0.0
    for kind, end in sorted(ends.items(), key=lambda item: item[1]):
        places[kind] = lowest = max(end, lowest + LINE)
    over = max(0.0, lowest - (HEIGHT - BOTTOM))
    return {kind: place - over for kind, place in places.items()}


def _across(axes: Axes, time: float) -> str:
    y = axes.y(time)
    return f'<path class="grid" d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}"/>\n{_text(LEFT - 8, y + 4, f"{time:g}", "end")}'


def _line(points: list[tuple[float, float]], colour: str) -> str:
    path = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    dots = "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in points)
    return f'<path d="M{path}" stroke="{colour}" stroke-width="2" fill="none"/>{dots}\n'


def _text(x: float, y: float, text: str, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>\n'
