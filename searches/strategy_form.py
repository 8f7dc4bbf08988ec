"""A search strategy as the fields of a form: what the page shows, and what a submitted form says."""

import re

from django.http import QueryDict
from msgspec import Struct

from paper_search.config import KNOWN_SOURCES, load_config
from paper_search.models import SearchQuery, SearchStrategy, SynonymMap
from paper_search.queries import all_of, any_of
from paper_search.skills.question.concepts import concepts
from paper_search.skills.question.reading import LANGUAGES
from paper_search.workflow.errors import InvalidDecision
from papercore import limits
from papercore.arguments import is_visible

# The filters of a strategy that are lists of words.
WORD_FILTERS = {
    "authors": "By",
    "venues": "Published at",
    "excluded": "Without",
    "more_like": "More like",
    "less_like": "Less like",
}
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}")


class SourceChoice(Struct, frozen=True):
    """A source that can be ticked."""

    name: str
    label: str
    chosen: bool


class WordsField(Struct, frozen=True):
    """A filter of words, to be edited as one line with commas."""

    name: str
    label: str
    value: str


class QueryFields(Struct, frozen=True):
    """The boolean query and the synonyms of one query, named by its number; `typed` is a form that was refused."""

    number: int
    query: SearchQuery
    typed: QueryDict | None = None

    @property
    def terms(self) -> str:
        return " ".join(self.query.keywords)

    @property
    def boolean(self) -> str:
        return _typed(self.typed, f"boolean-{self.number}", self.query.boolean_query)

    @property
    def synonyms(self) -> str:
        planned = "\n".join(f"{group.keyword}: {', '.join(group.synonyms)}" for group in self.query.synonym_map)
        return _typed(self.typed, f"synonyms-{self.number}", planned)


class StrategyForm(Struct, frozen=True):
    """The strategy as fields to edit."""

    strategy: SearchStrategy
    typed: QueryDict | None = None

    @property
    def queries(self) -> list[QueryFields]:
        return [QueryFields(number, query, self.typed) for number, query in enumerate(self.strategy.queries, 1)]

    @property
    def terms(self) -> str:
        return _typed(self.typed, "terms", "\n".join(fields.terms for fields in self.queries))

    @property
    def sources(self) -> list[SourceChoice]:
        chosen = self.typed.getlist("src") if self.typed else self.strategy.sources
        configured = [source.name for source in load_config().enabled_sources()]
        offered = [source for source in KNOWN_SOURCES.values() if source.name in {*self.strategy.sources, *configured}]
        return [SourceChoice(source.name, source.label, source.name in chosen) for source in offered]

    @property
    def language(self) -> str:
        return _typed(self.typed, "language", self.strategy.filters.language or "")

    @property
    def languages(self) -> list[str]:
        """The codes to choose from."""
        planned = self.strategy.filters.language
        return [*LANGUAGES, *([planned] if planned and planned not in LANGUAGES else [])]

    @property
    def words(self) -> list[WordsField]:
        filters = self.strategy.filters
        return [
            WordsField(name, label, _typed(self.typed, name, ", ".join(getattr(filters, name))))
            for name, label in WORD_FILTERS.items()
        ]


