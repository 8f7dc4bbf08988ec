"""Creates and opens tantivy indexes with our text analysis."""

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
    """A finished word index. It never changes, so nothing watches the folder."""
    index = tantivy.Index.open(str(path))
    analysis.register(index)
    index.config_reader("Manual")
    index.reload()
    return index
