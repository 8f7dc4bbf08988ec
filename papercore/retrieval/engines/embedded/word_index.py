"""Creates and opens tantivy indexes with our text analysis."""

import shutil
import tempfile
from pathlib import Path

import tantivy

from papercore.retrieval.basics import analysis
from papercore.retrieval.engines.embedded.folder import LOCK_SUFFIX

# Attempts to remove a folder in which the engine's first reader, which ends in a thread of its own, may still put its
# lock.
REMOVALS = 5


def new_index(path: Path, schema: tantivy.Schema) -> tantivy.Index:
    """An empty word index in a new folder."""
    path.mkdir()
    index = tantivy.Index(schema, path=str(path))
    _register_analyzers(index)
    return index


def open_index(path: Path) -> tantivy.Index:
    """A finished word index. It never changes, so nothing watches the folder, and nothing is written to it."""
    # To read, tantivy creates a lock file beside the index, which a read-only library does not allow. So it reads
    # through links in a folder of its own, which is not needed once all files are open.
    links = Path(tempfile.mkdtemp(prefix="papersite-index-"))
    try:
        return open_to_write(links if _link_files(path, links) else path)
    finally:
        for _ in range(REMOVALS):
            shutil.rmtree(links, ignore_errors=True)
            if not links.exists():
                break


def _link_files(source: Path, links: Path) -> bool:
    """False where links are not allowed, as on Windows; the index is then read in place."""
    files = [file for file in source.resolve().iterdir() if file.suffix != LOCK_SUFFIX]
    try:
        for file in files:
            (links / file.name).symlink_to(file)
    except OSError:
        return False
    return True


def open_to_write(path: Path) -> tantivy.Index:
    """A word index of which nobody reads this copy."""
    index = tantivy.Index.open(str(path))
    _register_analyzers(index)
    index.config_reader("Manual")
    index.reload()
    return index


def _register_analyzers(index: tantivy.Index) -> None:
    """Register the analyzers that our schemas name."""
    index.register_tokenizer("text", analysis.TEXT)
    index.register_tokenizer("name", analysis.NAME)
    index.register_tokenizer("verbatim", analysis.VERBATIM)
    # A field that only sorts needs no terms.
    index.register_tokenizer("sortable", analysis.NO_TERM)
    index.register_fast_field_tokenizer("sortable", analysis.VALUE)
