"""Creates and opens tantivy indexes with our text analysis."""

import tempfile
from pathlib import Path

import tantivy

from papercore.retrieval import analysis

LOCK_SUFFIX = ".lock"


def new_index(path: Path, schema: tantivy.Schema) -> tantivy.Index:
    """An empty word index in a new folder."""
    path.mkdir()
    index = tantivy.Index(schema, path=str(path))
    analysis.register(index)
    return index


def open_index(path: Path) -> tantivy.Index:
    """A finished word index. It never changes, so nothing watches the folder, and nothing is written to it."""
    # To read, tantivy creates a lock file beside the index, which a read-only library does not allow. So it reads
    # through links in a folder of its own, which is not needed once all files are open.
    with tempfile.TemporaryDirectory(prefix="papersite-index-") as links:
        for file in path.resolve().iterdir():
            if file.suffix != LOCK_SUFFIX:
                Path(links, file.name).symlink_to(file)
        index = tantivy.Index.open(links)
        analysis.register(index)
        index.config_reader("Manual")
        index.reload()
    return index
