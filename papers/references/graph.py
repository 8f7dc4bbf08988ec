"""The graph of citations around a paper as numbers: a row for each paper, newest first, an arc for each citation."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from papercore.bibliography.references import cites
from papers.references.cited import LibraryPaper, references_of
from papers.references.tools import CitedAndCiting
from papers.snapshot.queries import papers_with_ids
from papers.snapshot.served import connection

# Papers drawn in the graph of citations: more are a thicket.
GRAPH_PAPERS = 30
# Pixels: a row, the width of the drawing, where its dots are, and how far arcs reach to the left of them.
ROW, WIDTH, DOT = 36, 96, 84
NEAR, FAR = 18, 66
ARROW = 6


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
    half = GRAPH_PAPERS // 2
    shown = [*citing[: max(half, GRAPH_PAPERS - len(cited))], *cited]
    shown = list({paper.paper_id: paper for paper in shown}.values())[:GRAPH_PAPERS]
    everyone = sorted([citations.paper, *shown], key=lambda paper: (-(paper.year or 0), paper.title))
    total = len({paper.paper_id for paper in (*cited, *citing)})
    place = {paper.paper_id: n for n, paper in enumerate(everyone)}
    own = citations.paper.paper_id
    rows = [
        GraphRow(paper.paper_id, paper.title, paper.year, n * ROW + ROW // 2, paper.paper_id == own)
        for n, paper in enumerate(everyone)
    ]
    from_own = [(own, paper.paper_id) for paper in citations.cited if paper]
    to_own = [(paper.paper_id, own) for paper in citing]
    pairs = dict.fromkeys((*from_own, *to_own, *_pairs_between(shown)))
    drawn = [(a, b) for a, b in pairs if a in place and b in place]
    arcs = [_arc(rows[place[a]].y, rows[place[b]].y, len(rows), own=own in (a, b)) for a, b in drawn]
    return CitationGraph(rows, sorted(arcs, key=lambda arc: arc.own), total - len(shown))


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
