"""Reads an intent from a question: topic, concepts, kind of answer, years, language, number of papers."""

import re

from paper_search.models import IntentType, ParsedIntent, SearchConstraints
from paper_search.skills.text import words
from paper_search.skills.years import YearRange, read_years
from papercore import limits
from papercore.text import REQUEST_STOP_WORDS

MAX_CONCEPTS = 8
# A longer text is a pasted abstract, not a question.
QUESTION_WORDS = 30

# The first pattern that matches decides; a bare topic asks for methods, the most common kind of paper.
_INTENTS = (
    (
        IntentType.survey,
        re.compile(r"\b(surveys?|reviews?|overviews?|state[- ]of[- ]the[- ]art|tutorials?|introduction to)\b", re.I),
    ),
    (IntentType.dataset, re.compile(r"\b(datasets?|data sets?|corpus|corpora|benchmarks?|test collections?)\b", re.I)),
    (IntentType.baseline, re.compile(r"\b(baselines?|compar(?:e|ed|ison|isons)|versus|vs\.?|outperforms?)\b", re.I)),
)
_REQUEST = re.compile(
    r"^\W*(?:(?:please|can you|could you|i am|i'm|we are|looking for|search(?:ing)? for|search|find|"
    r"show|give|list|get|me|us|some|any|all|the|recent|latest|best|most|relevant|important|top|papers?|articles?|publications?|literature|"
    r"research|studies|works?|on|about|regarding|concerning|related to|dealing with|that|which|what is known)"
    r"\b[\s:,]*)+",
    re.I,
)
_COUNT = re.compile(
    r"\b(?:top|best|at most|up to|first)?\s*(\d{1,3})\s+(?:most\s+)?(?:\w+\s+)?"
    r"(?:papers|articles|publications|results|studies)\b",
    re.I,
)
_LANGUAGES = {
    "english": "en",
    "german": "de",
    "french": "fr",
    "spanish": "es",
    "chinese": "zh",
    "japanese": "ja",
    "korean": "ko",
    "russian": "ru",
    "portuguese": "pt",
    "italian": "it",
}
_LANGUAGE = re.compile(rf"\b(?:written\s+)?in\s+({'|'.join(_LANGUAGES)})\b(?!\s+\w)", re.I)
# Words that say what kind of paper is wanted, not what it is about.
_KINDS = (
    "survey surveys review reviews overview overviews compare compared comparison comparisons versus vs baseline "
    "baselines dataset datasets papers paper articles literature study studies recent latest"
)
_KIND_WORDS = frozenset(_KINDS.split())
_AROUND = " .,;:?!"
_QUOTED = re.compile(r"[\"“„]([^\"”“„]{2,80})[\"”“]")


class RuleIntentParser:
    """Reads a question by patterns; any text will do, even an empty one."""

    def __init__(self, max_results: int = 100, this_year: int | None = None) -> None:
        self.max_results = max_results
        self.this_year = this_year

    async def parse(self, text: str) -> ParsedIntent:
        line = " ".join(text.split())
        # An abstract mentions years in passing; a question means them.
        years = read_years(line, self.this_year) if len(line.split()) <= QUESTION_WORDS else YearRange(rest=line)
        rest, max_results = years.rest, self.max_results
        if (count := _COUNT.search(rest)) and int(count[1]):
            rest = rest[: count.start()] + " " + rest[count.end() :]
            max_results = min(int(count[1]), self.max_results)
        language = _LANGUAGE.search(rest)
        rest = _LANGUAGE.sub(" ", rest)
        topic = " ".join((_REQUEST.sub("", rest).strip(_AROUND) or rest).split()).strip(_AROUND) or line
        topic = topic[: limits.KEYWORD_CHARS]
        return ParsedIntent(
            topic=topic,
            concepts=concepts(topic),
            intent_type=next((kind for kind, pattern in _INTENTS if pattern.search(text)), IntentType.method),
            constraints=SearchConstraints(
                year_from=years.first,
                year_to=years.last,
                language=_LANGUAGES[language[1].lower()] if language else None,
                max_results=max_results,
            ),
        )


def concepts(topic: str) -> list[str]:
    """Quoted phrases, then the runs of words between stop words."""
    quoted = [" ".join(words(phrase)) for phrase in _QUOTED.findall(topic)]
    rest = _QUOTED.sub(" . ", topic)
    runs: list[str] = []
    for part in re.split(r"(?<![.,;:?!()\[\]/])[.,;:?!()\[\]/]++(?:\s|$)", rest):
        runs += _runs(part)
    unique = list(dict.fromkeys(phrase[: limits.KEYWORD_CHARS] for phrase in (*quoted, *runs) if phrase))
    return unique[:MAX_CONCEPTS]


def _runs(text: str) -> list[str]:
    runs: list[list[str]] = [[]]
    for word in words(text):
        if word in REQUEST_STOP_WORDS or word in _KIND_WORDS:
            runs.append([])
        else:
            runs[-1].append(word)
    return [" ".join(run[:4]) for run in runs if run]
