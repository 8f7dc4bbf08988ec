"""Builds a strategy from an intent: several queries, with synonyms, for the enabled sources."""

import asyncio
import re
from collections.abc import Sequence

from paper_search.models import (
    ParsedIntent,
    QueryBuilderInput,
    SearchQuery,
    SearchStrategy,
    SynonymMap,
    UserFeedback,
)
from paper_search.skills.boolean import all_of, any_of
from paper_search.skills.question import concepts
from paper_search.skills.text import words
from paper_search.skills.thesaurus import Thesaurus
from papercore.text import REQUEST_STOP_WORDS

MAX_QUERIES = 4
_UNWANTED = re.compile(
    r"\b(?:not?|without|exclud(?:e|ing)|leave out|omit|drop|ignore|fewer|less|too many|too much)\s+"
    r"(?:the |any |about |on |papers? (?:on|about) )*((?:[\w-]+)(?:(?:,| or| and|, or) (?:the )?[\w-]+)*)",
    re.I,
)
_ASKING = "papers paper articles results more please focus want need add include only instead"
_FILLERS = frozenset(_ASKING.split())


class RuleQueryBuilder:
    """The question itself first, then its concepts with synonyms, then a broader query."""

    def __init__(self, sources: Sequence[str], thesaurus: Thesaurus) -> None:
        self.sources = list(sources)
        self.thesaurus = thesaurus

    async def build(self, data: QueryBuilderInput) -> SearchStrategy:
        synonyms = await asyncio.to_thread(self._synonyms, data.intent.concepts)
        wanted, excluded = read_feedback(data.user_feedback)
        excluded = list(dict.fromkeys((*data.intent.constraints.excluded, *excluded)))
        queries = _queries(data.intent, synonyms, wanted, excluded, len(data.previous_strategies))
        return SearchStrategy(queries=queries[:MAX_QUERIES], sources=self.sources, filters=data.intent.constraints)

    def _synonyms(self, concepts: Sequence[str]) -> list[SynonymMap]:
        maps = (SynonymMap(keyword=concept, synonyms=self.thesaurus.synonyms(concept)) for concept in concepts)
        return [synonym_map for synonym_map in maps if synonym_map.synonyms]


def read_feedback(feedback: UserFeedback | None) -> tuple[list[str], list[str]]:
    """Which concepts a reviewer asks for more of, and which words to exclude."""
    text = feedback.free_text_feedback if feedback and feedback.free_text_feedback else ""
    excluded = [
        word
        for match in _UNWANTED.finditer(text)
        for word in words(match[1])
        if word not in REQUEST_STOP_WORDS and word not in _FILLERS
    ]
    rest = " ".join(word for word in words(_UNWANTED.sub(" . ", text)) if word not in _FILLERS)
    return concepts(rest)[:3], list(dict.fromkeys(excluded))


def _queries(
    intent: ParsedIntent,
    synonyms: list[SynonymMap],
    wanted: list[str],
    excluded: list[str],
    attempt: int,
) -> list[SearchQuery]:
    known = {item.keyword: item.synonyms for item in synonyms}
    groups = [[concept, *known.get(concept, [])] for concept in intent.concepts]
    main = all_of(groups, excluded) or any_of([intent.topic])
    queries = [SearchQuery(keywords=[intent.topic], synonym_map=synonyms, boolean_query=main)]
    if wanted:
        phrases = [*intent.concepts[:3], *wanted]
        queries.append(SearchQuery(keywords=phrases, boolean_query=all_of([[word] for word in phrases], excluded)))
    if known:
        phrases = [known.get(concept, [concept])[0] for concept in intent.concepts]
        queries.append(SearchQuery(keywords=phrases, boolean_query=all_of([[word] for word in phrases], excluded)))
    if len(groups) > 2 or (attempt and len(groups) > 1):
        # Each further attempt combines fewer concepts, down to one.
        broad = groups[: max(1, 2 - max(0, attempt - 1))]
        queries.append(SearchQuery(keywords=[group[0] for group in broad], boolean_query=all_of(broad, excluded)))
    return queries
