"""What a build is given: files with entries, PDFs, and folders with the papers' files."""

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from ingest.entries.errors import UnusableInput
from ingest.input_files import pdfs_in
from ingest.reading import ENDINGS, Reader, reader_of
from ingest.reading.zotero import read_zotero
from ingest.reading.zotero_database import is_zotero


class BuildFolders(Struct, frozen=True):
    """Folders that hold the papers' files."""

    markdown: Path | None = None
    translations: Path | None = None
    pdf: Path | None = None
    zotero: Path | None = None


class Inputs(Struct, frozen=True):
    """Every input with its reader, the PDFs that are inputs themselves, and the folders."""

    readers: Sequence[tuple[Path, Reader]]
    pdfs: Sequence[Path]
    folders: BuildFolders

    @classmethod
    def of(cls, paths: Sequence[Path], folders: BuildFolders | None) -> "Inputs":
        """BuildError if a path is missing or of a kind that nothing reads."""
        folders = folders or BuildFolders()
        zotero = [*([folders.zotero] if folders.zotero else []), *(path for path in paths if is_zotero(path))]
        others = [path for path in paths if path not in zotero]
        pdfs = [pdf for path in others for pdf in pdfs_in(path)]
        files = [path for path in others if not (path.is_dir() or path.suffix.lower() == ".pdf")]
        readers = [*((path, _reader(path)) for path in files), *((path, read_zotero) for path in zotero)]
        return cls(readers, pdfs, folders)

    @property
    def has_papers(self) -> bool:
        """Whether there is anything that papers are made from, not only files of papers."""
        return bool(self.readers or self.pdfs or self.folders.pdf)

    @property
    def has_files(self) -> bool:
        """Whether there are texts for papers."""
        return bool(self.folders.markdown or self.folders.translations)


def is_input(path: Path) -> bool:
    """Whether a file with this name is read as a bibliography or a PDF."""
    return path.suffix.lower() == ".pdf" or reader_of(path) is not None


def _reader(path: Path) -> Reader:
    if not path.is_file():
        raise UnusableInput([path], f"{path} is not a file.")
    reader = reader_of(path)
    if reader is None:
        raise UnusableInput([path], f"{path}: the name must end in one of {ENDINGS}.")
    return reader
