"""Which entries are the same paper: entries come in one by one, each is given the number of its paper."""

import hashlib
from dataclasses import dataclass, field
from difflib import SequenceMatcher

from papers.build.author_names import surname
from papers.build.dates import UNKNOWN, parse_date
from papers.build.entry import PaperEntry
from papers.build.paper_keys import ARXIV_DOI, Key, keys_of
from papers.build.text import folded, has_cjk

# Enough to see whether two author lists share somebody; some papers have thousands.
_COMPARED_AUTHORS = 10
# Real titles are shorter; comparing costs the square of the length.
_COMPARED_CHARS = 300
_SIMILAR_TITLES = 0.6
_SAME_TITLE = 0.8


@dataclass(slots=True)
class _MatchData:
    """What must not contradict itself within one paper."""

    title: str
    first_author: str
    surnames: frozenset[str]
    year: str
    doi: str | None
    arxiv: str | None
    library_keys: set[tuple[int, str]] = field(default_factory=set)


class Matcher:
    """Numbers papers by first appearance. Memory grows with the number of papers, not with their texts."""

    def __init__(self) -> None:
        self.owner_of_key: dict[str, int] = {}
        self.keys: list[list[Key]] = []
        self._by_title: dict[tuple[str, str], int] = {}
        self._facts: list[_MatchData] = []
        self._joined_to: list[int] = []

    def number_of(self, entry: PaperEntry, file_number: int) -> int:
        """The paper that this entry is about: a known one if a key or title with author says so."""
        keys = keys_of(entry)
        facts = _facts_of(entry, file_number)
        matches = self._matches(keys, facts)
        number = matches[0] if matches else self._new(facts)
        for other in matches[1:]:
            if not _contradict(self._facts[number], self._facts[other]):
                number = self._join(number, other)
        self._learn(number, keys, facts)
        return number

    def root(self, number: int) -> int:
        while self._joined_to[number] != number:
            number = self._joined_to[number]
        return number

    def doi_belongs_elsewhere(self, entry: PaperEntry, number: int) -> bool:
        owner = self.owner_of_key.get(f"doi:{entry.doi}")
        return owner is not None and self.root(owner) != self.root(number)

    def _matches(self, keys: list[Key], facts: _MatchData) -> list[int]:
        found = [number for key in keys if (number := self._by_key(key, facts)) is not None]
        by_title = self._by_title.get(_title_key(facts))
        if by_title is not None and _same_by_title(self._facts[self.root(by_title)], facts):
            found.append(self.root(by_title))
        return list(dict.fromkeys(found))

    def _by_key(self, key: Key, facts: _MatchData) -> int | None:
        owner = self.owner_of_key.get(key.text)
        if owner is None:
            return None
        number = self.root(owner)
        known = self._facts[number]
        if _contradict(known, facts):
            return None
        if key.type == "bib" and not _titles_alike(known.title, facts.title, _SAME_TITLE):
            return None
        if key.type == "meta":
            return None if _two_of_one_library(known, facts) else number
        return number if _plausible(known, facts) else None

    def _new(self, facts: _MatchData) -> int:
        number = len(self._facts)
        self._facts.append(facts)
        self._joined_to.append(number)
        self.keys.append([])
        return number

    def _join(self, one: int, other: int) -> int:
        first, second = min(one, other), max(one, other)
        self._joined_to[second] = first
        self.keys[first].extend(self.keys[second])
        self.keys[second] = []
        self._absorb(first, self._facts[second])
        return first

    def _learn(self, number: int, keys: list[Key], facts: _MatchData) -> None:
        self._absorb(number, facts)
        self._by_title.setdefault(_title_key(facts), number)
        for key in keys:
            if key.text not in self.owner_of_key:
                self.owner_of_key[key.text] = number
                self.keys[number].append(key)
        if not self.keys[number]:
            self.keys[number].append(_own_key(keys[-1], number))

    def _absorb(self, number: int, facts: _MatchData) -> None:
        known = self._facts[number]
        known.doi = known.doi or facts.doi
        known.arxiv = known.arxiv or facts.arxiv
        known.surnames = known.surnames or facts.surnames
        if known.year == UNKNOWN:
            known.year = facts.year
        known.library_keys |= facts.library_keys


def _own_key(meta: Key, number: int) -> Key:
    """For the rare paper whose every key is another's."""
    digest = hashlib.sha256(f"{meta.text}|{number}".encode()).hexdigest()
    return Key("meta", f"meta:{digest}", meta.fingerprint)


def _facts_of(entry: PaperEntry, file_number: int) -> _MatchData:
    # A preprint's own DOI says no more than its arXiv id and does not contradict the published one.
    published = None if entry.doi and entry.doi.startswith(ARXIV_DOI) else entry.doi
    return _MatchData(
        title=folded(entry.title)[:_COMPARED_CHARS],
        first_author=surname(entry.authors[0]) if entry.authors else "",
        surnames=frozenset(surname(name) for name in entry.authors[:_COMPARED_AUTHORS]),
        year=parse_date(entry.date).year,
        doi=published,
        arxiv=entry.arxiv,
        library_keys={(file_number, entry.bib_key)} if entry.bib_key else set(),
    )


def _title_key(facts: _MatchData) -> tuple[str, str]:
    return facts.title, facts.first_author


def _contradict(one: _MatchData, other: _MatchData) -> bool:
    return _differ(one.doi, other.doi) or _differ(one.arxiv, other.arxiv)


def _differ(one: str | None, other: str | None) -> bool:
    return one is not None and other is not None and one != other


def _plausible(one: _MatchData, other: _MatchData) -> bool:
    """Guards against a DOI that somebody gave to two papers, say the volume's to each chapter."""
    if not one.surnames or not other.surnames or one.surnames & other.surnames:
        return True
    return has_cjk(one.title) != has_cjk(other.title) or _titles_alike(one.title, other.title, _SIMILAR_TITLES)


def _titles_alike(one: str, other: str, ratio: float) -> bool:
    shorter, longer = sorted((one, other), key=len)
    return longer.startswith(shorter) or SequenceMatcher(None, one, other).ratio() >= ratio


def _two_of_one_library(known: _MatchData, facts: _MatchData) -> bool:
    """Whoever keeps a library gives each paper one key: two keys in one file are two papers."""
    files = {number for number, _ in known.library_keys}
    return any(number in files for number, _ in facts.library_keys - known.library_keys)


def _same_by_title(known: _MatchData, facts: _MatchData) -> bool:
    """Same title and author: the same paper, unless years, identifiers or one library's own keys differ."""
    if not facts.surnames or not known.surnames or _contradict(known, facts):
        return False
    if _two_of_one_library(known, facts):
        return False
    if UNKNOWN in (known.year, facts.year):
        return True
    return abs(int(known.year) - int(facts.year)) <= 1
