"""The facet values of papers: the five facet tables, and the graph of values that occur together.

`FacetWriter` writes them all for a new snapshot, `FacetChanges` one paper's values at a time in a finished one.
"""

import json
import sqlite3
from collections import Counter
from dataclasses import dataclass, field
from itertools import combinations

from ingest.matching.records import Record
from papercore.bibliography.fields import UNKNOWN
from papercore.snapshot.file import FACETS, facet_key

# Edges grow with the square of a paper's values, so only the first fifty of each kind go into the graph.
# The facet tables hold them all.
GRAPH_VALUES = 50

# By kind of facet.
FacetTexts = dict[str, list[str]]


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
    spelled = {kind: dict.fromkeys(map(facet_key, values)) for kind, values in texts.items()}
    return {kind: [value for value in values if value and value != UNKNOWN] for kind, values in spelled.items()}


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


class FacetChanges:
    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database

    def add(self, paper_id: str, values: FacetTexts) -> None:
        for name in FACETS:
            ids = [self._counted(name, f"{name}_id", {"value": value}) for value in values[name]]
            self._link(f"paper_{name}", paper_id, ids)
        nodes = [self._counted("facet_node", "node_id", node) for node in _nodes(values)]
        self._link("paper_facet", paper_id, nodes)
        edge = (
            "INSERT INTO facet_edge VALUES (?, ?, 1)"
            " ON CONFLICT (node_id_a, node_id_b) DO UPDATE SET paper_count = paper_count + 1"
        )
        self._database.executemany(edge, self._pairs(values))

    def remove(self, paper_id: str, values: FacetTexts) -> None:
        pairs = self._pairs(values)
        edge = "SET paper_count = paper_count - 1 WHERE node_id_a = ? AND node_id_b = ?"
        self._database.executemany(f"UPDATE facet_edge {edge}", pairs)
        self._database.executemany(
            "DELETE FROM facet_edge WHERE node_id_a = ? AND node_id_b = ? AND paper_count <= 0", pairs
        )
        for name in FACETS:
            self._uncount(name, f"{name}_id", f"paper_{name}", paper_id)
        self._uncount("facet_node", "node_id", "paper_facet", paper_id)

    def _counted(self, table: str, id_column: str, row: dict[str, str]) -> int:
        """Count one paper more for a value, which may be new; its id."""
        columns, places = ", ".join(row), ", ".join("?" * len(row))
        sql = (
            f"INSERT INTO {table} ({columns}, paper_count) VALUES ({places}, 1)"  # noqa: S608 - our names
            f" ON CONFLICT ({columns}) DO UPDATE SET paper_count = paper_count + 1 RETURNING {id_column}"
        )
        return int(self._database.execute(sql, list(row.values())).fetchone()[0])

    def _link(self, table: str, paper_id: str, ids: list[int]) -> None:
        self._database.executemany(f"INSERT INTO {table} VALUES (?, ?)", [(paper_id, value) for value in ids])  # noqa: S608 - our names

    def _uncount(self, table: str, id_column: str, links: str, paper_id: str) -> None:
        """Count one paper less for each of its values; a value without any paper goes."""
        found = self._database.execute(f"SELECT {id_column} FROM {links} WHERE paper_id = ?", [paper_id])  # noqa: S608 - our names
        ids = json.dumps([value for (value,) in found])
        among = f"{id_column} IN (SELECT value FROM json_each(?))"  # noqa: S608 - our names
        self._database.execute(f"UPDATE {table} SET paper_count = paper_count - 1 WHERE {among}", [ids])  # noqa: S608 - our names
        self._database.execute(f"DELETE FROM {table} WHERE {among} AND paper_count <= 0", [ids])  # noqa: S608 - our names
        self._database.execute(f"DELETE FROM {links} WHERE paper_id = ?", [paper_id])  # noqa: S608 - our names

    def _pairs(self, values: FacetTexts) -> list[tuple[int, int]]:
        """The nodes of a paper that the graph connects, two by two."""
        shown = {kind: texts[:GRAPH_VALUES] for kind, texts in values.items()}
        sql = "SELECT node_id FROM facet_node WHERE facet_type = :facet_type AND value = :value"
        rows = (self._database.execute(sql, node).fetchone() for node in _nodes(shown))
        return list(combinations(sorted(row[0] for row in rows if row), 2))


def _nodes(values: FacetTexts) -> list[dict[str, str]]:
    return [{"facet_type": kind, "value": value} for kind, texts in values.items() for value in texts]
