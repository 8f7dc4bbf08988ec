"""What is compared to tell whether two entries are about one work, and the rules that tell it, two by two."""

import re
from difflib import SequenceMatcher
from hashlib import sha256
from pathlib import PureWindowsPath
from typing import Literal

from msgspec import Struct

from ingest.entries.entry import PaperEntry, Trust
from ingest.entries.text import folded, surname
from papercore.bibliography.fields import UNKNOWN, kind_of_bibtex, parse_date
from papercore.bibliography.identifiers import ARXIV_DOI_PREFIX, canonical
from papercore.text import has_cjk

# What two entries share, the surest first: identifiers, a key, the name of a file, the whole description, the title.
LinkKind = Literal["doi", "arxiv", "bib", "name", "meta", "title"]
LINK_KINDS: tuple[LinkKind, ...] = ("doi", "arxiv", "bib", "name", "meta", "title")
# Enough to see whether two author lists overlap; some papers have thousands.
_COMPARED_AUTHORS = 10
# Real titles are shorter; comparing costs the square of the length.
_COMPARED_CHARS = 300
_SIMILAR_TITLES = 0.6
_SAME_TITLE = 0.8
_BOOK_KINDS = frozenset(("book",))
_SHORT_KINDS = frozenset(("article-journal", "article-magazine", "paper-conference", "chapter"))
# A PDF with more pages is no article, and one with fewer no book.
_ARTICLE_PAGES, _BOOK_PAGES = 120, 40
_PRINTED = re.compile(r"(\d{1,6})\s*[-‐‑‒–—]+\s*(\d{1,6})")
_PAGES_FIELD = re.compile(
    r"\bpages\s{0,9}=\s{0,9}[{\"]?\s{0,9}(\d{1,6}\s{0,3}[-‐‑‒–—]{1,3}\s{0,3}\d{1,6})", re.IGNORECASE
)

_IDENTIFIER_TITLE = re.compile(r"(?:pmid|pmcid|doi|arxiv):|(?:PMC|W)\d{4,12}$", re.IGNORECASE)


class Facts(Struct, frozen=True):
    """Of one entry. `digest` is the same for the same entry, whenever it comes; `collection` is where it was kept."""

    digest: str
    title: str
    surnames: tuple[str, ...]
    year: str
    kind: str
    printed_pages: int
    doi: str | None
    arxiv: str | None
    bib_key: str
    meta_key: str
    collection: str
    # Names that a paper's files may have; of a file, its own.
    names: tuple[str, ...]
    is_file: bool
    file_pages: int = 0
    first_words: str = ""

    def shared_with(self) -> list[str]:
        """Keys by which entries are found that may be about the same work; not one of them decides."""
        found = [f"doi:{self.doi}" if self.doi else "", f"arxiv:{self.arxiv}" if self.arxiv else ""]
        found += [f"bib:{self.bib_key}" if self.bib_key else "", self.meta_key]
        found += [f"name:{name}" for name in self.names]
        found.append(f"title:{self.title}" if self.title else "")
        return [key for key in dict.fromkeys(found) if key]


def facts_of(entry: PaperEntry, meta_key: str, collection: str, body: str) -> Facts:
    """`body` is the entry as it is stored."""
    publication, bibtex = entry.publication, entry.bibtex
    kind = publication.kind if publication else ""
    pages = _PRINTED.search(publication.pages) if publication else None
    if bibtex:
        kind = kind or kind_of_bibtex(bibtex.entry_type)
        found = _PAGES_FIELD.search(bibtex.raw)
        pages = pages or (_PRINTED.match(found[1]) if found else None)
    # A preprint's own DOI says no more than its arXiv id and does not contradict the published one.
    published = None if entry.doi and entry.doi.startswith(ARXIV_DOI_PREFIX) else entry.doi
    is_file = entry.trust == Trust.PDF
    return Facts(
        digest=sha256(body.encode()).hexdigest()[:24],
        title="" if is_stub(entry.title) else compared_title(entry.title),
        surnames=tuple(dict.fromkeys(surname(name) for name in entry.authors[:_COMPARED_AUTHORS])),
        year=parse_date(entry.date).year,
        kind=kind,
        printed_pages=max(0, int(pages[2]) - int(pages[1]) + 1) if pages else 0,
        doi=published,
        arxiv=entry.arxiv,
        bib_key=entry.bib_key or "",
        meta_key="" if is_file else meta_key,
        collection=collection,
        names=_file_names(entry) if is_file else _names_for_files(entry),
        is_file=is_file,
        file_pages=entry.file_pages,
        first_words=entry.first_words,
    )


def is_stub(title: str) -> bool:
    """Whether a title is but the identifier that somebody looked up in vain."""
    return not title or canonical(title) is not None or _IDENTIFIER_TITLE.match(title) is not None


def compared_title(title: str) -> str:
    return folded(title)[:_COMPARED_CHARS]


def _file_names(entry: PaperEntry) -> tuple[str, ...]:
    stem = PureWindowsPath(entry.source_path).stem
    return tuple(dict.fromkeys((stem.lower(), folded(stem)))) if stem else ()


