"""Builds a strategy from an intent: several queries, with synonyms, for the enabled sources."""

import asyncio
from collections.abc import Sequence

from paper_search.models import (
    ParsedIntent,
    QueryBuilderInput,
    SearchQuery,
    SearchStrategy,
    SynonymMap,
)
from paper_search.queries import all_of, any_of
from paper_search.skills.thesaurus import Thesaurus

MAX_QUERIES = 4
# Of the words learned from marked papers, those that a query of their own asks for.
LEARNED_WORDS = 5


class RuleQueryBuilder:
    """The question itself with synonyms first, then with what was learned; on further attempts a broader query."""

    def __init__(self, sources: Sequence[str], thesaurus: Thesaurus) -> None:
        self.sources = list(sources)
        self.thesaurus = thesaurus

    async def build(self, data: QueryBuilderInput) -> SearchStrategy:
        synonyms: list[SynonymMap] = []
        for concept in data.intent.concepts:
            # It looks into the library, which takes its time.
            found = await asyncio.to_thread(self.thesaurus.synonyms, concept)
            synonyms += [SynonymMap(keyword=concept, synonyms=found)] if found else []
        queries = _queries(data.intent, synonyms, len(data.previous_strategies))
        return SearchStrategy(queries=queries[:MAX_QUERIES], sources=self.sources, filters=data.intent.constraints)


def _queries(intent: ParsedIntent, synonyms: list[SynonymMap], attempt: int) -> list[SearchQuery]:
    excluded, learned = intent.constraints.excluded, intent.constraints.more_like
    known = {item.keyword: item.synonyms for item in synonyms}
    groups = [[concept, *known.get(concept, [])] for concept in intent.concepts]
    main = all_of(groups, excluded) or any_of([intent.topic])
    queries = [SearchQuery(keywords=[intent.topic], synonym_map=synonyms, boolean_query=main)]
    if learned:
        narrowed = [*groups[:2], learned[:LEARNED_WORDS]]
        phrases = [group[0] for group in narrowed[:-1]] + learned[:LEARNED_WORDS]
        queries.append(SearchQuery(keywords=phrases, boolean_query=all_of(narrowed, excluded)))
    if attempt and len(groups) > 1:
        # Each further attempt combines fewer concepts, down to one. The first has none: a part of a question that the
        # library does not answer is no answer, and other sources are asked more loosely where they find too little.
        broad = groups[: max(1, 2 - max(0, attempt - 1))]
        queries.append(SearchQuery(keywords=[group[0] for group in broad], boolean_query=all_of(broad, excluded)))
    # With two concepts the first broader attempt is the question itself.
    unique = {query.boolean_query: query for query in reversed(queries)}
    return sorted(unique.values(), key=queries.index)
