"""Writes the facet values of papers: the five facet tables, and the graph of values that occur together."""

import sqlite3
from collections import Counter
from dataclasses import dataclass, field

from ingest.entries.text import facet_value
from ingest.matching.records import Record
from papercore.bibliography.dates import UNKNOWN
from papercore.snapshot.file import FACETS

# Edges grow with the square of a paper's values, so only the first fifty of each kind go into the graph.
# The facet tables hold them all.
GRAPH_VALUES = 50

# By kind of facet.
FacetTexts = dict[str, list[str]]


@dataclass
class _FacetValues:
    """The values of one facet with their ids, in order of appearance."""

    ids: dict[str, int] = field(default_factory=dict)
    counts: Counter[int] = field(default_factory=Counter)

    def add(self, value: str) -> int:
        value_id = self.ids.setdefault(value, len(self.ids) + 1)
        self.counts[value_id] += 1
        return value_id


class FacetWriter:
    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database
        self._facets = {name: _FacetValues() for name in FACETS}
        self._nodes: dict[tuple[str, str], int] = {}
        self._node_counts: Counter[int] = Counter()
        database.execute("CREATE TEMP TABLE graph_node (paper INTEGER, node_id INTEGER)")

    def add(self, paper_id: str, index: int, values: FacetTexts) -> None:
        for name in FACETS:
            if not values[name]:
                continue
            rows = [(paper_id, self._facets[name].add(value)) for value in values[name]]
            self._database.executemany(f"INSERT INTO paper_{name} VALUES (?, ?)", rows)  # noqa: S608 - our names
        self._add_nodes(paper_id, index, values)

    def _add_nodes(self, paper_id: str, index: int, values: FacetTexts) -> None:
        nodes, graph_nodes = [], []
        for kind, texts in values.items():
            ids = [self._nodes.setdefault((kind, text), len(self._nodes) + 1) for text in texts]
            nodes.extend(ids)
            graph_nodes.extend(ids[:GRAPH_VALUES])
        self._node_counts.update(nodes)
        self._database.executemany("INSERT INTO paper_facet VALUES (?, ?)", [(paper_id, node) for node in nodes])
        self._database.executemany("INSERT INTO graph_node VALUES (?, ?)", [(index, node) for node in graph_nodes])

    def finish(self) -> None:
        """Write the values with their counts, then the edges, which SQLite sorts on disk."""
        for name, values in self._facets.items():
            rows = ((value_id, value, values.counts[value_id]) for value, value_id in values.ids.items())
            self._database.executemany(f"INSERT INTO {name} VALUES (?, ?, ?)", rows)  # noqa: S608 - our names
        nodes = ((node, kind, value, self._node_counts[node]) for (kind, value), node in self._nodes.items())
        self._database.executemany("INSERT INTO facet_node VALUES (?, ?, ?, ?)", nodes)
        self._database.execute("CREATE INDEX temp.graph_node_paper ON graph_node (paper, node_id)")
        self._database.execute(
            "INSERT INTO facet_edge"
            " SELECT a.node_id, b.node_id, count(*) FROM temp.graph_node a"
            " JOIN temp.graph_node b ON a.paper = b.paper AND a.node_id < b.node_id"
            " GROUP BY a.node_id, b.node_id"
        )


def facet_values(record: Record, langs: list[str]) -> FacetTexts:
    """The paper's values by facet, without unknown and empty ones."""
    provenance = record.provenance
    texts = {
        "author": record.authors,
        "keyword": record.keywords,
        "institution": record.institutions,
        "tag": record.tags,
        "venue": (record.venue,),
        "year": (record.year,),
        "month": (record.month,),
        "summary_template": tuple(summary.template for summary in record.summaries),
        "output_language": (provenance.output_language,),
        "provider": (provenance.provider,),
        "model": (provenance.model,),
        "prompt_template": (provenance.prompt_template,),
        "translation_lang": tuple(langs),
    }
    return {kind: _distinct(values) for kind, values in texts.items()}


def _distinct(values: tuple[str, ...]) -> list[str]:
    spelled = (facet_value(value) for value in values)
    return [value for value in dict.fromkeys(spelled) if value and value != UNKNOWN]
