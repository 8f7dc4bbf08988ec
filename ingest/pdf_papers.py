"""The papers of PDFs: the entry that a file without one becomes, and the texts until the snapshot is written."""

from collections.abc import Callable, Mapping
from pathlib import Path

from ingest.entries.entry import PaperEntry
from ingest.pdf import PdfText, escape_markdown
from papercore import limits
from papercore.text import clean_text, one_line


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


class PdfPapers:
    """Which PDF belongs to which paper by what it says, and the text of each."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._texts: dict[Path, Path] = {}
        self._number_of: dict[Path, int] = {}
        self._unreadable: set[Path] = set()
        folder.mkdir()

    def keep_text(self, path: Path, markdown: str) -> None:
        target = self._folder / f"{len(self._texts)}.md"
        target.write_text(markdown, encoding="utf-8")
        self._texts[path] = target

    def keep_number(self, path: Path, number: int) -> None:
        self._number_of[path] = number

    def attached(self) -> list[Path]:
        """The files of entries that name them."""
        return list(self._number_of)

    def keep_unreadable(self, path: Path) -> None:
        self._unreadable.add(path)

    def reported(self, path: Path) -> bool:
        """Whether the file became an entry, or was said to be unreadable."""
        return path in self._number_of or path in self._unreadable

    def text(self, path: Path | None) -> Path | None:
        return self._texts.get(path) if path else None

    def by_paper(self, root_of: Callable[[int], int]) -> dict[int, Path]:
        """The PDF of each paper, once it is known which numbers are the same paper."""
        found: dict[int, Path] = {}
        for path, number in self._number_of.items():
            found.setdefault(root_of(number), path)
        return found

    def second_files(self, used: Mapping[int, Path]) -> list[Path]:
        """The files whose paper has another one."""
        return sorted(self._number_of.keys() - set(used.values()))
