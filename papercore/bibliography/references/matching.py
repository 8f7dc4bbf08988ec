"""Tells whether a reference cites a given paper. What is not sure is no match."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import pairwise

from msgspec import Struct, field

from papercore.bibliography.fields import parse_name
from papercore.bibliography.identifiers import ARXIV_DOI_PREFIX
from papercore.bibliography.references.reading import Reference
from papercore.text import folded_words, has_cjk

# Titles of this many words are seldom those of two papers by one author.
_LONG_TITLE = 5
_SHORT_TITLE = 3
_YEARS_APART = 1
# A reference of fewer words is an identifier with little around it.
_BARE_WORDS = 8
_STRONG = set('."“”«»?!;()[]。《》„‟')
_WEAK = set(",:")
_ENDS = set('.,"“”«»?!;()[]。《》„')
_AFTER_COMMA = {"in", "vol", "volume", "pp", "no", "arxiv", "ed", "eds", "edn", "edited", "available", "doi", "https"}
_CONTINUED = re.compile(r"part|parts|supplement|erratum|corrigendum|reply|[ivx]{1,4}|[12]")
# `Comment on "…"` is about the paper; `In: …` names the book.
_ABOUT = {"on", "to", "of", "re", "in", "erratum", "corrigendum", "correction", "comment", "reply", "review"}
# Words of a title's beginning for which the library is asked.
_BEGINNING_WORDS = 4
_NO_SURNAME = {"al", "eds", "ed", "jr", "sr", "others"}


class CitablePaper(Struct, frozen=True, dict=True):
    """What is known of a paper that may be cited; identifiers in canonical form."""

    title: str
    year: int | None = None
    authors: tuple[str, ...] = ()
    dois: frozenset[str] = field(default_factory=frozenset)
    arxivs: frozenset[str] = field(default_factory=frozenset)

    @cached_property
    def title_words(self) -> list[str]:
        return folded_words(self.title)

    @cached_property
    def folded_title(self) -> str:
        return "".join(self.title_words)

    @cached_property
    def first_author(self) -> frozenset[str]:
        """The ways to write the first author's surname as one word: `lecun` and `cun` for Le Cun."""
        if not self.authors:
            return frozenset()
        family = folded_words(parse_name(self.authors[0]).family)
        return frozenset(("".join(family), *family[-1:]))

    @cached_property
    def surnames(self) -> frozenset[str]:
        families = (folded_words(parse_name(author).family) for author in self.authors[:50])
        return frozenset(family[-1] for family in families if family)


def certain_match(reference: Reference, papers: Sequence[CitablePaper]) -> CitablePaper | None:
    """The one of the papers that the reference cites. If it may be two of them, the one of its very year, or none."""
    found = [paper for paper in papers if cites(reference, paper)]
    if len(found) > 1:
        identified = [paper for paper in found if _is_identified(reference, paper)]
        found = identified or [paper for paper in found if paper.year in reference.years]
    return found[0] if len(found) == 1 else None


def cites(reference: Reference, paper: CitablePaper) -> bool:
    """By DOI or arXiv id; else by title, first author and year together."""
    if _is_identified(reference, paper):
        return _is_plausible(reference, paper)
    if _is_another(reference, paper):
        return False
    return any(_authors_and_year_fit(reference, paper, start) for start in _title_starts(reference, paper))


def _is_identified(reference: Reference, paper: CitablePaper) -> bool:
    return (reference.doi or "") in paper.dois or (reference.arxiv or "") in paper.arxivs


def _is_plausible(reference: Reference, paper: CitablePaper) -> bool:
    """A wrong DOI is common enough: the reference must name the author or half of the title, if it names anything."""
    words = {word.text for word in reference.words}
    if len(words) < _BARE_WORDS or not paper.first_author or _is_named(reference, paper, len(reference.words)):
        return True
    return sum(1 for word in paper.title_words if word in words) * 2 >= len(paper.title_words)


def _is_another(reference: Reference, paper: CitablePaper) -> bool:
    """Whether it has an identifier that the paper contradicts. A DOI cut off at a line's end contradicts nothing."""
    published = [doi for doi in paper.dois if not doi.startswith(ARXIV_DOI_PREFIX)]
    doi = reference.doi
    if doi and published and not doi.startswith(ARXIV_DOI_PREFIX):
        return not any(known.startswith(doi) or doi.startswith(known) for known in published)
    return bool(reference.arxiv and paper.arxivs and reference.arxiv not in paper.arxivs)


