"""Reads a sentence for a comparison with another: its words, numbers, what it denies, what grows or falls."""

import re
from functools import cached_property

from msgspec import Struct

from papercore.text import STOP_WORDS, folded_word, stem

# Numbers with their sign, words with hyphens cut, and what ends a clause.
_NUMBER = r"[$€£]?\d+(?:[,\s]\d{3}(?!\d))*(?:[.·]\d+)?"
_TOKEN = re.compile(rf"{_NUMBER}(?![^\W\d_])%?|[^\W_]+|[;:—]")
_IS_NUMBER = re.compile(rf"{_NUMBER}%?")
_SPELLED = {"zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8}
_SPELLED |= {"nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "twenty": 20, "thirty": 30, "fifty": 50, "hundred": 100}


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _stems(text: str) -> frozenset[str]:
    return frozenset(map(stem, text.split()))


FACTORS = _words("thousand million billion trillion")
MEASURES = _words(
    """% $ € £ ng µg mg g kg nm µm mm cm m km ns ms s min h day week month year ml l kb mb gb tb hz khz mhz ghz k v w
    kw"""
)
# Other words for a measure, as stems.
_SAME_MEASURE = {"second": "s", "sec": "s", "minut": "min", "hour": "h", "hr": "h", "d": "day", "gram": "g"}
_SAME_MEASURE |= {"kilogram": "kg", "milligram": "mg", "metr": "m", "meter": "m", "kilomet": "km", "liter": "l"}
_SAME_MEASURE |= {"litr": "l", "yr": "year", "mcg": "µg", "μg": "µg", "μm": "µm"}
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
_LIMITING = _words("all every most some half only always often rarely few many both each more less than")
# Beside a number: it is not meant exactly.
_ROUGHLY = _words(
    "about above almost approximately around below between least most nearly over roughly than to under up"
)
_NEW_CLAUSE = frozenset(("but", "whereas", "while", "although", "however"))
_ASKING = re.compile(
    r"\?|\bwhether\b|\b(?:if|unless)\b|\b[Hh]ypothes|\b(?:aim(?:ed|s)?|sought|tested)\b"
    r"|^\s*(?:OBJECTIVES?|AIMS?|PURPOSE|BACKGROUND|CONTEXT|DESIGN|METHODS?|Eligibility)\b"
    r"|\bto (?:assess|examine|determine|investigate|evaluate|test|estimate|compare|explore|study|establish)\b"
)
# British spellings as American ones: both texts are read in the same way.
_BRITISH = re.compile(r"(?<=[a-z]{3})(?:is(?=(?:e|ed|es|ing|ation|ations)$)|our(?=(?:s|ed|al)?$))")
_WAYS = {
    "more": """increase increases increased increasing rise rises risen rose raise raised raises elevate elevated
        elevates elevation enhance enhances enhanced enhancing higher greater promote promotes promoted promoting
        upregulate upregulates upregulated upregulation improve improves improved improving
        improvement accelerate accelerates accelerated larger longer faster stimulate stimulates stimulated positively
        exacerbate exacerbates better""",
    "less": """decrease decreases decreased decreasing fall falls fell fallen decline declines declined declining reduce
        reduces reduced reducing reduction diminish diminishes diminished lower lowers lowered suppress suppresses
        suppressed inhibit inhibits inhibited inhibiting downregulate downregulates downregulated downregulation
        impair impairs impaired worsen worsens worsened slow slows slowed smaller
        shorter slower attenuate attenuates attenuated negatively weaken weakens weakened prevents worse""",
}
_WAY_OF = {stem(word): way for way, words in _WAYS.items() for word in words.split()}


class ClaimToken(Struct, frozen=True):
    """A word or number of a sentence; for a number its value, its decimals, and what it counts."""

    literal: str
    stem: str
    clause: int
    is_first: bool
    value: float | None = None
    decimals: int = 0
    unit: str = ""
    beside: str = ""

    @property
    def is_content(self) -> bool:
        return self.value is None and self.stem not in _NEGATIONS and self.literal.lower() not in STOP_WORDS

    @property
    def is_required(self) -> bool:
        """A word that a sentence must have to say the same; more and less are compared apart."""
        return self.literal.lower() in _LIMITING or (self.is_content and not self.way)

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
    def way(self) -> str:
        """`more` or `less`, if it says so."""
        return "" if self.value is not None else _WAY_OF.get(self.stem, "")

    @property
    def measure(self) -> str:
        return self.unit if self.unit in MEASURES else ""

    @property
    def shown(self) -> str:
        if self.unit == "%":
            return f"{self.literal.rstrip('%')}%"
        return f"{self.literal} {self.beside}" if self.measure or self.beside in FACTORS else self.literal


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
    def asks(self) -> bool:
        """It says what is to be found out, or under which condition, not what was found."""
        return _ASKING.search(self.text) is not None

    @cached_property
    def negations(self) -> list[str]:
        return [token.literal for token in self.tokens if token.stem in _NEGATIONS]

    @cached_property
    def turning(self) -> frozenset[str]:
        return frozenset(token.stem for token in self.tokens) & _TURNING

    @cached_property
    def ways(self) -> dict[int, str]:
        """Where it says that something increases or decreases, and which."""
        return {place: token.way for place, token in enumerate(self.tokens) if token.way}

    @cached_property
    def is_passive(self) -> bool:
        words = [token.literal.lower() for token in self.tokens]
        return any(word.endswith("ed") and "by" in words[at + 1 : at + 3] for at, word in enumerate(words))

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

    def is_rough(self, place: int) -> bool:
        """Whether the number at this place is not meant exactly, or is one end of a range."""
        beside = self.tokens[max(0, place - 2) : place] + self.tokens[place + 1 : place + 2]
        return any(token.literal.lower() in _ROUGHLY for token in beside)


def read_sentence(text: str) -> ReadSentence:
    tokens: list[ClaimToken] = []
    clause = 0
    for match in _TOKEN.finditer(text):
        literal, after = match[0], text[match.end() : match.end() + 24]
        if literal in ";:—":
            clause += 1
        elif (value := _value(literal, after)) is not None:
            unit, beside = _unit_beside(literal, after)
            decimals = len(re.split(r"[.·]", literal.rstrip("%"))[1]) if re.search(r"[.·]", literal) else 0
            tokens.append(ClaimToken(literal, literal + unit, clause, not tokens, value, decimals, unit, beside))
        elif not (tokens and tokens[-1].measure and literal == tokens[-1].beside):
            # The unit after a number is not a word of its own.
            folded = _BRITISH.sub(lambda british: {"is": "iz", "our": "or"}[british[0]], folded_word(literal))
            clause += folded in _NEW_CLAUSE
            tokens.append(ClaimToken(literal, stem(folded), clause, not tokens))
    return ReadSentence(text, tuple(tokens))


def _value(literal: str, after: str) -> float | None:
    """The value of a number in digits or in words; "one" is one only in "one in five"."""
    spelled = _SPELLED.get(literal.lower())
    if spelled is not None:
        return float(spelled) if spelled != 1 or after.startswith(" in ") else None
    if not _IS_NUMBER.fullmatch(literal):
        return None
    return float(re.sub(r"[,\s$€£%]", "", literal).replace("·", "."))


def _unit_beside(literal: str, after: str) -> tuple[str, str]:
    """What is counted, and as it is written: the sign or the word beside the number; `5 million` is its own unit."""
    sign = literal[0] if literal[0] in "$€£" else ""
    if literal.endswith("%") or re.match(r"\s?(%|percent\b|per cent\b)", after):
        return "%", ""
    match = re.match(r"[\s-]?([^\W\d_]+)", after)
    word = folded_word(match[1]) if match else ""
    if word in FACTORS:
        return sign + word, word
    return (sign, "") if sign else (_unit(word), match[1] if match else "")


def _unit(word: str) -> str:
    """A measure by its one name, or the stem of what is counted."""
    if word in MEASURES or word in STOP_WORDS:
        return word if word in MEASURES else ""
    return _SAME_MEASURE.get(stem(word), stem(word))
