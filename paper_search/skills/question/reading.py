"""A question in plain words, taken apart: topic, years, authors, venues, kinds, exclusions, language, count."""

import re
import unicodedata

from msgspec import Struct, field

from paper_search.models import PaperTag
from paper_search.skills.question.attribution import read_authors, read_venues
from paper_search.skills.question.concepts import concepts, language_of, trimmed
from paper_search.skills.question.exclusions import read_exclusions
from paper_search.skills.question.kinds import read_kinds
from paper_search.skills.question.years import NUMBERS, YearRange, read_years
from papercore import limits

# A longer text is a pasted abstract, not a question: what it mentions in passing is not asked for.
QUESTION_WORDS = 30
# Codes of languages, and their names as questions have them.
LANGUAGES = {
    "en": "english|englisch(?:er|e)?|anglais|inglés|英文|英语|英語",
    "de": "german|deutsch(?:er|e)?|allemand|alemán|德文|德语|ドイツ語",
    "fr": "french|französisch(?:er|e)?|français|francés|法文|法语|フランス語",
    "es": "spanish|spanisch(?:er|e)?|espagnol|español|西班牙文|西班牙语|スペイン語",
    "zh": "chinese|chinesisch(?:er|e)?|chinois|chino|中文|中国語",
    "ja": "japanese|japanisch(?:er|e)?|japonais|japonés|日文|日语|日本語",
    "ko": "korean|koreanisch(?:er|e)?|coréen|coreano|韩文|韓国語",
    "ru": "russian|russisch(?:er|e)?|russe|ruso|俄文|ロシア語",
    "pt": "portuguese|portugiesisch(?:er|e)?|portugais|portugués|葡萄牙文",
    "it": "italian|italienisch(?:er|e)?|italien|italiano|意大利文",
}
_WRITTEN_IN = tuple(
    (
        code,
        re.compile(
            rf"\b(?:written |published |geschrieben |écrits? |escritos? )?(?:in|auf|en) (?:{names})(?: language"
            rf"| sprache)?\b(?! \w)"
            rf"|\bwritten in (?:{names})\b|(?<=papers )in (?:{names})\b|(?<=articles )in (?:{names})\b"
            rf"|\b(?:{names})[- ]language(?= (?:papers?|articles?|publications?|literature)\b)"
            rf"|(?:用)?(?:{names})(?:写|撰写|で書かれた|的|の)(?=论文|文章|論文|文献)",
            re.I,
        ),
    )
    for code, names in LANGUAGES.items()
)
_NUMBER = rf"(?P<count>\d{{1,3}}|{'|'.join(word for word in NUMBERS if len(word) > 2 and word.isascii())})"
_PAPERS = (
    "papers|articles|publications|results|studies|works|references|arbeiten|artikel|publikationen|artículos|trabajos"
)
_COUNT = (
    re.compile(
        rf"\b(?:(?:the )?(?:top|best|at most|up to|first|maximum(?: of)?|max|only|die|les|los|höchstens|au plus"
        rf"|como máximo) )?{_NUMBER} "
        r"(?!(?:of|years?|jahre|ans|años)\b)(?:most |best |recent |relevant |important |wichtigsten |besten "
        r"|neuesten |meilleurs |"
        rf"derniers |mejores |principales ){{0,2}}(?:{_PAPERS})\b",
        re.I,
    ),
    re.compile(r"\btop[- ](?P<count>\d{1,3})\b(?! ?%)", re.I),
    re.compile(r"(?P<count>\d{1,3})(?:篇|本|件)(?:的|の)?(?=论文|文章|論文|文献|关于|有关|$|を)"),
    re.compile(r"(?:論文|论文)(?:を)?(?P<count>\d{1,3})(?:篇|本|件)"),
)


class Question(Struct, frozen=True):
    topic: str
    concepts: list[str] = field(default_factory=list)
    years: YearRange = field(default_factory=YearRange)
    excluded: list[str] = field(default_factory=list)
    kinds: list[PaperTag] = field(default_factory=list)
    excluded_kinds: list[PaperTag] = field(default_factory=list)
    authors: list[str] = field(default_factory=list)
    venues: list[str] = field(default_factory=list)
    language: str | None = None
    count: int | None = None


def read_question(text: str, this_year: int | None = None) -> Question:
    """What a text asks for; of a pasted abstract, only its concepts."""
    line = " ".join(unicodedata.normalize("NFKC", text).replace("’", "'").split())
    if len(line.split()) > QUESTION_WORDS:
        return Question(line[: limits.KEYWORD_CHARS], concepts(line))
    spoken = language_of(line)
    count, rest = _count(line)
    venues = read_venues(rest)
    years = read_years(venues.rest, this_year)
    language, rest = _language(years.rest)
    exclusions = read_exclusions(rest, spoken)
    authors = read_authors(exclusions.rest)
    kinds = read_kinds(authors.rest)
    topic = (trimmed(authors.rest, spoken) or trimmed(line, spoken) or line)[: limits.KEYWORD_CHARS]
    return Question(
        topic=topic,
        concepts=concepts(trimmed(kinds.rest, spoken), spoken),
        years=YearRange(years.first, years.last),
        excluded=exclusions.words,
        kinds=kinds.kinds,
        excluded_kinds=exclusions.kinds,
        authors=authors.names,
        venues=venues.names,
        language=language,
        count=count,
    )


def _count(text: str) -> tuple[int | None, str]:
    for pattern in _COUNT:
        if found := pattern.search(text):
            word = found["count"].lower()
            number = NUMBERS.get(word) or int(word)
            if number:
                return number, f"{text[: found.start()]} {text[found.end() :]}"
    return None, text


def _language(text: str) -> tuple[str | None, str]:
    text = " ".join(text.split())
    for code, pattern in _WRITTEN_IN:
        if found := pattern.search(text):
            return code, " ".join(f"{text[: found.start()]} {text[found.end() :]}".split())
    return None, text
