"""Makes an intent of a question: its topic and concepts, the kind of answer, and what every paper must match."""

from paper_search.models import IntentType, PaperTag, ParsedIntent, SearchConstraints
from paper_search.skills.question.reading import read_question
from papercore import limits

# The kind of answer by the kind of paper asked for; a bare topic asks for methods, the most common kind.
_INTENTS = {
    PaperTag.review: IntentType.survey,
    PaperTag.dataset: IntentType.dataset,
    PaperTag.empirical: IntentType.baseline,
}


class RuleIntentParser:
    """Reads a question by patterns; any text will do, even an empty one."""

    def __init__(self, max_results: int = 100, this_year: int | None = None) -> None:
        self.max_results = max_results
        self.this_year = this_year

    async def parse(self, text: str) -> ParsedIntent:
        question = read_question(text, self.this_year)
        return ParsedIntent(
            topic=question.topic,
            concepts=question.concepts,
            intent_type=next((_INTENTS[kind] for kind in question.kinds if kind in _INTENTS), IntentType.method),
            constraints=SearchConstraints(
                year_from=question.years.first,
                year_to=question.years.last,
                language=question.language,
                max_results=min(question.count or self.max_results, self.max_results),
                authors=_terms(question.authors),
                venues=_terms(question.venues),
                kinds=question.kinds,
                excluded=_terms(question.excluded),
                excluded_kinds=question.excluded_kinds,
            ),
        )


def _terms(found: list[str]) -> list[str]:
    """Within the limits of a strategy."""
    return [text for term in found if (text := term[: limits.SYNONYM_CHARS].strip())][: limits.FILTER_TERMS]
