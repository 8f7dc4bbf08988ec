"""What the fields of a record say: names of people and groups, dates, and kinds of publications."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from msgspec import Struct

from papercore.text import folded_words, one_line

_SUFFIX = re.compile(r"(?:jr|sr|ii|iii|iv|phd|md)\.?", re.I)

# What stands after a family name in PubMed's form, for sure; and what does if other names of a list are in that form.
_INITIALS = re.compile(r"[^\W\d_]|(?:[^\W\d_]\.-?){1,3}")
_CAPITALS = re.compile(r"[^\W\d_](?:-?[^\W\d_]){0,2}|(?:[^\W\d_]\.-?){1,3}")

UNKNOWN = "unknown"

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
# By itself, or at the start of a date without separators.
_YEAR = re.compile(r"(?<!\d)(1[5-9]\d\d|20\d\d)(?:(?!\d)|(?=\d{4}(?!\d)))")
_MONTH_NUMBER = re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d[-/.](\d{1,2})(?!\d)")
_MONTH_WORD = re.compile(
    r"\b(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b",
    re.IGNORECASE,
)

# CSL's name, BibTeX's entry type, RIS's type. For a BibTeX or RIS name that comes twice, the first line counts.
_KINDS = (
    ("article-journal", "article", "JOUR"),
    ("article-magazine", "article", "MGZN"),
    ("article-newspaper", "article", "NEWS"),
    ("paper-conference", "inproceedings", "CPAPER"),
    ("chapter", "incollection", "CHAP"),
    ("book", "book", "BOOK"),
    ("thesis", "phdthesis", "THES"),
    ("report", "techreport", "RPRT"),
    ("webpage", "online", "ELEC"),
    ("post-weblog", "online", "BLOG"),
    ("dataset", "dataset", "DATA"),
    ("software", "software", "COMP"),
    ("patent", "patent", "PAT"),
    ("manuscript", "unpublished", "UNPB"),
    ("entry-encyclopedia", "inreference", "ENCYC"),
    ("entry-dictionary", "inreference", "DICT"),
    ("document", "misc", "GEN"),
    ("article", "misc", "GEN"),
)
_BIBTEX_NAMES = {csl: bibtex for csl, bibtex, _ in _KINDS}
_RIS_NAMES = {csl: ris for csl, _, ris in _KINDS}
_OF_BIBTEX = {bibtex: csl for csl, bibtex, _ in reversed(_KINDS)} | {
    "conference": "paper-conference",
    "inbook": "chapter",
    "mvbook": "book",
    "collection": "book",
    "proceedings": "book",
    "mastersthesis": "thesis",
    "thesis": "thesis",
    "report": "report",
    "manual": "report",
    "electronic": "webpage",
    "www": "webpage",
}
_OF_RIS = {ris: csl for csl, _, ris in reversed(_KINDS)} | {
    "CONF": "paper-conference",
    "EJOUR": "article-journal",
    "JFULL": "article-journal",
    "ABST": "article-journal",
    "INPR": "article-journal",
    "EDBOOK": "book",
    "EBOOK": "book",
    "ECHAP": "chapter",
    "WEB": "webpage",
}
# The types of CSL 1.0.2.
CSL_KINDS = frozenset(
    re.findall(
        r"\S+",
        """
        article article-journal article-magazine article-newspaper bill book broadcast chapter classic collection
        dataset document entry entry-dictionary entry-encyclopedia event figure graphic hearing interview legal_case
        legislation manuscript map motion_picture musical_score pamphlet paper-conference patent performance periodical
        personal_communication post post-weblog regulation report review review-book software song speech standard
        thesis treaty webpage
        """,
    )
)
# Kinds whose number is that of the work itself; for others it is the issue of the volume.
NUMBERED_KINDS = frozenset(("article", "report", "patent", "thesis", "manuscript", "dataset", "software", "webpage"))
_KIND_NAME = re.compile(r"[a-z]+(?:[-_][a-z]+)*")


@dataclass(frozen=True)
class PersonName:
    """A person, or a group such as `World Health Organization`, which has a family name alone.

    Particles are part of the name that they are written with: family `van der Maaten`, or given `Alphonse de`.
    """

    family: str
    given: str = ""
    suffix: str = ""

    @property
    def natural(self) -> str:
        """`Martin Luther King Jr.`"""
        return " ".join(part for part in (self.given, self.family, self.suffix) if part)

    @property
    def indexed(self) -> str:
        """`King, Martin Luther, Jr.`, as RIS has it."""
        return ", ".join(part for part in (self.family, self.given, self.suffix) if part)

    @property
    def is_group(self) -> bool:
        return not self.given and not self.suffix


def parse_name(text: str) -> PersonName:
    """The parts of `Given Family` or `Family G`, or of a name with commas."""
    line = one_line(text)
    if name := _parse_commas(line) or _with_initials_last(line, _INITIALS):
        return name
    words = line.split()
    end = len(words)
    while end > 1 and _SUFFIX.fullmatch(words[end - 1]):
        end -= 1
    start = max(end - 1, 0)
    while start > 1 and words[start - 1].islower():
        start -= 1
    return PersonName(" ".join(words[start:end]), " ".join(words[:start]), " ".join(words[end:]))


def parse_indexed_name(text: str) -> PersonName:
    """The parts of `Family, Given`; without a comma it is a group, whose words stay together."""
    line = one_line(text)
    return _parse_commas(line) or PersonName(line)


def parse_initials_last(names: Sequence[str], *, surely: bool = False) -> tuple[PersonName, ...]:
    """The parts of names that are all in PubMed's form, `Takahashi K` or `Smith JA`; else nothing.

    Two capitals alone may also be a family name: `Jie LI`.
    """
    found = tuple(name for text in names if (name := _with_initials_last(text, _CAPITALS)))
    surely = surely or any(_INITIALS.fullmatch(name.given) for name in found)
    return found if surely and len(found) == len(names) else ()


def family_words(name: PersonName) -> set[str]:
    """The last word of the family name; in `Jie LI` and `Smith JA` either word may be one."""
    is_either = bool(name.given) and name.family.isupper() and _CAPITALS.fullmatch(name.family)
    parts = (name.family, name.given) if is_either else (name.family,)
    return {word for part in parts for word in folded_words(part)[-1:]}


def _with_initials_last(line: str, initials: re.Pattern[str]) -> PersonName | None:
    *family, given = line.split() or [""]
    if (
        not family
        or "," in line
        or not given.isupper()
        or not initials.fullmatch(given)
        or given in ("II", "III", "IV")
    ):
        return None
    is_written_out = all(any(map(str.islower, word)) and not word.endswith(".") for word in family)
    return PersonName(" ".join(family), given) if is_written_out else None


def _parse_commas(line: str) -> PersonName | None:
    """The parts of `Family, Given`, `Family, Jr., Given` or `Family, Given, Jr.`"""
    family, *rest = [part.strip() for part in line.split(",")]
    parts = [part for part in rest if part]
    if not family or not parts:
        return PersonName(family) if family and rest else None
    suffixes = [part for part in parts if _SUFFIX.fullmatch(part)]
    given = [part for part in parts if not _SUFFIX.fullmatch(part)]
    return PersonName(family, ", ".join(given), " ".join(suffixes))


class PublicationDate(Struct, frozen=True):
    year: str
    month: str


# The papers of a library have few dates, and each is asked for several times.
@lru_cache(maxsize=4096)
def parse_date(text: str) -> PublicationDate:
    """Year and month, each `unknown` if the text does not give it."""
    year = _YEAR.search(text)
    return PublicationDate(year[1] if year else UNKNOWN, _month(text))


def _month(text: str) -> str:
    numeric = _MONTH_NUMBER.search(text)
    if numeric:
        return f"{int(numeric[1]):02d}" if 1 <= int(numeric[1]) <= 12 else UNKNOWN
    word = _MONTH_WORD.search(text)
    return f"{_MONTHS.index(word[0][:3].lower()) + 1:02d}" if word else UNKNOWN


def date_text(year: str, month: str, day: str = "") -> str:
    """`2017-06-12` from separate fields; a month may be a word, and a part that makes no sense is left out."""
    if not _YEAR.fullmatch(year):
        return year
    number = month if month.isdecimal() else _month(month)
    if not (number.isdecimal() and 1 <= int(number) <= 12):
        return year
    date = f"{year}-{int(number):02d}"
    return f"{date}-{int(day):02d}" if day.isdecimal() and 1 <= int(day) <= 31 else date


def kind_of_csl(name: str) -> str:
    return name if _KIND_NAME.fullmatch(name) else ""


def bibtex_type(kind: str) -> str:
    return _BIBTEX_NAMES.get(kind, "misc")


def ris_type(kind: str) -> str:
    return _RIS_NAMES.get(kind, "GEN")


def bibtex_subtype(kind: str) -> str:
    """What a BibTeX entry must say beside its type for its kind to be read back; mostly nothing."""
    return kind if kind != kind_of_bibtex(bibtex_type(kind)) else ""


def kind_of_bibtex(entry_type: str, subtype: str = "") -> str:
    """The kind of an entry; empty where `misc` or an unknown type says nothing."""
    entry_type = entry_type.lower()
    if kind_of_csl(subtype) and bibtex_type(subtype) == entry_type:
        return subtype
    if entry_type == "article" and f"article-{subtype}" in _BIBTEX_NAMES:
        return f"article-{subtype}"
    return "" if entry_type == "misc" else _OF_BIBTEX.get(entry_type, "")


def kind_of_ris(name: str) -> str:
    return _OF_RIS.get(name.upper(), "")