def _title_starts(reference: Reference, paper: CitablePaper) -> Iterable[int]:
    """Where the reference has the whole title, and nothing that belongs to it before or after."""
    sought = paper.folded_title
    if not sought or (len(paper.title_words) < 2 and not (has_cjk(sought) and len(sought) > 4)):
        return
    words = reference.words
    for start in range(len(words)):
        if not sought.startswith(words[start].text) or not _may_begin(reference, paper, start):
            continue
        length, place = 0, start
        while place < len(words) and length < len(sought) and sought.startswith(words[place].text, length):
            length += len(words[place].text)
            place += 1
        if length == len(sought) and _may_end(reference, place):
            yield start


def _may_begin(reference: Reference, paper: CitablePaper, place: int) -> bool:
    if place == 0:
        return True
    before, between = reference.words[place - 1].text, reference.between(place)
    if before in _ABOUT:
        return False
    if _separates(reference, place, _STRONG):
        return True
    is_author = len(before) <= 2 or before in paper.surnames or before in _NO_SURNAME or before.isdigit()
    return is_author and bool(_WEAK & set(between)) and _separates(reference, place, _WEAK)


def _may_end(reference: Reference, place: int) -> bool:
    """The next word begins something else: not a subtitle, a part, or the rest of a longer title."""
    if place >= len(reference.words):
        return True
    between, following = reference.between(place), reference.words[place]
    if not _separates(reference, place, _ENDS) or _CONTINUED.fullmatch(following.text):
        return False
    if ":" in between or _STRONG & set(between):
        return ":" not in between
    return not reference.text[following.start].islower() or following.text in _AFTER_COMMA


def _separates(reference: Reference, place: int, marks: set[str]) -> bool:
    """`3.5` and `Google's` are not cut in two; Chinese needs no blank."""
    between = reference.between(place)
    if not marks & set(between):
        return False
    near = reference.text[max(0, reference.words[place].start - len(between) - 1) : reference.words[place].start + 1]
    return len(between) > 1 or has_cjk(near)


def _authors_and_year_fit(reference: Reference, paper: CitablePaper, title: int) -> bool:
    long = len(paper.title_words) >= _LONG_TITLE
    known_author = _is_named(reference, paper, title)
    if paper.first_author and not known_author:
        return False
    years = reference.years
    if paper.year is None or not years:
        return long and known_author
    if paper.year in years:
        return known_author or long
    if len(paper.title_words) < _SHORT_TITLE:
        return False
    return long and known_author and any(abs(paper.year - year) <= _YEARS_APART for year in years)


def _is_named(reference: Reference, paper: CitablePaper, before: int) -> bool:
    """Whether the reference has the first author's surname before a place, perhaps in two words."""
    words = [word.text for word in reference.words[:before]]
    pairs = (first + second for first, second in pairwise(words))
    return not paper.first_author.isdisjoint(words) or not paper.first_author.isdisjoint(pairs)


def possible_beginnings(reference: Reference) -> Iterator[str]:
    """The first words of what may be the title, wherever one may begin; the likely places first."""
    starts = range(len(reference.words))
    strong = [start for start in starts if start == 0 or _separates(reference, start, _STRONG)]
    weak = [start for start in starts[1:] if start not in set(strong) and _separates(reference, start, _WEAK)]
    for start in (*strong, *weak):
        words = [word.text for word in reference.words[start : start + _BEGINNING_WORDS]]
        if has_cjk(words[0]) or not (_is_initial(reference, start) or _is_initial(reference, start + 1)):
            whole = next((n for n in range(1, len(words)) if _separates(reference, start + n, _ENDS)), len(words))
            yield from dict.fromkeys(" ".join(words[:n]) for n in (len(words), whole) if n > 1 or has_cjk(words[0]))


def _is_initial(reference: Reference, place: int) -> bool:
    if place >= len(reference.words):
        return False
    word = reference.words[place]
    written = reference.text[word.start : word.end]
    return len(written) == 1 and written.isupper() and written != "A"
