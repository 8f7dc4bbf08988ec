"""Reads a sentence for a comparison with another: its words, numbers, what it denies, what grows or falls."""

import re
from functools import cached_property
from math import log10

from msgspec import Struct
from msgspec.structs import replace

from papercore.text import STOP_WORDS, folded_word, stem


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _stems(text: str) -> frozenset[str]:
    return frozenset(map(stem, text.split()))


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
MEASURES = _words(
    """% $ € £ ng µg mg g kg nm µm mm cm m km ns ms s min h day week month year ml l kb mb gb tb hz khz mhz ghz k v w
    kw"""
)
# Other words for a measure, as stems.
_SAME_MEASURE = {"second": "s", "sec": "s", "minut": "min", "hour": "h", "hr": "h", "d": "day", "gram": "g"}
_SAME_MEASURE |= {"kilogram": "kg", "milligram": "mg", "metr": "m", "meter": "m", "kilomet": "km", "liter": "l"}
_SAME_MEASURE |= {"litr": "l", "yr": "year", "mcg": "µg", "μg": "µg", "μm": "µm", "dollar": "$", "euro": "€"}
_NEGATIONS = _stems("no not never neither nor without cannot lack absence fail unable non none")
# Those that deny the word after them, and what may be between.
_DENIALS = _words("no not never neither nor cannot")
_DENIAL_LEADS = _stems("be been a an the to any significantly significant statistically have directly")
# After them the opposite may hold: "loss of A increases B" does not say that A increases B.
_TURNING = _stems(
    """loss losing lack lacking deficient deficiency knockdown knockout depleted depletion deleted deletion inhibitor
    blocked blocking blockade antagonist ablated ablation absence silenced silencing disrupted disruption withdrawal
    removal removed removing without"""
)
# They limit what is said, so a sentence without them says something else.
_LIMITING = _words("all every most some half only always often rarely few many both each more less least than")
# With them a thing may be so; under a condition it is so.
_UNSURE = _words(
    """may might can could would should will seem seems appear appears perhaps possibly potentially probably likely
    if unless except when whenever until"""
)
_TURNED_STEMS, _LIMITED_WORDS = _NEGATIONS | _TURNING, _LIMITING | _UNSURE
# Beside a number: it is not meant exactly.
_ROUGHLY = _words("about above almost approximately around below between least most nearly over roughly than to up")
_NEW_CLAUSE = _words("but whereas while although however")
_ASKING = re.compile(
    r"\?|\bwhether\b|\b(?:if|unless)\b|\b[Hh]ypothes|\b(?:aim(?:ed|s)?|sought|tested)\b"
    r"|^\s*(?:OBJECTIVES?|AIMS?|PURPOSE|DESIGN|METHODS?|Eligibility)\b"
    r"|\bto (?:assess|examine|determine|investigate|evaluate|test|estimate|compare|explore|study|establish)\b"
)
# Articles, auxiliaries and pronouns: two sentences may say the same with others of them, or without.
_LIGHT = _words(
    """a an the am is are was were be been being has have had having do does did it its itself he she his her they their
    them we us our i my this these those such also thus therefore hence so then there here however but whereas while
    although too very"""
)
# Prepositions and conjunctions: they say how the words are related.
_RELATING = _words(
    """of in on at by for with from to into onto over under above below between among within during through throughout
    across along around after before since until than as per via upon against versus vs toward towards beyond despite
    and or because that which who whom whose where using rather instead compared relative due"""
)
# British spellings as American ones: both texts are read in the same way.
_BRITISH = re.compile(r"(?<=[a-z]{3})(?:is(?=(?:e|ed|es|ing|ation|ations)$)|our(?=(?:s|ed|al)?$))")
# Words for more and for less of one thing. Words of two lines are no opposites: what is longer may be slower.
_SCALES = (
    (
        """increase rise risen rose raise elevate elevation enhance promote stimulate upregulate upregulation higher
        greater larger""",
        """decrease fall fell fallen decline reduce reduction diminish lower suppress inhibit downregulate
        downregulation attenuate smaller""",
    ),
    ("improve improvement better help benefit", "worsen worse impair hurt harm deteriorate"),
    ("cause", "prevent"),
    ("faster quicker", "slower"),
    ("accelerate", "slow decelerate"),
    ("longer", "shorter"),
    ("more", "less fewer"),
    ("most highest largest greatest", "least lowest smallest"),
    ("best", "worst"),
    ("positive", "negative"),
    ("stronger strengthen", "weaker weaken"),
    ("before", "after"),
    ("earlier", "later"),
    ("above", "below"),
)


