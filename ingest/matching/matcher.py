"""Decides which entries are the same paper: each entry, as it is read, gets the number of its paper."""

import hashlib
from dataclasses import dataclass, field
from difflib import SequenceMatcher

from ingest.author_names import surname
from ingest.entries.entry import PaperEntry
from ingest.entries.text import folded
from ingest.matching.keys import Key, keys_of
from papercore.bibliography.dates import UNKNOWN, parse_date
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
        matches = self._matches(keys, data)
        number = matches[0] if matches else self._new(data)
        for other in matches[1:]:
            if not _contradict(self._papers[number], self._papers[other]):
                number = self._join(number, other)
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

    def _matches(self, keys: list[Key], data: _MatchData) -> list[int]:
        found = [number for key in keys if (number := self._match_by_key(key, data)) is not None]
        by_title = self._number_by_title.get(_title_key(data))
        if by_title is not None and _same_by_title(self._papers[self.root(by_title)], data):
            found.append(self.root(by_title))
        return list(dict.fromkeys(found))

    def _match_by_key(self, key: Key, data: _MatchData) -> int | None:
        owner = self._number_by_key.get(key.text)
        if owner is None:
            return None
        number = self.root(owner)
        known = self._papers[number]
        if _contradict(known, data):
            return None
        if key.type == "bib" and not _titles_alike(known.title, data.title, _SAME_TITLE):
            return None
        if key.type == "meta":
            return None if _two_of_one_library(known, data) else number
        return number if _plausible(known, data) else None

    def _new(self, data: _MatchData) -> int:
        number = len(self._papers)
        self._papers.append(data)
        self._joined_to.append(number)
        self.keys.append([])
        return number

    def _join(self, number: int, other: int) -> int:
        first, second = min(number, other), max(number, other)
        self._joined_to[second] = first
        self.keys[first].extend(self.keys[second])
        self.keys[second] = []
        self._papers[first].absorb(self._papers[second])
        return first

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


def _contradict(known: _MatchData, other: _MatchData) -> bool:
    """Whether both have a DOI, or both an arXiv id, and they differ."""
    pairs = ((known.doi, other.doi), (known.arxiv, other.arxiv))
    return any(first is not None and second is not None and first != second for first, second in pairs)


def _plausible(known: _MatchData, other: _MatchData) -> bool:
    """Guards against a DOI that was given to two papers, say a volume's to each of its chapters."""
    if not known.surnames or not other.surnames or known.surnames & other.surnames:
        return True
    return has_cjk(known.title) != has_cjk(other.title) or _titles_alike(known.title, other.title, _SIMILAR_TITLES)


def _titles_alike(title: str, other: str, ratio: float) -> bool:
    shorter, longer = sorted((title, other), key=len)
    return longer.startswith(shorter) or SequenceMatcher(None, title, other).ratio() >= ratio


def _two_of_one_library(known: _MatchData, other: _MatchData) -> bool:
    """A library gives each paper one key: two keys in one file are two papers."""
    files = {number for number, _ in known.library_keys}
    return any(number in files for number, _ in other.library_keys - known.library_keys)


def _same_by_title(known: _MatchData, other: _MatchData) -> bool:
    """With the same title and author: the same paper, unless years, identifiers or the keys of one library differ."""
    if not other.surnames or not known.surnames or _contradict(known, other):
        return False
    if _two_of_one_library(known, other):
        return False
    if UNKNOWN in (known.year, other.year):
        return True
    return abs(int(known.year) - int(other.year)) <= 1
