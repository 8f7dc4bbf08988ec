"""Finds the people and venues that a text names: only those that are known, and where it says what they are."""

import re
from collections.abc import Callable

from msgspec import Struct, field

from paper_search.reading.names import KnownNames
from paper_search.reading.years import TAKEN

_INITIAL = r"[A-ZÀ-ÖØ-Þ]"
_NAME = rf"{_INITIAL}[\w'’-]{{1,30}}(?: (?:{_INITIAL}\.|van|von|de|der|den|la|{_INITIAL}[\w-]+)){{0,3}}"
_JOIN = r"(?:, (?:and |or )?| and | or | & |/)"
_NAMES = rf"{_NAME}(?:{_JOIN}{_NAME}){{0,5}}"
_CUED_AUTHORS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"\b(?:[Ww]ritten |[Pp]apers |[Ww]ork |[Pp]ublished |[Aa]nything )?by (?P<names>{_NAMES})"
        r"(?= (?:on|about|in|at|since|from|for|that|\|)|[,.;?!]|$)",
        rf"(?P<names>{_NAME})(?:'s|’s) (?:work|papers?|articles?|research|publications?)(?: on| about)?",
        rf"(?:[Ww]hat|[Pp]apers|[Aa]nything) (?:did|do|does|has|have) (?P<names>{_NAMES}) "
        r"(?:writ\w+|publish\w*|say|said|do|done|wrote)(?: about| on)?",
        rf"\b(?:[Pp]apers|[Ww]ork|[Aa]rticles|[Pp]ublications) of (?P<names>{_NAMES})"
        r"(?= (?:on|about)|[,.;?!]|$)",
    )
)
_FULL_NAME = re.compile(rf"\b{_INITIAL}[\w'’-]{{1,30}}(?: {_INITIAL}\.)? {_INITIAL}[\w'’-]{{1,30}}\b")
_ONLY_NAMES = re.compile(
    rf"(?:(?:and|or|maybe|also|perhaps|especially|only) )*(?P<names>{_NAME}(?:{_JOIN}(?:maybe |also )*{_NAME})*)"
    r"(?: etc\.?| et al\.?| and others)?"
)
_THOUGHT = re.compile(r"[^;.!?|:]+")
_PAPERS = r"(?P<part>(?:findings|workshop|main) )?(?:papers?|articles?|proceedings|publications|contributions|findings)"
_VENUE = r"(?=[\w&-]{0,30}[A-Z])[\w&-]{1,30}(?: (?:& |and )?[A-Z][\w&-]{0,30}){0,5}"
_VENUES = rf"{_VENUE}(?:(?:, | or | and |/){_VENUE}){{0,5}}"
_CUED_VENUES = tuple(
    re.compile(pattern)
    for pattern in (
        rf"\b(?:at|@|[Pp]ublished (?:in|at)|[Pp]resented at|[Aa]ppeared (?:in|at)) (?:the )?(?P<names>{_VENUES})"
        r"(?: ?'?(?P<year>(?:19|20)\d\d)\b)?(?! [A-Z])",
        rf"\b(?P<names>{_VENUES}) (?P<year>(?:19|20)\d\d)\b(?! (?:data|test|shared|task))",
        rf"\b(?P<names>{_VENUES}) {_PAPERS}\b",
        rf"(?:^|(?<=[|,] ))(?:[Pp]apers |[Aa]rticles )?from (?P<names>{_VENUES})(?= \||,|$)",
        # One name alone may be a thing that something is learned from.
        rf"\bfrom (?P<names>{_VENUE}(?:(?:, | or | and |/){_VENUE}){{1,5}})(?= \||[,.;?!]| (?:on|about)\b|$)",
    )
)
_SUPPLEMENT = re.compile(rf"\b[Ff]indings of (?:the )?{_VENUE}(?: (?:19|20)\d\d\b)?")
# A capital letter at the beginning of a sentence makes no name of them.
_ADJECTIVES = re.compile(
    r"^(?:(?:recent|new|newer|old|older|early|latest|best|good|top|all|some|any|more|only|the) )+", re.I
)
_ONLY_VENUES = re.compile(
    r"(?:(?:only|also|published|maybe|mostly) )*(?:in |at |from )?(?P<names>[\w&-]+(?: [\w&-]+){0,4}"
    rf"(?:(?:, | or | and |/)[\w&-]+(?: [\w&-]+){{0,4}})*?)(?: {_PAPERS})?(?: only)?",
)


