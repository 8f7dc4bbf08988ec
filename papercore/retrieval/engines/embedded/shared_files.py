"""Files that a new build shares with the one before: the engine never writes into a file that exists."""

import os
import shutil
from pathlib import Path

from papercore.retrieval.engines.embedded.word_index import LOCK_SUFFIX


def link_files(source: Path, target: Path) -> None:
    """The files of an index under other names; copies on a disk without such links."""
    target.mkdir()
    for file in source.iterdir():
        if file.suffix != LOCK_SUFFIX:
            link_file(file, target / file.name)


def link_file(source: Path, target: Path) -> None:
    try:
        os.link(source, target)
    except OSError:
        shutil.copyfile(source, target)
