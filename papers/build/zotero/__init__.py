"""Reads a Zotero data folder: its items, their files, notes and annotations."""

from papers.build.zotero.database import is_zotero
from papers.build.zotero.reader import read_zotero

__all__ = ["is_zotero", "read_zotero"]
