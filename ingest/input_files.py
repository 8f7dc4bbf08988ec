"""A paper's files: found in folders of markdown, translations and PDFs, by name, by title or by what a PDF says."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path, PureWindowsPath

from msgspec import Struct

from ingest.entries.entry import PaperEntry
from ingest.entries.text import folded
from ingest.matching.records import Record
from ingest.pdf.blocks import escape_markdown
from ingest.pdf.readers import PdfText
from ingest.reading.inputs import files_in
from papercore import limits
from papercore.text import clean_text, one_line

_TRANSLATION = re.compile(r"(.+)\.([A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*)\.md", re.IGNORECASE)
_HEADING = re.compile(r"^#\s+(.+)$", re.MULTILINE)
# Where a source's title is looked for.
_HEADING_BYTES = 4096


class Translation(Struct, frozen=True):
    lang: str
    path: Path


class FilesByName:
    """The files with one ending in a folder tree, by name and, for texts, by title."""

    def __init__(self, root: Path | None, ending: str, titles: bool = False, also: Iterable[Path] = ()) -> None:
        self.root = root
        self.paths = [*files_in(root, ending), *also]
        self._by_name: dict[str, Path] = {}
        self._used: set[Path | None] = set()
        for path in self.paths:
            self._by_name.setdefault(path.stem.lower(), path)
            self._by_name.setdefault(folded(path.stem), path)
        for path in list(self._by_name.values()) if titles else ():
            self._by_name.setdefault(folded(_heading(path)), path)
        self._by_name.pop("", None)

    @property
    def names(self) -> list[str]:
        return list(self._by_name)

    def find(self, record: Record) -> Path | None:
        if not self._by_name:
            return None
        found = next((self._by_name[name] for name in names_of(record) if name in self._by_name), None)
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
        names = [*([source.stem.lower()] if source else []), *names_of(record)]
        found = [translation for name in names for translation in self._by_name.get(name, ())]
        by_lang: dict[str, Translation] = {}
        for translation in found:
            by_lang.setdefault(translation.lang, translation)
        self._used.update(translation.path for translation in found)
        return list(by_lang.values())

    def unused(self) -> list[Path]:
        paths = (translation.path for found in self._by_name.values() for translation in found)
        return [path for path in dict.fromkeys(paths) if path not in self._used]


def names_of(paper: Record | PaperEntry) -> Iterator[str]:
    """The names a paper's files may have: its source's name, its .bib key, arXiv id, DOI or title."""
    source_paths: tuple[str, ...] = (paper.source_path,) if isinstance(paper, PaperEntry) else paper.source_paths
    bib_keys: tuple[str, ...] = (paper.bib_key or "",) if isinstance(paper, PaperEntry) else paper.bib_keys
    yield from (PureWindowsPath(path).stem.lower() for path in source_paths if path)
    yield from (key.lower() for key in bib_keys if key)
    if paper.arxiv:
        yield paper.arxiv.replace("/", "_")
    if paper.doi:
        yield paper.doi.replace("/", "_")
    yield folded(paper.title)


def _heading(path: Path) -> str:
    with path.open("rb") as stream:
        match = _HEADING.search(stream.read(_HEADING_BYTES).decode("utf-8", "ignore"))
    return match[1] if match else ""


@dataclass
class PdfPapers:
    """What PDFs gave: a text each, kept in the folder, and the number of their paper; and those that gave nothing."""

    folder: Path
    texts: dict[Path, Path] = field(default_factory=dict)
    number_of: dict[Path, int] = field(default_factory=dict)
    unreadable: set[Path] = field(default_factory=set)

    def keep_text(self, path: Path, markdown: str) -> None:
        self.folder.mkdir(exist_ok=True)
        self.texts[path] = self.folder / f"{len(self.texts)}.md"
        self.texts[path].write_text(markdown, encoding="utf-8")


def entry_of(path: Path, pdf: PdfText) -> PaperEntry:
    """What the file says of itself, as an entry."""
    description = pdf.description
    return PaperEntry(
        title=description.title,
        authors=description.authors,
        date=description.year,
        abstract=description.abstract,
        doi=description.doi,
        arxiv=description.arxiv,
        source_path=path.name,
    )


def cached_text(path: Path) -> str:
    """The text that Zotero took from a PDF, which lies beside it; empty if there is none."""
    cache = path.parent / ".zotero-ft-cache"
    if not cache.is_file() or cache.stat().st_size > limits.ASSET_BYTES:
        return ""
    paragraphs = clean_text(cache.read_text(encoding="utf-8", errors="replace")).split("\n\n")
    return "\n\n".join(escape_markdown(one_line(paragraph)) for paragraph in paragraphs)
