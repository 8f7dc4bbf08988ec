"""Changes the facet tables of a finished snapshot: one paper's values at a time, and their counts."""

import json
import sqlite3
from itertools import combinations

from ingest.publishing.facets import GRAPH_VALUES, FacetTexts
from papercore.snapshot.file import FACETS


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
