"""Inputs to entries: a reader for each kind of file, and for Zotero's data folder."""
