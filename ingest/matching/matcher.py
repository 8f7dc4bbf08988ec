"""Decides which entries are the same paper: each entry, as it is read, gets the number of its paper."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from difflib import SequenceMatcher

from ingest.entries.entry import PaperEntry
from ingest.entries.text import folded, surname
from ingest.matching.identity import Key, keys_of
from papercore.bibliography.fields import UNKNOWN, parse_date
from papercore.bibliography.identifiers import ARXIV_DOI_PREFIX
from papercore.text import has_cjk

# Enough to see whether two author lists overlap; some papers have thousands.
_COMPARED_AUTHORS = 10
# Real titles are shorter; comparing costs the square of the length.
_COMPARED_CHARS = 300
_SIMILAR_TITLES = 0.6
_SAME_TITLE = 0.8
# Stands for the files that the papers of a library came from: its keys are told apart from those of new files.
KNOWN_LIBRARY = -2


@dataclass(slots=True)
class _MatchData:
    """What is compared to tell papers apart."""

    title: str
    first_author: str
    surnames: frozenset[str]
    year: str
    doi: str | None
    arxiv: str | None
    library_keys: set[tuple[int, str]] = field(default_factory=set)

    def absorb(self, other: "_MatchData") -> None:
        """Fill in what another entry about the same paper knows."""
        self.doi = self.doi or other.doi
        self.arxiv = self.arxiv or other.arxiv
        self.surnames = self.surnames or other.surnames
        if self.year == UNKNOWN:
            self.year = other.year
        self.library_keys |= other.library_keys


class Matcher:
    """Numbers papers by first appearance. Memory grows with the number of papers, not with their texts."""

    def __init__(self) -> None:
        self.keys: list[list[Key]] = []
        self._number_by_key: dict[str, int] = {}
        self._number_by_title: dict[tuple[str, str], int] = {}
        self._papers: list[_MatchData] = []
        self._joined_to: list[int] = []

    def number_of(self, entry: PaperEntry, file_number: int) -> int:
        """The paper that this entry is about: a known one if a key, or title and author, match."""
        keys = keys_of(entry)
        data = _match_data(entry, file_number)
        matches = list(dict.fromkeys(self._matches(keys, data)))
        number = matches[0] if matches else self._new(data)
        for other in matches[1:]:
            if not _contradict(self._papers[number], self._papers[other]):
                number, joined = min(number, other), max(number, other)
                self._joined_to[joined] = number
                self.keys[number].extend(self.keys[joined])
                self.keys[joined] = []
                self._papers[number].absorb(self._papers[joined])
        self._learn(number, keys, data)
        return number

    def add_known(self, entry: PaperEntry, keys: list[Key]) -> int:
        """Add a paper of which it is known that it is no other; entries that follow may join it."""
        data = _match_data(entry, KNOWN_LIBRARY)
        number = self._new(data)
        self._learn(number, keys, data)
        return number

    def root(self, number: int) -> int:
        """The number of the paper that this one was joined to; its own if to none."""
        while self._joined_to[number] != number:
            number = self._joined_to[number]
        return number

    def is_doi_of_another(self, entry: PaperEntry, number: int) -> bool:
        owner = self._number_by_key.get(f"doi:{entry.doi}")
        return owner is not None and self.root(owner) != self.root(number)

    def _matches(self, keys: list[Key], data: _MatchData) -> Iterator[int]:
        """The papers that a key leads to, strongest first, then the one with the same title and author."""
        for key in keys:
            if (owner := self._number_by_key.get(key.text)) is not None:
                number = self.root(owner)
                if _is_same_by_key(key, self._papers[number], data):
                    yield number
        if (owner := self._number_by_title.get(_title_key(data))) is not None:
            number = self.root(owner)
            if _is_same_by_title(self._papers[number], data):
                yield number

    def _new(self, data: _MatchData) -> int:
        number = len(self._papers)
        self._papers.append(data)
        self._joined_to.append(number)
        self.keys.append([])
        return number

    def _learn(self, number: int, keys: list[Key], data: _MatchData) -> None:
        self._papers[number].absorb(data)
        self._number_by_title.setdefault(_title_key(data), number)
        for key in keys:
            if key.text not in self._number_by_key:
                self._number_by_key[key.text] = number
                self.keys[number].append(key)
        if not self.keys[number]:
            # Rare: every key of the entry belongs to another paper.
            meta = keys[-1]
            digest = hashlib.sha256(f"{meta.text}|{number}".encode()).hexdigest()
            self.keys[number].append(Key("meta", f"meta:{digest}", meta.fingerprint))


def _match_data(entry: PaperEntry, file_number: int) -> _MatchData:
    # A preprint's own DOI says no more than its arXiv id and does not contradict the published one.
    published = None if entry.doi and entry.doi.startswith(ARXIV_DOI_PREFIX) else entry.doi
    return _MatchData(
        title=compared_title(entry.title),
        first_author=surname(entry.authors[0]) if entry.authors else "",
        surnames=frozenset(surname(name) for name in entry.authors[:_COMPARED_AUTHORS]),
        year=parse_date(entry.date).year,
        doi=published,
        arxiv=entry.arxiv,
        library_keys={(file_number, entry.bib_key)} if entry.bib_key else set(),
    )


def compared_title(title: str) -> str:
    return folded(title)[:_COMPARED_CHARS]


def _title_key(data: _MatchData) -> tuple[str, str]:
    return data.title, data.first_author


def _is_same_by_key(key: Key, known: _MatchData, other: _MatchData) -> bool:
    """Whether papers that share a key are one. A DOI may have been given to two, say a volume's to its chapters."""
    if _contradict(known, other):
        return False
    if key.type == "meta":
        return not _are_two_of_one_library(known, other)
    if key.type == "bib" and not _are_titles_alike(known.title, other.title, _SAME_TITLE):
        return False
    if not known.surnames or not other.surnames or known.surnames & other.surnames:
        return True
    is_translation = has_cjk(known.title) != has_cjk(other.title)
    return is_translation or _are_titles_alike(known.title, other.title, _SIMILAR_TITLES)


def _is_same_by_title(known: _MatchData, other: _MatchData) -> bool:
    """With the same title and author: the same paper, unless years, identifiers or the keys of one library differ."""
    if not other.surnames or not known.surnames or _contradict(known, other):
        return False
    if _are_two_of_one_library(known, other):
        return False
    return UNKNOWN in (known.year, other.year) or abs(int(known.year) - int(other.year)) <= 1


def _contradict(known: _MatchData, other: _MatchData) -> bool:
    """Whether both have a DOI, or both an arXiv id, and they differ."""
    pairs = ((known.doi, other.doi), (known.arxiv, other.arxiv))
    return any(first is not None and second is not None and first != second for first, second in pairs)


def _are_titles_alike(title: str, other: str, ratio: float) -> bool:
    shorter, longer = sorted((title, other), key=len)
    return longer.startswith(shorter) or SequenceMatcher(None, title, other).ratio() >= ratio


def _are_two_of_one_library(known: _MatchData, other: _MatchData) -> bool:
    """A library gives each paper one key: two keys in one file are two papers."""
    files = {number for number, _ in known.library_keys}
    return any(number in files for number, _ in other.library_keys - known.library_keys)