class Way(Struct, frozen=True):
    """A direction: which thing there is more or less of, and whether more."""

    scale: int
    is_more: bool

    def turns(self, other: "Way | None") -> bool:
        return other is not None and self.scale == other.scale and self.is_more != other.is_more


_WAYS = {
    stem(word): Way(scale, is_more)
    for scale, sides in enumerate(_SCALES)
    for is_more, side in zip((True, False), sides, strict=True)
    for word in side.split()
}


class ClaimToken(Struct, frozen=True):
    """A word or number of a sentence; for a number its value, its decimals, and what it counts.

    `opening` has the signs before it, and `is_aside` says that it is in brackets.
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

    @property
    def word(self) -> str:
        return self.literal.lower()

    @property
    def is_content(self) -> bool:
        return self.value is None and self.stem not in _NEGATIONS and self.word not in STOP_WORDS

    @property
    def is_required(self) -> bool:
        """A word that a sentence must have to say the same; more and less are compared apart."""
        return not self.way and (self.word in _LIMITING or self.is_content)

    @property
    def is_light(self) -> bool:
        # In the midst of a sentence, "A" is the name of something.
        return self.value is None and self.word in _LIGHT and (self.literal != "A" or self.is_first)

    @property
    def relates(self) -> bool:
        return self.value is None and self.word in _RELATING

    @property
    def limits(self) -> bool:
        """It denies, limits or turns what is said, or says that it may be so."""
        return self.stem in _TURNED_STEMS or self.word in _LIMITED_WORDS

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
        return None if self.value is not None else _WAYS.get(self.stem)

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
        return _ASKING.search(self.own_text) is not None

    @cached_property
    def negations(self) -> list[str]:
        return [token.literal for token in self.tokens if token.stem in _NEGATIONS]

    @cached_property
    def turning(self) -> frozenset[str]:
        return frozenset(token.stem for token in self.tokens) & _TURNING

    def clause_about(self, words: frozenset[str]) -> "ReadSentence":
        """The one clause that has all of these words that the sentence has, if there is one; else the sentence."""
        wanted = words & self.content
        for number in range(self.tokens[-1].clause + 1 if self.tokens else 0):
            clause = ReadSentence(self.text, tuple(token for token in self.tokens if token.clause == number))
            if wanted <= clause.content:
                return clause
        return self

    def denial_of(self, place: int) -> str:
        """`not associated`: the negation before a word, with what may be between them, and the word; or nothing."""
        for at in range(place - 1, max(-1, place - 4), -1):
            token = self.tokens[at]
            if token.stem in _DENIALS:
                return " ".join(part.literal for part in self.tokens[at : place + 1])
            if token.stem not in _DENIAL_LEADS:
                return ""
        return ""

    def roughly(self, place: int) -> frozenset[str]:
        """The words beside a number that say that it is not meant exactly, or is one end of a range."""
        beside = self.tokens[max(0, place - 2) : place] + self.tokens[place + 1 : place + 2]
        return _ROUGHLY.intersection(token.word for token in beside)


def read_sentence(text: str) -> ReadSentence:
    tokens: list[ClaimToken] = []
    clause = end = depth = 0
    while match := _TOKEN.search(text, end):
        signs = re.sub(r"[^,;:—()\[\]]", "", text[end : match.start()])
        clause += not depth and any(sign in ";:—" for sign in signs)
        depth = max(0, depth + sum((sign in "([") - (sign in ")]") for sign in signs))
        token = _number(text, match) or _word(match)
        clause += token.word in _NEW_CLAUSE
        end = token.start + len(token.literal)
        tokens.append(replace(token, clause=clause, is_first=not tokens, opening=signs, is_aside=depth > 0))
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
    return ClaimToken(literal, f"{value}{unit}", match.start(), value=value, decimals=decimals, unit=unit)


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
