"""Facet values of papers: the five facet tables, and the graph of which values occur together."""

import sqlite3
from collections import Counter
from dataclasses import dataclass, field

from papercore.snapshot_file import FACETS
from papers.build.dates import UNKNOWN
from papers.build.merge import Record
from papers.build.text import facet_value

# Edges grow with the square of a paper's values. Of a paper with hundreds of authors the first
# fifty values of each kind take part in the graph; the facet tables themselves hold them all.
GRAPH_VALUES = 50


@dataclass
class _FacetValues:
    """The values of one facet with their numbers, in order of appearance."""

    ids: dict[str, int] = field(default_factory=dict)
    counts: Counter[int] = field(default_factory=Counter)

    def number(self, value: str) -> int:
        number = self.ids.setdefault(value, len(self.ids) + 1)
        self.counts[number] += 1
        return number


class FacetWriter:
    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database
        self._facets = {name: _FacetValues() for name in FACETS}
        self._nodes: dict[tuple[str, str], int] = {}
        self._node_counts: Counter[int] = Counter()
        database.execute("CREATE TEMP TABLE member (paper INTEGER, node_id INTEGER)")

    def add(self, paper_id: str, index: int, record: Record, langs: list[str]) -> None:
        values = facet_values(record, langs)
        for name in FACETS:
            if not values[name]:
                continue
            numbers = [self._facets[name].number(value) for value in values[name]]
            self._database.executemany(
                f"INSERT INTO paper_{name} VALUES (?, ?)",  # noqa: S608 - the names are our own
                [(paper_id, number) for number in numbers],
            )
        self._add_nodes(paper_id, index, values)

    def _add_nodes(self, paper_id: str, index: int, values: dict[str, list[str]]) -> None:
        nodes, members = [], []
        for kind, texts in values.items():
            numbers = [self._nodes.setdefault((kind, text), len(self._nodes) + 1) for text in texts]
            nodes.extend(numbers)
            members.extend(numbers[:GRAPH_VALUES])
        self._node_counts.update(nodes)
        self._database.executemany("INSERT INTO paper_facet VALUES (?, ?)", [(paper_id, n) for n in nodes])
        self._database.executemany("INSERT INTO member VALUES (?, ?)", [(index, n) for n in members])

    def finish(self) -> None:
        """Write values with their counts, then the edges, which SQLite sorts on disk."""
        for name, values in self._facets.items():
            rows = ((number, value, values.counts[number]) for value, number in values.ids.items())
            self._database.executemany(f"INSERT INTO {name} VALUES (?, ?, ?)", rows)  # noqa: S608
        nodes = ((n, kind, value, self._node_counts[n]) for (kind, value), n in self._nodes.items())
        self._database.executemany("INSERT INTO facet_node VALUES (?, ?, ?, ?)", nodes)
        self._database.execute("CREATE INDEX temp.member_paper ON member (paper, node_id)")
        self._database.execute(
            "INSERT INTO facet_edge"
            " SELECT a.node_id, b.node_id, count(*) FROM temp.member a"
            " JOIN temp.member b ON a.paper = b.paper AND a.node_id < b.node_id"
            " GROUP BY a.node_id, b.node_id"
        )


def facet_values(record: Record, langs: list[str]) -> dict[str, list[str]]:
    """Every facet of the paper; what is unknown or empty is no value."""
    made = record.provenance
    texts = {
        "author": record.authors,
        "keyword": record.keywords,
        "institution": record.institutions,
        "tag": record.tags,
        "venue": (record.venue,),
        "year": (record.year,),
        "month": (record.month,),
        "summary_template": tuple(summary.template for summary in record.summaries),
        "output_language": (made.output_language,),
        "provider": (made.provider,),
        "model": (made.model,),
        "prompt_template": (made.prompt_template,),
        "translation_lang": tuple(langs),
    }
    return {kind: _distinct(values) for kind, values in texts.items()}


def _distinct(values: tuple[str, ...]) -> list[str]:
    known = (facet_value(value) for value in values)
    return [value for value in dict.fromkeys(known) if value and value != UNKNOWN]