class Attribution(Struct, frozen=True):
    """The names, and the text without them and what is told; `years` stand beside venues, as in LREC 2018."""

    rest: str
    names: list[str] = field(default_factory=list)
    years: list[int] = field(default_factory=list)
    told: list[str] = field(default_factory=list)


def read_authors(text: str, known: KnownNames) -> Attribution:
    names: list[str] = []
    for pattern in _CUED_AUTHORS:
        for found in pattern.finditer(text):
            listed = _listed(found["names"], known.is_author)
            if listed or (known.library is None and all(" " in name for name in _split(found["names"]))):
                names += listed or _split(found["names"])
                text = text.replace(found[0], TAKEN, 1)
    for found in _FULL_NAME.finditer(text):
        if known.is_full_name(found[0]):
            names.append(found[0])
            text = text.replace(found[0], TAKEN, 1)
    for thought in _THOUGHT.findall(text):
        # A thought of names alone, or the last part of one behind a comma.
        for part in dict.fromkeys((thought.strip(), thought.rpartition(",")[2].strip())):
            found_names = _ONLY_NAMES.fullmatch(part)
            listed = _split(found_names["names"]) if found_names else []
            if listed and all(known.is_author(name) and not known.is_word(name) for name in listed):
                names += listed
                text = text.replace(part, TAKEN, 1)
                break
    return Attribution(text, list(dict.fromkeys(names)))


def read_venues(text: str, known: KnownNames) -> Attribution:
    names: list[str] = []
    told: list[str] = []
    years: list[int] = []
    for found in _SUPPLEMENT.finditer(text):
        # Another venue than the one that it is named after.
        (names if known.is_venue(found[0]) else told).append(found[0])
        text = text.replace(found[0], TAKEN, 1)
    for pattern in _CUED_VENUES:
        for found in pattern.finditer(text):
            if listed := _listed(found["names"], known.is_venue, cued=found.start("names") > found.start()):
                names += listed
                years += [int(year)] if (year := found.groupdict().get("year")) else []
                told += [found["part"].strip()] if found.groupdict().get("part") else []
                before = found[0].partition(listed[0])[0]
                is_cue = found.start("names") > found.start() or _ADJECTIVES.fullmatch(before)
                text = text.replace(found[0] if is_cue else found[0].removeprefix(before), TAKEN, 1)
    for thought in _THOUGHT.findall(text):
        found_names = _ONLY_VENUES.fullmatch(thought.strip())
        cued = bool(re.match(r"\s*(?:in|at|from|only) ", thought))
        listed = _listed(found_names["names"], known.is_venue, cued=cued) if found_names else []
        # One word alone may be a topic: `law`, `tag`. Written in capitals, or after `in`, it is the venue.
        if listed and (len(listed) > 1 or re.search(r"[A-Z]{2}", thought) or cued):
            names += listed
            told += [found_names["part"].strip()] if found_names and found_names["part"] else []
            before = thought.partition(listed[0])[0]
            text = text.replace(thought if cued or not before[:-1] else thought.removeprefix(before), TAKEN, 1)
    return Attribution(text, list(dict.fromkeys(names)), years, told)


def _listed(names: str, is_known: Callable[[str], bool], *, cued: bool = True) -> list[str]:
    """The names of a list in which one is known: the others are of the same kind.

    Where no word says that names follow, the list begins with the first one that is known.
    """
    listed = [name if is_known(name) else _ADJECTIVES.sub("", name) for name in _split(names)]
    first = next((number for number, name in enumerate(listed) if is_known(name)), len(listed))
    return listed[0 if cued and first < len(listed) else first :]


def _split(names: str) -> list[str]:
    return [
        name for part in re.split(r",| and | or |/", names) if (name := re.sub(r"^(?:maybe|also) ", "", part.strip()))
    ]
