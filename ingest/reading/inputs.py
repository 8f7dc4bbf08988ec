"""What a build is given: files with entries and their readers, PDFs, and folders with the papers' files."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from ingest.entries.entry import BuildError, LocatedEntry, Problem, UnusableInput
from ingest.reading import looked_up
from ingest.reading.bib import read_bib
from ingest.reading.json_file import read_json, read_jsonl
from ingest.reading.ris import read_ris
from ingest.reading.zotero_database import is_zotero

Reader = Callable[[Path], Iterator[LocatedEntry | Problem]]

_READERS: dict[str, Reader] = {
    ".bib": read_bib,
    ".ris": read_ris,
    ".nbib": read_ris,
    looked_up.ENDING: looked_up.read_looked_up,
    ".json": read_json,
    ".jsonl": read_jsonl,
    ".jsonl.gz": read_jsonl,
}
# What a person may bring.
_ENDINGS = (*(ending for ending in _READERS if ending != looked_up.ENDING), ".pdf")
_BESIDE_PDFS = (".bib", ".ris", ".nbib")


class BuildFolders(Struct, frozen=True):
    """Folders that hold the papers' files."""

    markdown: Path | None = None
    translations: Path | None = None
    pdf: Path | None = None
    zotero: Path | None = None
    # Where the files are that Zotero only links to.
    zotero_base: Path | None = None


class Inputs(Struct, frozen=True):
    """The bibliographies and Zotero folders, the PDFs that are inputs themselves, and the folders."""

    bibliographies: Sequence[Path]
    pdfs: Sequence[Path]
    folders: BuildFolders

    @classmethod
    def of(cls, paths: Sequence[Path], folders: BuildFolders | None) -> "Inputs":
        """BuildError if a path is missing or of a kind that nothing reads."""
        folders = folders or BuildFolders()
        zotero = [*([folders.zotero] if folders.zotero else []), *(path for path in paths if is_zotero(path))]
        files = [file for path in paths if path not in zotero for file in input_files(path)]
        pdfs = [file for file in files if file.suffix.lower() == ".pdf"]
        bibliographies = [file for file in files if file.suffix.lower() != ".pdf"]
        return cls([*bibliographies, *zotero], pdfs, folders)

    @property
    def all_pdfs(self) -> list[Path]:
        """Those that are inputs themselves, and those of the folder."""
        return [*files_in(self.folders.pdf, ".pdf"), *self.pdfs]

    @property
    def has_papers(self) -> bool:
        """Whether there is anything that papers are made from, not only files of papers."""
        return bool(self.bibliographies or self.pdfs or self.folders.pdf)

    @property
    def has_files(self) -> bool:
        """Whether there are texts for papers."""
        return bool(self.folders.markdown or self.folders.translations)


def input_files(path: Path) -> list[Path]:
    """The file itself, or the bibliographies and PDFs in a folder. UnusableInput if nothing reads it."""
    if path.is_dir():
        # JSON in a folder may be anything: it is read when it is named itself.
        found = [file for ending in (*_BESIDE_PDFS, ".pdf") for file in files_in(path, ending)]
        if not found:
            endings = ", ".join(_BESIDE_PDFS)
            raise UnusableInput([path], f"{path} has no PDF in it, and no {endings}. Name its files themselves.")
        return found
    if not path.is_file():
        raise UnusableInput([path], f"{path} is not a file.")
    if not is_input(path):
        raise UnusableInput([path], f"{path}: the name must end in one of {', '.join(_ENDINGS)}.")
    return [path]


def reader_of(path: Path) -> Reader | None:
    """The reader of a file, chosen by the ending of its name."""
    name = path.name.lower()
    return next((read for ending, read in _READERS.items() if name.endswith(ending)), None)


def is_input(path: Path) -> bool:
    """Whether a file with this name is read as a bibliography or a PDF."""
    return path.suffix.lower() == ".pdf" or reader_of(path) is not None


def files_in(folder: Path | None, ending: str) -> Iterable[Path]:
    """Regular files below the folder in a fixed order; links are not followed."""
    if folder is None:
        return []
    if not folder.is_dir():
        raise BuildError(f"{folder} is not a folder.")
    found = (path for path in folder.rglob("*") if path.suffix.lower() == ending)
    return sorted(path for path in found if path.is_file() and not path.is_symlink())
