"""Reads every asset that a snapshot's papers name, as the server would, and says which are not as they should be."""

import hashlib
import json
import os
import re
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from papercore.errors import ToolError
from papercore.snapshot_file import Connection, open_read_only
from papers.build.progress import Progress
from papers.texts.assets import FolderStore

_TEMPLATE = re.compile(r"[a-z0-9_-]+")
_LANG = re.compile(r"[a-z0-9-]+")


@dataclass(frozen=True)
class _Asset:
    """A key, and how its content is judged: a text for what is wrong, or nothing."""

    key: str
    judge: Callable[[bytes], str]


def asset_problems(database: Path, assets: Path, progress: Progress) -> Iterator[str]:
    if not assets.is_dir():
        yield f"The asset folder {assets} is missing."
        return
    store = FolderStore(str(assets))
    with closing(open_read_only(database)) as connection:
        for asset in progress.track("Checking assets", _named(connection)):
            problem = _pdf_problem(assets, asset.key) if asset.key.startswith("pdf/") else _problem(store, asset)
            if problem:
                yield f"{asset.key}: {problem}"
        yield from _missing_images(connection, store)


def _named(connection: Connection) -> Iterator[_Asset]:
    """Every asset that the tables promise."""
    for (paper_id,) in connection.execute("SELECT paper_id FROM paper"):
        yield _Asset(f"summary/{paper_id}.json", _not_a_summary)
    for paper_id, template in connection.execute("SELECT paper_id, template_tag FROM paper_summary"):
        yield _Asset(
            f"summary/{paper_id}/{template}.json", _not_a_summary if _TEMPLATE.fullmatch(template) else _bad_name
        )
    for lang, sha256 in connection.execute("SELECT lang, md_content_hash FROM paper_translation"):
        yield _Asset(f"md_translate/{lang}/{sha256}.md", _other_hash(sha256) if _LANG.fullmatch(lang) else _bad_name)
    for folder, column in (("md", "source_md_content_hash"), ("pdf", "pdf_content_hash")):
        sql = f"SELECT DISTINCT {column} FROM paper WHERE {column} IS NOT NULL"  # noqa: S608 - our own names
        for (sha256,) in connection.execute(sql):
            yield _Asset(f"{folder}/{sha256}.{folder}", _other_hash(sha256))


def _problem(store: FolderStore, asset: _Asset) -> str:
    try:
        return asset.judge(store.read(asset.key))
    except ToolError as error:
        return error.message


def _not_a_summary(content: bytes) -> str:
    try:
        value = json.loads(content.decode("utf-8"))
    except UnicodeDecodeError:
        return "not UTF-8"
    except (ValueError, RecursionError):
        return "not JSON"
    return "" if isinstance(value, dict) and isinstance(value.get("summary"), str) else "not a summary"


def _bad_name(content: bytes) -> str:
    return "no name that a server accepts"


def _other_hash(sha256: str) -> Callable[[bytes], str]:
    def judge(content: bytes) -> str:
        if hashlib.sha256(content).hexdigest() != sha256:
            return "its content has another hash"
        try:
            content.decode("utf-8")
        except UnicodeDecodeError:
            return "not UTF-8"
        return ""

    return judge


def _pdf_problem(assets: Path, key: str) -> str:
    """PDFs may be large: read in pieces, and no link is followed."""
    path = assets / key
    if path.is_symlink() or not path.is_file():
        return "missing"
    with os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW), "rb") as file:
        same = hashlib.file_digest(file, "sha256").hexdigest() == path.stem
    return "" if same else "its content has another hash"


def _missing_images(connection: Connection, store: FolderStore) -> Iterator[str]:
    """Images of papers with a source or translation; one known to be missing when it was built is no news."""
    sql = (
        "SELECT paper_id FROM paper WHERE source_md_content_hash IS NOT NULL"
        " UNION SELECT paper_id FROM paper_translation"
    )
    for (paper_id,) in connection.execute(sql):
        key = f"manifest/{paper_id}.json"
        try:
            manifest = json.loads(store.read(key))
        except (ToolError, ValueError, RecursionError):
            yield f"{key}: missing or not JSON"
            continue
        for image in _available_images(manifest):
            problem = _problem(store, _Asset(image, lambda content: ""))
            if problem:
                yield f"{image}: {problem}"


def _available_images(manifest: object) -> list[str]:
    images = manifest.get("images") if isinstance(manifest, dict) else None
    listed = [image for image in images if isinstance(image, dict)] if isinstance(images, list) else []
    return [str(image.get("static_path")) for image in listed if image.get("status") == "available"]
