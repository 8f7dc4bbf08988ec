"""Checks a snapshot: what it holds, what it lacks, and which of its assets a server could not serve."""

import math
import sqlite3
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from ingest.checking.assets import asset_problems
from ingest.index_state import index_folder, verified_state_of
from ingest.progress import NoProgress, TaskProgress
from papercore.snapshot.file import (
    FACETS,
    BadSnapshot,
    Connection,
    SnapshotFacts,
    checksum_state,
    open_read_only,
    read_facts,
    refuse_unfinished_wal,
)

_COUNTS = {
    "papers": "SELECT count(*) FROM paper",
    "summaries": "SELECT count(*) FROM paper_summary",
    "sources": "SELECT count(*) FROM paper WHERE source_md_content_hash IS NOT NULL",
    "translations": "SELECT count(*) FROM paper_translation",
    "PDFs": "SELECT count(*) FROM paper WHERE pdf_content_hash IS NOT NULL",
    "BibTeX entries": "SELECT count(*) FROM paper_bibtex",
    "DOIs": "SELECT count(*) FROM paper WHERE doi IS NOT NULL",
    **{f"{name} values": f"SELECT count(*) FROM {name}" for name in FACETS},  # noqa: S608 - our own names
    "co-occurrences": "SELECT count(*) FROM facet_edge",
}
_TABLES_OF_PAPERS = (
    *("paper_summary", "paper_translation", "paper_bibtex", "paper_key_alias", "paper_facet", "paper_fts"),
    *(f"paper_{name}" for name in FACETS),
)


@dataclass
class CheckReport:
    """`problems` is empty for a snapshot that can be served completely; `assets` is None when they were not checked."""

    database: Path
    assets: Path | None
    facts: SnapshotFacts | None = None
    counts: dict[str, int] = field(default_factory=dict)
    features: dict[str, bool] = field(default_factory=dict)
    index: str = "no index"
    problems: list[str] = field(default_factory=list)

    def describe(self) -> str:
        """A table with one line per fact; the problems are only counted."""
        rows: list[tuple[str, object]] = [("Snapshot", self.database)]
        if self.facts:
            rows.append(("Build", f"{self.facts.build_id}, {self.facts.built_at}"))
        rows.extend((name, f"{count:,}") for name, count in self.counts.items())
        rows.extend((name, "yes" if present else "no") for name, present in self.features.items())
        rows.append(("assets", self.assets or "not checked: they come from a URL"))
        rows.append(("search index", self.index))
        rows.append(("problems", f"{len(self.problems):,}"))
        return "\n".join(f"{name:<20} {value}" for name, value in rows)


def check_snapshot(
    database: Path, assets: Path | None, model: str = "", progress: TaskProgress | None = None
) -> CheckReport:
    """Check the database, its index and every asset that its papers name.

    Without `assets` no asset is checked. `model` is the folder of the sentence model that the site searches with.
    """
    report = CheckReport(database, assets)
    try:
        _check_database(report)
    except (BadSnapshot, sqlite3.DatabaseError) as error:
        report.problems.append(str(error))
        return report
    state = verified_state_of(index_folder(str(database), model), report.facts.build_id if report.facts else "")
    report.index = state.message
    if state.status == "damaged":
        report.problems.append(f"Search index: {state.message}")
    if assets is not None:
        report.problems.extend(asset_problems(database, assets, progress or NoProgress()))
    return report


def _check_database(report: CheckReport) -> None:
    size = report.database.stat().st_size if report.database.is_file() else 0
    refuse_unfinished_wal(report.database)
    if not size:
        raise BadSnapshot("The snapshot file is missing or empty.")
    with closing(open_read_only(report.database)) as connection:
        report.facts = read_facts(connection, size)
        report.counts = {name: _number(connection, sql) for name, sql in _COUNTS.items()}
        trigrams = _number(connection, "SELECT count(*) FROM main.sqlite_master WHERE name = 'paper_fts_trigram'")
        report.features = {
            "doi": report.facts.has_doi,
            "bibtex": report.facts.has_bibtex,
            "title trigrams": trigrams > 0,
        }
        (state,) = connection.execute("PRAGMA main.quick_check(1)").fetchone()
        if state != "ok":
            report.problems.append(f"SQLite finds damage: {state}")
        if checksum_state(report.database, math.inf) == "differs":
            report.problems.append("The snapshot is damaged, its checksum differs: build or copy it again.")
        if not report.facts.build_id:
            report.problems.append("snapshot_meta has no snapshot_build_id")
        for table in _TABLES_OF_PAPERS:
            sql = f"SELECT count(*) FROM {table} WHERE paper_id NOT IN (SELECT paper_id FROM paper)"  # noqa: S608 - our names
            if orphans := _number(connection, sql):
                report.problems.append(f"{table}: {orphans:,} rows belong to no paper")
        indexed = _number(connection, "SELECT count(*) FROM paper_fts")
        if indexed != report.counts["papers"]:
            report.problems.append(f"paper_fts: {indexed:,} rows for {report.counts['papers']:,} papers")


def _number(connection: Connection, sql: str) -> int:
    return int(connection.execute(sql).fetchone()[0])
