"""What pages draw, as numbers: the chart of papers per year, and the graph of citations around a paper."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from msgspec import Struct

from papercore.bibliography.references import cites
from papers.references.cited import LibraryPaper, references_of
from papers.references.tools import CitedAndCiting
from papers.snapshot.queries import papers_with_ids
from papers.snapshot.served import connection

AXIS = 20  # pixels below the bars, for the labels
HEADROOM = 16  # pixels above the tallest bar
GAP = 0.12  # share of a bar's slot that stays free on either side
MIN_BARS, MAX_BARS = 24, 120  # fewer would be slabs, more would be hairs
MAX_TICKS = 12
# Of so many papers one may lie far outside the axis; years this close to each other are never parted.
OUTLIERS, SMALL_GAP = 100, 5
ROOM = 14  # percent of the axis for the label of what lies outside
# Given spans of years, the address of each.
YearUrls = Callable[[Iterable[tuple[int, int]]], list[str]]
# Papers drawn in the graph of citations: more are a thicket.
GRAPH_PAPERS = 30
# Pixels: a row, the width of the drawing, where its dots are, and how far arcs reach to the left of them.
ROW, WIDTH, DOT = 36, 96, 84
NEAR, FAR = 18, 66
ARROW = 6


class YearBar(NamedTuple):
    """A span of years. The area is what can be clicked, the bar what is seen."""

    label: str
    url: str
    on: bool
    area_x: float
    x: float
    y: float
    height: float


class Tick(NamedTuple):
    text: str
    x: float
    anchor: str
    minor: bool


class GridLine(NamedTuple):
    text: str
    y: float


class Chart(Struct, frozen=True):
    height: int
    base: int
    # Years that each bar stands for.
    step: int
    # Alike for all bars.
    area_width: float
    bar_width: float
    bars: list[YearBar]
    ticks: list[Tick]
    lines: list[GridLine]


class _Span(NamedTuple):
    """Years that share a bar, and its place among the slots of the axis."""

    first: int
    last: int
    slot: int
    name: str


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
    spans, step = _spans(years)
    counts, starts = [0] * len(spans), [span.first for span in spans]
    for year, papers in years.items():
        counts[bisect_right(starts, year) - 1] += papers
    base, slot, most = height - AXIS, 100 / (spans[-1].slot + 1), max(counts)
    low, high = chosen
    addresses = urls([(span.first, span.last) for span in spans])
    bars = []
    for span, papers, url in zip(spans, counts, addresses, strict=True):
        if papers:
            tall = max(1.0, papers / most * (base - HEADROOM))
            bar = YearBar(
                label=f"{span.name}: {papers:,} paper{'' if papers == 1 else 's'}",
                url=url,
                on=(low is None or span.last >= low) and (high is None or span.first <= high),
                area_x=round(span.slot * slot, 3),
                x=round((span.slot + GAP) * slot, 3),
                y=round(base - tall, 1),
                height=round(tall, 1),
            )
            bars.append(bar)
    widths = round(slot, 3), round((1 - 2 * GAP) * slot, 3)
    return Chart(height, base, step, *widths, bars, _ticks(spans, slot), _grid_lines(most, base) if grid else [])


def _spans(years: dict[int, int]) -> tuple[list[_Span], int]:
    """The spans of years along the axis and their length; what lies far outside is one span at its end."""
    low, high = _axis(years)
    earliest = min(low, high - MIN_BARS + 1)
    step = _round_step(high - earliest + 1, MAX_BARS)
    starts = range(earliest // step * step, high + 1, step)
    before, after = min(years) < starts[0], max(years) > high
    slot = 2 if before else 0  # after the bar and a gap
    spans = [
        _Span(start, last, slot + index, str(start) if start == last else f"{start} to {last}")
        for index, start in enumerate(starts)
        for last in [min(start + step - 1, high)]
    ]
    if before:
        spans.insert(0, _Span(min(years), starts[0] - 1, 0, f"before {starts[0]}"))
    if after:
        spans.append(_Span(high + 1, max(years), spans[-1].slot + 2, f"after {high}"))
    return spans, step


def _axis(years: dict[int, int]) -> tuple[int, int]:
    """The first and the last year of the axis: a paper of 1850 among hundreds of this century does not stretch it."""
    ordered = sorted(years)
    spared = max(1, sum(years.values()) // OUTLIERS)
    low, high = _edge(ordered, years, spared), _edge(ordered[::-1], years, spared)
    span = max(MIN_BARS, high - low + 1)
    low = low if low - ordered[0] > span else ordered[0]
    high = high if ordered[-1] - high > span else ordered[-1]
    return (low, high) if low <= high else (ordered[0], ordered[-1])


def _edge(ordered: list[int], years: dict[int, int], spared: int) -> int:
    """The year in this order up to which there are more papers than may be left out, moved back over small gaps."""
    passed = accumulate(years[year] for year in ordered)
    index = next((index for index, papers in enumerate(passed) if papers > spared), len(ordered) - 1)
    while index and abs(ordered[index] - ordered[index - 1]) <= SMALL_GAP:
        index -= 1
    return ordered[index]


def _round_step(wanted: int, most: int) -> int:
    """The smallest round number that leaves at most `most` steps."""
    factor = 1
    while wanted / (50 * factor) > most:
        factor *= 100
    return next(step * factor for step in (1, 2, 5, 10, 20, 25, 50) if wanted / (step * factor) <= most)


def _ticks(spans: list[_Span], slot: float) -> list[Tick]:
    """Labels of round years, at the edges aligned inwards; those for what lies outside need room."""
    before, after = spans[0].name.startswith("before"), spans[-1].name.startswith("after")
    regular = spans[before : len(spans) - after]
    step = _round_step(regular[-1].last - regular[0].first + 1, MAX_TICKS)
    marked = [span for span in regular if span.first % step == 0] or regular[:1]
    ticks = []
    for number, span in enumerate(marked):
        x = (span.slot + 0.5) * slot
        if (before and x < ROOM) or (after and x > 100 - ROOM):
            continue
        place = (0.0, "start") if x < 3 else (100.0, "end") if x > 97 else (round(x, 3), "middle")
        ticks.append(Tick(str(span.first), *place, minor=number % 2 == 1))
    if before:
        ticks.append(Tick("earlier", 0.0, "start", minor=False))
    if after:
        ticks.append(Tick("later", 100.0, "end", minor=False))
    return ticks


def _grid_lines(most: int, base: int) -> list[GridLine]:
    """Round numbers of papers; the topmost says what they are."""
    step = max(1, _round_step(most, 5))
    values = range(step, most + 1, step)
    unit = " paper" if values[-1] == 1 else " papers"
    return [
        GridLine(f"{value:,}{unit if value == values[-1] else ''}", round(base - value / most * (base - HEADROOM), 1))
        for value in values
    ]


class GraphRow(Struct, frozen=True):
    paper_id: str
    title: str
    year: int | None
    y: int
    current: bool


class Arc(Struct, frozen=True):
    """From the citing paper to the cited one; `own` if the current paper is one of the two."""

    path: str
    head: str
    own: bool


class CitationGraph(Struct, frozen=True):
    rows: list[GraphRow]
    arcs: list[Arc]
    left_out: int

    @property
    def height(self) -> int:
        return ROW * len(self.rows)


def citation_graph(citations: CitedAndCiting) -> CitationGraph | None:
    """None where no other paper of the library has to do with it."""
    cited = list({paper.paper_id: paper for paper in citations.cited if paper}.values())
    citing = [item.paper for item in citations.citing.papers]
    if not cited and not citing:
        return None
    # Of both kinds as many as fit; those that are both count once.
    shown = [*citing[: max(GRAPH_PAPERS // 2, GRAPH_PAPERS - len(cited))], *cited]
    shown = list({paper.paper_id: paper for paper in shown}.values())[:GRAPH_PAPERS]
    total = len({paper.paper_id for paper in (*cited, *citing)})
    everyone = sorted([citations.paper, *shown], key=lambda paper: (-(paper.year or 0), paper.title))
    own = citations.paper.paper_id
    rows = {
        paper.paper_id: GraphRow(paper.paper_id, paper.title, paper.year, n * ROW + ROW // 2, paper.paper_id == own)
        for n, paper in enumerate(everyone)
    }
    from_own = [(own, paper.paper_id) for paper in citations.cited if paper]
    to_own = [(paper.paper_id, own) for paper in citing]
    pairs = dict.fromkeys((*from_own, *to_own, *_pairs_between(shown)))
    arcs = [_arc(rows[a].y, rows[b].y, len(rows), own=own in (a, b)) for a, b in pairs if a in rows and b in rows]
    return CitationGraph(list(rows.values()), sorted(arcs, key=lambda arc: arc.own), total - len(shown))


def _pairs_between(shown: Sequence[LibraryPaper]) -> Iterator[tuple[str, str]]:
    """Citations among the other papers. A reference is compared with those alone whose title begins with its words."""
    by_word: dict[str, list[LibraryPaper]] = defaultdict(list)
    for paper in shown:
        for key in (*paper.citable.title_words[:1], *paper.citable.dois, *paper.citable.arxivs):
            by_word[key].append(paper)
    for citing in papers_with_ids(connection(), [paper.paper_id for paper in shown]).values():
        for reference in references_of(citing):
            keys: Iterable[str | None] = {reference.doi, reference.arxiv, *(word.text for word in reference.words)}
            for other in (other for key in keys if key for other in by_word.get(key, ())):
                if other.paper_id != citing.paper_id and cites(reference, other.citable):
                    yield citing.paper_id, other.paper_id


def _arc(start: int, end: int, rows: int, *, own: bool) -> Arc:
    reach = NEAR + (FAR - NEAR) * abs(end - start) / (ROW * max(rows - 1, 1))
    left = round(DOT - reach * 4 / 3, 1)
    tip = DOT - 5
    head = f"{tip},{end} {tip - ARROW},{end - ARROW / 2} {tip - ARROW},{end + ARROW / 2}"
    return Arc(f"M{DOT - 5},{start}C{left},{start} {left},{end} {tip - ARROW},{end}", head, own)
