"""Reads every asset that a snapshot's papers name, as the server would, and reports what is wrong with each."""

import hashlib
import json
import os
import re
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

from msgspec import Struct

from ingest.progress import TaskProgress
from papercore.errors import ToolError
from papercore.processes.files import open_regular
from papercore.snapshot.assets import FolderStore
from papercore.snapshot.file import Connection, open_read_only
from papercore.snapshot.layout import (
    manifest_key,
    pdf_key,
    preferred_summary_key,
    source_key,
    summary_key,
    translation_key,
)

_TEMPLATE = re.compile(r"[a-z0-9_-]+")
_LANG = re.compile(r"[a-z0-9-]+")
_OTHER_HASH = "its content has another hash"


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