def _names_for_files(entry: PaperEntry) -> tuple[str, ...]:
    """The source's name, the .bib key, arXiv id, DOI or title."""
    source = PureWindowsPath(entry.source_path).stem.lower() if entry.source_path else ""
    arxiv, doi = (entry.arxiv or "").replace("/", "_"), (entry.doi or "").replace("/", "_")
    return tuple(name for name in (source, (entry.bib_key or "").lower(), arxiv, doi) if name)


def link_between(one: Facts, other: Facts) -> LinkKind | None:
    """What makes the two entries one work; None where too little agrees, or something speaks against it."""
    if one.is_file and other.is_file:
        return _file_link(one, other)
    if one.is_file or other.is_file:
        file, paper = (one, other) if one.is_file else (other, one)
        return _link_of_file(file, paper)
    if contradict(one, other):
        return None
    if one.doi and one.doi == other.doi and _is_plausible(one, other):
        return "doi"
    if one.arxiv and one.arxiv == other.arxiv and _is_plausible(one, other):
        return "arxiv"
    same_key = one.bib_key and one.bib_key == other.bib_key
    if same_key and _are_titles_alike(one.title, other.title, _SAME_TITLE) and _is_plausible(one, other):
        return "bib"
    if one.meta_key == other.meta_key:
        return "meta"
    return "title" if _agree_in_title(one, other) else None


def contradict(one: Facts, other: Facts) -> bool:
    """Whether both have a DOI, or both an arXiv id, and they differ."""
    pairs = ((one.doi, other.doi), (one.arxiv, other.arxiv))
    return any(first is not None and second is not None and first != second for first, second in pairs)


def are_two_kinds(one: Facts, other: Facts) -> bool:
    """Whether one is a book and the other an article, whatever their titles."""
    kinds = {one.kind, other.kind}
    return bool(kinds & _BOOK_KINDS) and bool(kinds & _SHORT_KINDS)


def _file_link(one: Facts, other: Facts) -> LinkKind | None:
    """Two PDFs are of one work if both name the same identifier, or agree in title, author, year and length."""
    if contradict(one, other):
        return None
    if one.doi and one.doi == other.doi:
        return "doi"
    if one.arxiv and one.arxiv == other.arxiv:
        return "arxiv"
    shorter, longer = sorted((one.file_pages, other.file_pages))
    return "title" if _agree_in_title(one, other) and longer <= shorter + shorter // 4 + 2 else None


def _link_of_file(file: Facts, paper: Facts) -> LinkKind | None:
    """A file belongs by its content, or by a name that somebody gave it after the paper's key."""
    if contradict(file, paper):
        return None
    if file.doi and file.doi == paper.doi and _is_plausible(file, paper):
        return "doi"
    if file.arxiv and file.arxiv == paper.arxiv and _is_plausible(file, paper):
        return "arxiv"
    if set(file.names) & set(paper.names):
        return "name"
    is_titled = paper.title and (file.title == paper.title or paper.title in file.names)
    if not is_titled or not _has_fitting_length(file, paper) or not _years_fit(file, paper):
        return None
    # A scan says nothing more; its name must do.
    if not file.first_words and paper.title in file.names:
        return "name"
    named = [name for name in paper.surnames if name and name in file.first_words]
    return "title" if set(file.surnames) & set(paper.surnames) or named else None


def _has_fitting_length(file: Facts, paper: Facts) -> bool:
    """Whether the file has about as many pages as the paper: Hoare's book is not his article of the same title."""
    if not file.file_pages:
        return True
    if paper.printed_pages:
        return file.file_pages <= 2 * paper.printed_pages + 10
    if paper.kind in _SHORT_KINDS:
        return file.file_pages <= _ARTICLE_PAGES
    return paper.kind not in _BOOK_KINDS or file.file_pages >= _BOOK_PAGES


def _is_plausible(one: Facts, other: Facts) -> bool:
    """Whether papers that share an identifier may be one. A DOI may have been given to two, say a volume's chapters."""
    if not one.surnames or not other.surnames or set(one.surnames) & set(other.surnames):
        return True
    is_translation = has_cjk(one.title) != has_cjk(other.title)
    return is_translation or _are_titles_alike(one.title, other.title, _SIMILAR_TITLES)


def _agree_in_title(one: Facts, other: Facts) -> bool:
    """The same title and first author, years at most one apart, and the same kind of work."""
    if not one.title or one.title != other.title or not one.surnames or not other.surnames:
        return False
    return one.surnames[0] == other.surnames[0] and _years_fit(one, other) and not are_two_kinds(one, other)


def _years_fit(one: Facts, other: Facts) -> bool:
    return UNKNOWN in (one.year, other.year) or abs(int(one.year) - int(other.year)) <= 1


def _are_titles_alike(title: str, other: str, ratio: float) -> bool:
    shorter, longer = sorted((title, other), key=len)
    return longer.startswith(shorter) or SequenceMatcher(None, title, other).ratio() >= ratio
