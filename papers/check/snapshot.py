"""Checks a snapshot: what it holds, what it lacks, and which of its assets a server could not serve."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from papercore.snapshot_file import FACETS, BadSnapshot, Connection, Facts, check, open_read_only, refuse_unfinished_wal
from papers.build.progress import Progress, Silence
from papers.check.assets import asset_problems
from papers.search import index

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
# Rows that point to no paper, by table.
_LINKS = (
    *("paper_summary", "paper_translation", "paper_bibtex", "paper_key_alias", "paper_facet", "paper_fts"),
    *(f"paper_{name}" for name in FACETS),
)


@dataclass
class CheckReport:
    """What was found. `problems` is empty for a snapshot that serves whole."""

    database: Path
    facts: Facts | None = None
    counts: dict[str, int] = field(default_factory=dict)
    features: dict[str, bool] = field(default_factory=dict)
    index: str = "no index"
    problems: list[str] = field(default_factory=list)


def check_snapshot(database: Path, assets: Path | None, progress: Progress | None = None) -> CheckReport:
    """Check the database, and every asset its papers name; without `assets` the database alone."""
    report = CheckReport(database)
    try:
        _check_database(report)
    except (BadSnapshot, sqlite3.DatabaseError) as error:
        report.problems.append(str(error))
        return report
    report.index = index.state(database, report.facts.build_id if report.facts else "").message
    if assets is not None:
        report.problems.extend(asset_problems(database, assets, progress or Silence()))
    return report


def _check_database(report: CheckReport) -> None:
    # Raises first for a missing file, then for one that is no snapshot.
    size = report.database.stat().st_size if report.database.is_file() else 0
    refuse_unfinished_wal(report.database)
    if not size:
        raise BadSnapshot("The snapshot file is missing or empty.")
    with closing(open_read_only(report.database)) as connection:
        report.facts = check(connection, size)
        report.counts = {name: _number(connection, sql) for name, sql in _COUNTS.items()}
        report.features = _features(connection, report.facts)
        report.problems.extend(_inconsistencies(connection, report))


def _number(connection: Connection, sql: str) -> int:
    return int(connection.execute(sql).fetchone()[0])


def _features(connection: Connection, facts: Facts) -> dict[str, bool]:
    trigram = connection.execute("SELECT 1 FROM main.sqlite_master WHERE name = 'paper_fts_trigram'").fetchone()
    return {"doi": facts.has_doi, "bibtex": facts.has_bibtex, "title trigrams": trigram is not None}


def _inconsistencies(connection: Connection, report: CheckReport) -> Iterator[str]:
    (state,) = connection.execute("PRAGMA main.quick_check(1)").fetchone()
    if state != "ok":
        yield f"SQLite finds damage: {state}"
    if report.facts and not report.facts.build_id:
        yield "snapshot_meta has no snapshot_build_id"
    for table in _LINKS:
        # The names are our own, from the list above.
        lost = _number(connection, f"SELECT count(*) FROM {table} WHERE paper_id NOT IN (SELECT paper_id FROM paper)")  # noqa: S608
        if lost:
            yield f"{table}: {lost:,} rows belong to no paper"
    indexed = _number(connection, "SELECT count(*) FROM paper_fts")
    if indexed != report.counts["papers"]:
        yield f"paper_fts: {indexed:,} rows for {report.counts['papers']:,} papers"
