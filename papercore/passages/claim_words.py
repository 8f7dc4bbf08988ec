"""Reads a sentence for a comparison with another: its words, numbers, what it denies, what grows or falls."""

import re
from collections.abc import Sequence
from functools import cached_property
from math import log10
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from papercore.passages.claim_lexicon import (
    ASKING,
    DOUBTING,
    EXPECTING,
    LABELLED,
    LIGHT,
    LIMITED_WORDS,
    LIMITING,
    NEGATIONS,
    NEW_CLAUSE,
    RELATING,
    ROUGHLY,
    TAKING_BACK,
    TURNED_STEMS,
    TURNING,
    WAYS,
    Way,
    words,
)
from papercore.text import STOP_WORDS, folded_word, stem

PartKind = Literal["number", "year", "name", "negation", "direction", "word"]

_SPELLED = """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
    seventeen eighteen nineteen""".split()  # noqa: SIM905 - a number is its place
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()  # noqa: SIM905
_VALUES = {word: value for value, word in enumerate(_SPELLED)} | {"hundred": 100}
_VALUES |= {word: 10 * number for number, word in enumerate(_TENS, 2)}
_FACTORS = {"thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
# Numbers with their sign, and words; hyphens are cut.
_NUMBER = r"[$€£]?\d+(?:[,\s]\d{3}(?!\d))*(?:[.·]\d+)?"
_TOKEN = re.compile(rf"{_NUMBER}(?![^\W\d_])%?|(?i:\b(?:{'|'.join(_TENS)})-(?:{'|'.join(_SPELLED[1:10])})\b)|[^\W_]+")
_IS_NUMBER = re.compile(rf"{_NUMBER}%?")
# What may follow a number: it is a part of it, or says what it counts.
_FACTOR = re.compile(rf"[\s-]({'|'.join(_FACTORS)})\b", re.IGNORECASE)
_PERCENT = re.compile(r"\s?%|[\s-]per\s?cent\b", re.IGNORECASE)
_BESIDE = re.compile(r"[\s-]?([^\W\d_]+)")
MEASURES = words(
    """% $ € £ ng µg mg g kg nm µm mm cm m km ns ms s min h day week month year ml l kb mb gb tb hz khz mhz ghz k v w
    kw"""
)
# Other words for a measure, as stems.
_SAME_MEASURE = {"second": "s", "sec": "s", "minut": "min", "hour": "h", "hr": "h", "d": "day", "gram": "g"}
_SAME_MEASURE |= {"kilogram": "kg", "milligram": "mg", "metr": "m", "meter": "m", "kilomet": "km", "liter": "l"}
_SAME_MEASURE |= {"litr": "l", "yr": "year", "mcg": "µg", "μg": "µg", "μm": "µm", "dollar": "$", "euro": "€"}
# British spellings as American ones: both texts are read in the same way.
_BRITISH = re.compile(r"(?<=[a-z]{3})(?:is(?=(?:e|ed|es|ing|ation|ations)$)|our(?=(?:s|ed|al)?$))")


class ClaimPart(Struct, frozen=True):
    """Something of a claim that can be checked, as the claim has it, and what the passage has there, if anything."""

    kind: PartKind
    claim: str
    passage: str = ""


class ClaimToken(Struct, frozen=True):
    """A word or number of a sentence; for a number its value, its decimals, and what it counts.

    `opening` has the signs before it, and `is_aside` says that it is in brackets. A number that is a label says which
    thing, not how much: `table 2`, `a 56-layer network`.
    """

    literal: str
    stem: str
    start: int
    clause: int = 0
    is_first: bool = False
    opening: str = ""
    is_aside: bool = False
    value: float | None = None
    decimals: int = 0
    unit: str = ""
    is_label: bool = False

    @property
    def kind(self) -> PartKind:
        if self.value is not None:
            return "year" if self.is_year else "number"
        if self.way:
            return "direction"
        return "name" if self.is_name else "word"

    @property
    def word(self) -> str:
        return self.literal.lower()

    @property
    def is_content(self) -> bool:
        return self.value is None and self.stem not in NEGATIONS and self.word not in STOP_WORDS

    @property
    def is_required(self) -> bool:
        """A word that a sentence must have to say the same; more and less are compared apart."""
        return not self.way and (self.word in LIMITING or self.is_content)

    @property
    def is_light(self) -> bool:
        # In the midst of a sentence, "A" is the name of something.
        return self.value is None and self.word in LIGHT and (self.literal != "A" or self.is_first)

    @property
    def relates(self) -> bool:
        return self.value is None and self.word in RELATING

    @property
    def limits(self) -> bool:
        """It denies, limits or turns what is said, or says that it may be so."""
        return self.stem in TURNED_STEMS or self.word in LIMITED_WORDS

    @property
    def is_year(self) -> bool:
        return self.value is not None and not self.unit and re.fullmatch(r"(?:1[89]|20)\d\d", self.literal) is not None

    @property
    def is_name(self) -> bool:
        """An acronym, a word with digits, or one with a capital inside a sentence."""
        if self.value is not None or len(self.literal) < 2:
            return False
        odd = any(map(str.isdigit, self.literal)) or any(map(str.isupper, self.literal[1:]))
        return odd or (self.literal[0].isupper() and not self.is_first and self.is_content)

    @property
    def way(self) -> Way | None:
        return None if self.value is not None else WAYS.get(self.stem)

    @property
    def measure(self) -> str:
        return self.unit if self.unit in MEASURES else ""


class ReadSentence(Struct, frozen=True, dict=True):
    """A sentence in tokens."""

    text: str
    tokens: tuple[ClaimToken, ...]

    @cached_property
    def stems(self) -> tuple[str, ...]:
        return tuple(token.stem for token in self.tokens)

    @cached_property
    def content(self) -> frozenset[str]:
        return frozenset(token.stem for token in self.tokens if token.is_content or token.is_required)

    @cached_property
    def own_text(self) -> str:
        """From the first word of the clause to the sign after its last."""
        last = self.tokens[-1] if self.tokens else None
        return self.text[self.tokens[0].start : last.start + len(last.literal) + 1] if last else ""

    @cached_property
    def asks(self) -> bool:
        """It says what is to be found out, or under which condition, not what was found."""
        return ASKING.search(self.own_text) is not None

    @cached_property
    def expects(self) -> bool:
        """It is a question, or says what somebody expects or believes."""
        return EXPECTING.search(self.text) is not None

    @cached_property
    def doubts(self) -> frozenset[str]:
        """Words by which it may doubt what it says, or take it back."""
        taken_back = {found[0] for found in TAKING_BACK.finditer(self.text)}
        return (frozenset(self.stems) & DOUBTING) | taken_back

    @cached_property
    def negations(self) -> list[str]:
        return [token.literal for token in self.tokens if token.stem in NEGATIONS]

    @cached_property
    def turning(self) -> frozenset[str]:
        return frozenset(token.stem for token in self.tokens) & TURNING

    def clause_about(self, words: frozenset[str]) -> "ReadSentence":
        """The one clause that has all of these words that the sentence has, if there is one; else the sentence."""
        wanted = words & self.content
        for number in range(self.tokens[-1].clause + 1 if self.tokens else 0):
            clause = ReadSentence(self.text, tuple(token for token in self.tokens if token.clause == number))
            if wanted <= clause.content:
                return clause
        return self


def roughly(tokens: Sequence[ClaimToken], place: int) -> frozenset[str]:
    """The words beside a number that say that it is not meant exactly, or is one end of a range."""
    beside = (*tokens[max(0, place - 2) : place], *tokens[place + 1 : place + 2])
    return ROUGHLY.intersection(token.word for token in beside)


def read_sentence(text: str) -> ReadSentence:
    tokens: list[ClaimToken] = []
    clause = end = depth = 0
    while match := _TOKEN.search(text, end):
        signs = re.sub(r"[^,;:—·()\[\]]", "", text[end : match.start()])
        clause += not depth and any(sign in ";:—·" for sign in signs)
        depth = max(0, depth + sum((sign in "([") - (sign in ")]") for sign in signs))
        token = _number(text, match) or _word(match)
        is_label = token.is_label or (not signs and bool(tokens) and tokens[-1].stem in LABELLED)
        clause += token.word in NEW_CLAUSE
        end = token.start + len(token.literal)
        tokens.append(
            replace(token, clause=clause, is_first=not tokens, opening=signs, is_aside=depth > 0, is_label=is_label)
        )
    return ReadSentence(text, tuple(tokens))


def _word(match: re.Match[str]) -> ClaimToken:
    folded = _BRITISH.sub(lambda british: {"is": "iz", "our": "or"}[british[0]], folded_word(match[0]))
    return ClaimToken(match[0], stem(folded), match.start())


def _number(text: str, match: re.Match[str]) -> ClaimToken | None:
    """A number in digits or words with its factor and measure; "one" is one only in "one in five"."""
    value = _value(match[0])
    if value is None or (value == 1 and match[0].isalpha() and not text.startswith(" in ", match.end())):
        return None
    point = re.search(r"[.·]", match[0])
    decimals = len(match[0].rstrip("%")) - point.end() if point else 0
    end, unit = match.end(), match[0][0] if match[0][0] in "$€£" else ""
    is_label = re.match(r"-[^\W\d_]", text[end : end + 2]) is not None
    if factor := _FACTOR.match(text, end):
        scale = _FACTORS[factor[1].lower()]
        value, decimals, end = value * scale, decimals - round(log10(scale)), factor.end()
    if match[0].endswith("%"):
        unit = "%"
    elif (beside := _PERCENT.match(text, end)) and not unit:
        unit, end = "%", beside.end()
    elif (beside := _BESIDE.match(text, end)) and not unit:
        unit = _unit(folded_word(beside[1]))
        end = beside.end() if unit in MEASURES else end
    literal = text[match.start() : end]
    return ClaimToken(
        literal, f"{value}{unit}", match.start(), value=value, decimals=decimals, unit=unit, is_label=is_label
    )


def _value(literal: str) -> float | None:
    if _IS_NUMBER.fullmatch(literal):
        return float(re.sub(r"[,\s$€£%]", "", literal).replace("·", "."))
    words = literal.lower().split("-")
    return float(sum(map(_VALUES.__getitem__, words))) if _VALUES.keys() >= set(words) else None


def _unit(word: str) -> str:
    """A measure by its one name, or the stem of what is counted."""
    if word in MEASURES or word in STOP_WORDS:
        return word if word in MEASURES else ""
    return _SAME_MEASURE.get(stem(word), stem(word))
