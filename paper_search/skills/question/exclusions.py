"""What a question or a note rules out: `not BERT`, `without attention`, `excluding surveys`, `ohne BERT`."""

import re
from collections.abc import Iterator

from msgspec import Struct, field

from paper_search.models import PaperTag
from paper_search.skills.question.concepts import is_filler
from paper_search.skills.question.kinds import kind_named
from paper_search.text import words

MAX_PHRASE_WORDS = 3
_NOT = re.compile(
    r"(?<![\w-])(?:(?:but|and|,) )?(?P<by>not (?:about|on|using|involving|interested in|related to|including|the)"
    r"|without using"
    r"|without relying on|without|excluding|exclude|except for|except|other than|apart from|besides|ignoring|ignore"
    r"|leave out|leaving out|omitting|omit|skip|minus|rather than|instead of|not|no|nor"
    r"|ohne|außer|ausgenommen|nicht|kein|keine|keinen|sans|sauf|hormis|excepté|pas de|pas|sin|excepto"
    r"|salvo) (?=[\w\"“])",
    re.I,
)
# `Not only`, and what `not` means after a verb: a question about what something does not do.
_NO_EXCLUSION = re.compile(
    r"(?:only|limited|necessarily|yet|just|all|always|enough|sure|be|only|to|seulement|solo|nur)\b", re.I
)
_ASKS_WHETHER = re.compile(
    r"\s*(?:why|how|when|what|whether|do|does|did|is|are|can|could|should|will|warum|pourquoi)\b", re.I
)
# A verb after `without`, and what is learned or done without: that is the topic itself, not a thing to leave out.
_TOPICAL = re.compile(
    r"\w+ing\b|(?:any |explicit |direct |human |manual )?(?:supervision|labels?|labell?ed|annotations?|annotated"
    r"|parallel|training|ground truth"
    r"|replacement|a priori|prior knowledge)\b",
    re.I,
)
_END = r"[.;:?!()\[\]]|(?<= )[-–—](?= )"
_END_OF_LIST = re.compile(_END)
_END_OF_PHRASES = re.compile(rf"{_END}|, (?!or |and |oder |und |ou |et |o |y )")
# After these a comma joins what is left out.
_LISTS = frozenset({"excluding", "exclude", "except", "except for", "leave out", "leaving out", "omitting", "omit"})
_JOINED = re.compile(r"(?:, )?\b(?:or|and|nor|oder|und|ou|et|y|o|noch|ni)\b |, ")
_PREPOSITIONS = """
    for in on at with from since by before after until about within during using that which but published für
    mit im seit pour dans avec depuis para con desde en auf bei
"""
_ENDS = frozenset(_PREPOSITIONS.split())
_MINUS = re.compile(r"(?:^|(?<= ))-(?P<word>\w[\w-]*)")
_CJK = re.compile(
    r"(?:不包括|不包含|不含|不要|排除|除了|除|没有)(?P<zh>[^,，。、的以之外 ]{1,20})(?:以外|之外|外)?(?:的)?"
    r"|(?P<ja>[^\s,，。、のはがを]{1,20})(?:を除いた|を除く|を除いて|以外の|以外|を含まない|を使わない|なしの|なし)"
)


class Exclusions(Struct, frozen=True):
    """Words that no paper may be about, kinds that are not wanted, and the text without what named them."""

    words: list[str] = field(default_factory=list)
    kinds: list[PaperTag] = field(default_factory=list)
    rest: str = ""


def read_exclusions(text: str, language: str = "en") -> Exclusions:
    phrases: list[str] = []
    rest = text
    if language in ("zh", "ja"):
        phrases = [(match["zh"] or match["ja"]).strip() for match in _CJK.finditer(text)]
        rest = _CJK.sub("", text)
    for start, end, found in _excluding_parts(rest, language):
        phrases += found
        rest = f"{rest[:start]} {rest[end:]}"
    phrases += [match["word"] for match in _MINUS.finditer(rest)]
    rest = " ".join(_MINUS.sub(" ", rest).split())
    kinds = [tag for phrase in phrases if (tag := kind_named(phrase))]
    named = [phrase for phrase in phrases if not kind_named(phrase)]
    return Exclusions(list(dict.fromkeys(named)), list(dict.fromkeys(kinds)), rest)


def _excluding_parts(text: str, language: str) -> Iterator[tuple[int, int, list[str]]]:
    """Each part that excludes something, last first, so that cutting one out leaves the places of the others."""
    for match in reversed(list(_NOT.finditer(text))):
        if _excludes(text, match):
            end = _END_OF_LIST if match["by"].lower() in _LISTS else _END_OF_PHRASES
            phrases, length = _phrases(end.split(text[match.end() :], maxsplit=1)[0], language)
            if phrases:
                yield match.start(), match.end() + length, phrases


def _excludes(text: str, match: re.Match[str]) -> bool:
    negation, after = match["by"].lower(), text[match.end() :]
    if _NO_EXCLUSION.match(after):
        return False
    if negation == "without":
        return not _TOPICAL.match(after)
    if negation == "no":
        # `No free lunch` is a topic; `no surveys` after a comma or at the start is not.
        return (
            match.start() == 0
            or match[0][:1] == ","
            or text[: match.start()].rstrip()[-1:] in ",;.("
            or bool(kind_named(re.split(r"\W", after, maxsplit=1)[0]))
        )
    return negation != "not" or not _ASKS_WHETHER.match(text)


def _phrases(region: str, language: str) -> tuple[list[str], int]:
    """The phrases of a text, joined by commas, `or` or `and`, and the length of them all."""
    phrases: list[str] = []
    position = 0
    while position < len(region):
        joined = _JOINED.search(region, position)
        part = region[position : joined.start() if joined else len(region)]
        phrase, length = _phrase(part, language)
        if not phrase:
            break
        phrases.append(phrase)
        if length < len(part.rstrip()) or not joined:
            return phrases, position + length
        position = joined.end()
    return phrases, min(position, len(region))


def _phrase(part: str, language: str) -> tuple[str, int]:
    """The first words of a part up to a preposition, without articles before them; and how far they reach."""
    kept: list[str] = []
    reached = 0
    for match in re.finditer(r"[^\s,]+", part):
        found = words(match[0])
        if (found and found[0] in _ENDS) or len(kept) == MAX_PHRASE_WORDS:
            break
        if found and is_filler(found[0], language) and kind_named(found[0]) is None:
            if kept and found[0] not in ("papers", "paper", "articles", "work", "works"):
                break
        else:
            kept.append(" ".join(found))
        reached = match.end()
    while len(kept) > 1 and kept[-1] in ("work", "works", "stuff", "please"):
        kept.pop()
    return " ".join(word for word in kept if word), reached
