"""Checks a snapshot: what it holds, what it lacks, and which of its assets a server could not serve."""

import hashlib
import json
import math
import os
import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from msgspec import Struct

from ingest.entries.report import NoProgress, TaskProgress
from ingest.index_state import index_folder, verified_state_of
from papercore.errors import ToolError
from papercore.processes.files import open_regular
from papercore.snapshot.assets import (
    FolderStore,
    manifest_key,
    pdf_key,
    preferred_summary_key,
    source_key,
    summary_key,
    translation_key,
)
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
_TEMPLATE = re.compile(r"[a-z0-9_-]+")
_LANG = re.compile(r"[a-z0-9-]+")
_OTHER_HASH = "its content has another hash"


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


class _Asset(Struct, frozen=True):
    """`problem_with` describes what is wrong with the content; empty for nothing."""

    key: str
    problem_with: Callable[[bytes], str]


def asset_problems(database: Path, assets: Path, progress: TaskProgress) -> Iterator[str]:
    if not assets.is_dir():
        yield f"The asset folder {assets} is missing."
        return
    store = FolderStore(str(assets))
    with closing(open_read_only(database)) as connection:
        for asset in progress.track("Checking assets", _texts(connection)):
            if problem := _problem(store, asset):
                yield f"{asset.key}: {problem}"
        for sha256 in progress.track("Checking PDFs", _hashes(connection, "pdf_content_hash")):
            path = assets / pdf_key(sha256)
            if path.is_symlink() or not path.is_file():
                yield f"{pdf_key(sha256)}: missing"
                continue
            # PDFs may be large, so they are read in pieces; links are not followed.
            with os.fdopen(open_regular(path), "rb") as file:
                if hashlib.file_digest(file, "sha256").hexdigest() != sha256:
                    yield f"{pdf_key(sha256)}: {_OTHER_HASH}"
        yield from _missing_images(connection, store)


def _texts(connection: Connection) -> Iterator[_Asset]:
    """Every summary, source and translation that the tables name."""
    for (paper_id,) in connection.execute("SELECT paper_id FROM paper"):
        yield _Asset(preferred_summary_key(paper_id), _summary_problem)
    for paper_id, template in connection.execute("SELECT paper_id, template_tag FROM paper_summary"):
        check = _summary_problem if _TEMPLATE.fullmatch(template) else _bad_name
        yield _Asset(summary_key(paper_id, template), check)
    for lang, sha256 in connection.execute("SELECT lang, md_content_hash FROM paper_translation"):
        yield _Asset(translation_key(lang, sha256), _has_hash(sha256) if _LANG.fullmatch(lang) else _bad_name)
    for sha256 in _hashes(connection, "source_md_content_hash"):
        yield _Asset(source_key(sha256), _has_hash(sha256))


def _hashes(connection: Connection, column: str) -> Iterator[str]:
    sql = f"SELECT DISTINCT {column} FROM paper WHERE {column} IS NOT NULL"  # noqa: S608 - our own names
    yield from (sha256 for (sha256,) in connection.execute(sql))


def _problem(store: FolderStore, asset: _Asset) -> str:
    try:
        return asset.problem_with(store.read(asset.key))
    except ToolError as error:
        return error.message


def _summary_problem(content: bytes) -> str:
    try:
        value = json.loads(content.decode("utf-8"))
    except UnicodeDecodeError:
        return "not UTF-8"
    except (ValueError, RecursionError):
        return "not JSON"
    return "" if isinstance(value, dict) and isinstance(value.get("summary"), str) else "not a summary"


def _bad_name(content: bytes) -> str:
    return "a server does not accept this name"


def _has_hash(sha256: str) -> Callable[[bytes], str]:
    def problem_with(content: bytes) -> str:
        if hashlib.sha256(content).hexdigest() != sha256:
            return _OTHER_HASH
        try:
            content.decode("utf-8")
        except UnicodeDecodeError:
            return "not UTF-8"
        return ""

    return problem_with


def _missing_images(connection: Connection, store: FolderStore) -> Iterator[str]:
    """Images of papers with a source or translation, except those that were already missing at build time."""
    sql = (
        "SELECT paper_id FROM paper WHERE source_md_content_hash IS NOT NULL"
        " UNION SELECT paper_id FROM paper_translation"
    )
    for (paper_id,) in connection.execute(sql):
        key = manifest_key(paper_id)
        try:
            manifest = json.loads(store.read(key))
        except (ToolError, ValueError, RecursionError):
            yield f"{key}: missing or not JSON"
            continue
        images = manifest.get("images") if isinstance(manifest, dict) else None
        for image in images if isinstance(images, list) else ():
            if isinstance(image, dict) and image.get("status") == "available":
                name = str(image.get("static_path"))
                if problem := _problem(store, _Asset(name, lambda content: "")):
                    yield f"{name}: {problem}"
