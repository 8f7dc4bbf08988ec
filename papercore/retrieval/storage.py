"""Opening and creating the folders of the word engine, always with our analysis."""

from pathlib import Path

import tantivy

from papercore.retrieval import analysis


def new_index(path: Path, schema: tantivy.Schema) -> tantivy.Index:
    """An empty word index in a new folder."""
    path.mkdir()
    index = tantivy.Index(schema, path=str(path))
    analysis.register(index)
    return index


def open_index(path: Path) -> tantivy.Index:
    """A finished word index, which never changes: nothing watches the folder."""
    index = tantivy.Index.open(str(path))
    analysis.register(index)
    index.config_reader("Manual")
    index.reload()
    return index


def count_of(found: tantivy.SearchResult) -> int:
    """How many documents matched; the package's type stubs do not know of it."""
    return int(found.count)  # type: ignore[attr-defined]