def strategy_of(form: QueryDict, planned: SearchStrategy) -> SearchStrategy:
    """The strategy that a form describes. InvalidDecision names the field that is wrong."""
    known = {fields.terms: fields for fields in StrategyForm(planned).queries}
    lines = [line for text in form.get("terms", "").splitlines() if (line := _one_word(text))]
    if not lines:
        raise InvalidDecision("Search terms: write at least one line.")
    if len(lines) > limits.STRATEGY_QUERIES or max(map(len, lines)) > limits.KEYWORD_CHARS:
        raise InvalidDecision(
            f"Search terms: write at most {limits.STRATEGY_QUERIES} lines of at most {limits.KEYWORD_CHARS} characters."
        )
    sources = [name for name in form.getlist("src") if name]
    if not sources:
        raise InvalidDecision("Sources: choose at least one.")
    if len(sources) > limits.STRATEGY_SOURCES or max(map(len, sources)) > limits.ID_CHARS:
        raise InvalidDecision("Sources: choose from the list.")
    changes = {
        "year_from": _number(form, "from", "From year", 0, limits.LAST_YEAR),
        "year_to": _number(form, "to", "To year", 0, limits.LAST_YEAR),
        "max_results": _number(form, "max", "At most", 1, limits.SEARCH_RESULTS) or planned.filters.max_results,
        "language": _language(form) if "language" in form else planned.filters.language,
        **{name: _words(form.get(name, ""), label) for name, label in WORD_FILTERS.items() if name in form},
    }
    return SearchStrategy(
        queries=[_edited(form, known[line]) if line in known else _new_query(line) for line in lines],
        sources=sources,
        filters=planned.filters.model_copy(update=changes),
    )


def _edited(form: QueryDict, fields: QueryFields) -> SearchQuery:
    """The planned query with what was written into its fields."""
    boolean = _one_word(form.get(f"boolean-{fields.number}", "")) or fields.query.boolean_query
    if len(boolean) > limits.BOOLEAN_CHARS:
        raise InvalidDecision(f"Boolean query: write at most {limits.BOOLEAN_CHARS} characters.")
    typed = form.get(f"synonyms-{fields.number}")
    synonyms = fields.query.synonym_map if typed is None else _synonyms(typed)
    return fields.query.model_copy(update={"boolean_query": boolean, "synonym_map": synonyms})


def _synonyms(text: str) -> list[SynonymMap]:
    """One line for each keyword: `keyword: synonym, synonym`."""
    lines = [line for typed in text.splitlines() if (line := _one_word(typed))]
    if len(lines) > limits.QUERY_KEYWORDS:
        raise InvalidDecision(f"Synonyms: write at most {limits.QUERY_KEYWORDS} lines.")
    found = []
    for line in lines:
        keyword, colon, rest = line.partition(":")
        words = _words(rest, "Synonyms")
        if not colon or not keyword.strip() or len(keyword) > limits.KEYWORD_CHARS or len(words) > limits.SYNONYMS:
            raise InvalidDecision(
                f"Synonyms: write a keyword, a colon and at most {limits.SYNONYMS} synonyms with commas."
            )
        found.append(SynonymMap(keyword=keyword.strip(), synonyms=words))
    return found


def _new_query(line: str) -> SearchQuery:
    return SearchQuery(keywords=[line], boolean_query=all_of([[phrase] for phrase in concepts(line)]) or any_of([line]))


def _language(form: QueryDict) -> str | None:
    code = form.get("language", "").strip()
    if code and not _LANGUAGE.fullmatch(code):
        raise InvalidDecision("Language: choose from the list.")
    return code.lower() or None


def _words(text: str, label: str) -> list[str]:
    """Words that are separated by commas."""
    found = [word for part in text.split(",") if (word := _one_word(part))]
    if len(found) > limits.FILTER_TERMS or any(len(word) > limits.SYNONYM_CHARS for word in found):
        raise InvalidDecision(
            f"{label}: write at most {limits.FILTER_TERMS} words of at most {limits.SYNONYM_CHARS} characters."
        )
    return list(dict.fromkeys(found))


def _typed(form: QueryDict | None, name: str, planned: str) -> str:
    """What was typed into a field; what was planned, where nothing was sent."""
    return form.get(name, planned) if form else planned


def _one_word(text: str) -> str:
    """A line with single blanks; empty if nothing in it can be seen."""
    line = " ".join(text.split())
    return line if is_visible(line) else ""


def _number(form: QueryDict, name: str, label: str, lowest: int, highest: int) -> int | None:
    text = form.get(name, "").strip()
    if not text:
        return None
    if not text.isdecimal() or not lowest <= int(text[:9]) <= highest:
        raise InvalidDecision(f"{label}: write a number from {lowest} to {highest}.")
    return int(text)
