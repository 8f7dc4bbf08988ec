"""Builds a strategy from an intent: several queries, with synonyms, for the enabled sources."""

import asyncio
from collections.abc import Sequence

from paper_search.models import (
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
        intent, attempt = data.intent, len(data.previous_strategies)
        excluded, learned = intent.constraints.excluded, intent.constraints.more_like[:LEARNED_WORDS]
        # It looks into the library, which takes its time.
        groups = [[concept, *await asyncio.to_thread(self.thesaurus.synonyms, concept)] for concept in intent.concepts]
        synonyms = [SynonymMap(keyword=concept, synonyms=found) for concept, *found in groups if found]
        main = all_of(groups, excluded) or any_of([intent.topic])
        queries = [SearchQuery(keywords=[intent.topic], synonym_map=synonyms, boolean_query=main)]
        if learned:
            phrases = [group[0] for group in groups[:2]] + learned
            queries.append(SearchQuery(keywords=phrases, boolean_query=all_of([*groups[:2], learned], excluded)))
        if attempt and len(groups) > 1:
            # Each further attempt combines fewer concepts, down to one. The first has none: a part of a question that
            # the library does not answer is no answer, and other sources are asked more loosely where they find too
            # little.
            broad = groups[: 2 if attempt == 1 else 1]
            queries.append(SearchQuery(keywords=[group[0] for group in broad], boolean_query=all_of(broad, excluded)))
        # With two concepts the first broader attempt is the question itself.
        unique = {query.boolean_query: query for query in reversed(queries)}
        chosen = sorted(unique.values(), key=queries.index)[:MAX_QUERIES]
        return SearchStrategy(queries=chosen, sources=self.sources, filters=intent.constraints)
