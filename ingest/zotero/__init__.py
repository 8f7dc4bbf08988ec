"""Reads a Zotero data folder: its items, their files, notes and annotations."""

from ingest.zotero.database import is_zotero
from ingest.zotero.reader import read_zotero

__all__ = ["is_zotero", "read_zotero"]
