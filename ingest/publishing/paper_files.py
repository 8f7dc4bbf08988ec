"""A paper's files: found in folders of markdown, translations and PDFs, by name, by title or by what a PDF says."""

import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path, PureWindowsPath

from msgspec import Struct

from ingest.entries.entry import Problem
from ingest.entries.report import ReadingReport, TaskProgress
from ingest.entries.text import folded
from ingest.matching.records import Record
from ingest.publishing.assets import AssetError, AssetWriter, PaperFiles
from ingest.reading.inputs import BuildFolders, files_in
from papercore.snapshot.file import ASSETS

_TRANSLATION = re.compile(r"(.+)\.([A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*)\.md", re.IGNORECASE)
_HEADING = re.compile(r"^#\s+(.+)$", re.MULTILINE)
# Where a source's title is looked for.
_HEADING_BYTES = 4096


class Translation(Struct, frozen=True):
    lang: str
    path: Path


class FilesByName:
    """The texts in a folder tree, by name and by title."""

    def __init__(self, root: Path | None, ending: str) -> None:
        self.root = root
        self.paths = list(files_in(root, ending))
        self._by_name: dict[str, Path] = {}
        self._used: set[Path | None] = set()
        for path in self.paths:
            self._by_name.setdefault(path.stem.lower(), path)
            self._by_name.setdefault(folded(path.stem), path)
        for path in list(self._by_name.values()):
            self._by_name.setdefault(folded(_heading(path)), path)
        self._by_name.pop("", None)

    @property
    def names(self) -> list[str]:
        return list(self._by_name)

    def find(self, record: Record) -> Path | None:
        if not self._by_name:
            return None
        found = next((self._by_name[name] for name in _names_of(record) if name in self._by_name), None)
        self._used.add(found)
        return found

    def unused(self) -> list[Path]:
        """Files that belong to no paper, once all papers were looked up."""
        return [path for path in dict.fromkeys(self._by_name.values()) if path not in self._used]


class TranslationsByName:
    """Files named `<stem>.<lang>.md`, by the same names as a source: its own, a key, or a title."""

    def __init__(self, root: Path | None) -> None:
        self.root = root
        self._by_name: dict[str, list[Translation]] = {}
        self._used: set[Path] = set()
        for path in files_in(root, ".md"):
            match = _TRANSLATION.fullmatch(path.name)
            if match:
                translation = Translation(match[2].lower().replace("_", "-"), path)
                for name in dict.fromkeys((match[1].lower(), folded(match[1]), folded(_heading(path)))):
                    self._by_name.setdefault(name, []).append(translation)
        self._by_name.pop("", None)

    @property
    def names(self) -> list[str]:
        return list(self._by_name)

    def find(self, record: Record, source: Path | None) -> list[Translation]:
        if not self._by_name:
            return []
        names = [*([source.stem.lower()] if source else []), *_names_of(record)]
        found = [translation for name in names for translation in self._by_name.get(name, ())]
        by_lang: dict[str, Translation] = {}
        for translation in found:
            by_lang.setdefault(translation.lang, translation)
        self._used.update(translation.path for translation in found)
        return list(by_lang.values())

    def unused(self) -> list[Path]:
        paths = (translation.path for found in self._by_name.values() for translation in found)
        return [path for path in dict.fromkeys(paths) if path not in self._used]


def _names_of(record: Record) -> Iterator[str]:
    """The names a paper's texts may have: its source's name, its .bib key, arXiv id, DOI or title."""
    yield from (PureWindowsPath(path).stem.lower() for path in record.source_paths if path)
    yield from (key.lower() for key in record.bib_keys if key)
    if record.arxiv:
        yield record.arxiv.replace("/", "_")
    if record.doi:
        yield record.doi.replace("/", "_")
    yield folded(record.title)


def _heading(path: Path) -> str:
    with path.open("rb") as stream:
        match = _HEADING.search(stream.read(_HEADING_BYTES).decode("utf-8", "ignore"))
    return match[1] if match else ""


class PaperFileStore:
    """Keeps the files of papers as assets: texts found in folders, and PDFs with their texts."""

    def __init__(self, folder: Path, folders: BuildFolders, report: ReadingReport, progress: TaskProgress) -> None:
        self._texts = folder / "pdf_texts"
        self._report = report
        self._progress = progress
        self.sources = FilesByName(folders.markdown, ".md")
        self.translations = TranslationsByName(folders.translations)
        image_roots = [root for root in (folders.markdown, folders.translations) if root]
        self.assets = AssetWriter(folder / ASSETS, image_roots)

    @property
    def names(self) -> list[str]:
        """The names and headings of all texts that belong to papers."""
        return list(dict.fromkeys([*self.sources.names, *self.translations.names]))

    def keep_text(self, number: int, markdown: str) -> Path:
        """The text of a PDF, until it is known whose it is."""
        self._texts.mkdir(exist_ok=True)
        path = self._texts / f"{number}.md"
        path.write_text(markdown, encoding="utf-8")
        return path

    def add(self, record: Record, files: PaperFiles, pdf: Path | None, text: Path | None) -> list[Path]:
        """Store the files of a paper, and return the paths of its texts. A PDF's text serves if there is no other.

        Those that cannot be used are skipped.
        """
        named = self.sources.find(record)
        if source := named or text:
            self._try(source, partial(self.assets.add_source, files, source))
        translations = self.translations.find(record, source)
        for each in translations:
            self._try(each.path, partial(self.assets.add_translation, files, each.lang, each.path, source))
        if pdf:
            self._try(pdf, partial(self.assets.add_pdf, files, pdf))
        for name in (name for name, key in files.images.items() if key is None):
            self._report.note(Problem(str(source or record.title), f"the image {name} is missing"), self._progress)
        return [path for path in (named, *(each.path for each in translations)) if path]

    def note_unused(self) -> None:
        """Say which texts belong to no paper, once those of all papers were added."""
        for path in (*self.sources.unused(), *self.translations.unused()):
            self._report.note(Problem(str(path), "no paper has this name or title"), self._progress)

    def _try(self, path: Path, add: Callable[[], None]) -> None:
        try:
            add()
        except (AssetError, OSError) as error:
            self._report.skip(Problem(str(path), str(error)), self._progress)
