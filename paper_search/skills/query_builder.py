"""Builds a strategy from an intent: several queries, with synonyms, for the enabled sources."""

import asyncio
from collections.abc import Sequence

from paper_search.models import ParsedIntent, QueryBuilderInput, SearchQuery, SearchStrategy, SynonymMap
from paper_search.queries import all_of, any_of
from paper_search.skills.thesaurus import Thesaurus
from paper_search.text import content_words
from papercore import limits

MAX_QUERIES = 4
# Of the words learned from marked papers, those that a query of their own asks for.
LEARNED_WORDS = 5
# A topic of more words is no name of a thing that could have synonyms.
TOPIC_WORDS = 4


class RuleQueryBuilder:
    """The plan itself first, then with what was learned; on further attempts a broader query."""

    def __init__(self, sources: Sequence[str], thesaurus: Thesaurus) -> None:
        self.sources = list(sources)
        self.thesaurus = thesaurus

    async def build(self, data: QueryBuilderInput) -> SearchStrategy:
        intent, attempt = data.intent, len(data.previous_strategies)
        learned = intent.constraints.more_like[:LEARNED_WORDS]
        # It looks into the library, which takes its time.
        synonyms = intent.synonyms if intent.planned else await asyncio.to_thread(self._suggested, intent)
        known = {item.keyword: item.synonyms for item in synonyms}
        groups = [[concept, *known.get(concept, [])] for concept in intent.concepts]
        words = content_words(intent.topic)[: limits.QUERY_KEYWORDS]
        # Words of a topic are wanted, but none is required; a name of the topic's is as good as its words.
        topic = any_of(
            [*words, *(word for concept, names in known.items() if concept not in intent.concepts for word in names)]
        )
        main = all_of(groups) or topic or any_of([intent.topic])
        queries = [
            SearchQuery(keywords=[intent.topic], synonym_map=synonyms, boolean_query=main, by_concepts=bool(groups))
        ]
        if learned:
            about = groups[:1] or ([words] if words else [])
            phrases = [*(group[0] for group in groups[:2]), *([] if groups else [intent.topic]), *learned]
            boolean = all_of([*about, learned])
            queries.append(SearchQuery(keywords=phrases, boolean_query=boolean, by_concepts=bool(groups)))
        if attempt and len(groups) > 1:
            # Each further attempt combines fewer concepts, down to the first, which is the topic. The first attempt has
            # none: a part of a question that the library does not answer is no answer.
            broad = groups[: max(1, len(groups) - attempt)]
            phrases = [group[0] for group in broad]
            queries.append(SearchQuery(keywords=phrases, boolean_query=all_of(broad), by_concepts=True))
        unique = {query.boolean_query: query for query in reversed(queries)}
        chosen = sorted(unique.values(), key=queries.index)[:MAX_QUERIES]
        return SearchStrategy(queries=chosen, sources=self.sources, filters=intent.constraints)

    def _suggested(self, intent: ParsedIntent) -> list[SynonymMap]:
        """Other names that the library has for what was quoted, and for a topic that is short enough to be a name."""
        named = [*intent.concepts, *([intent.topic] if 0 < len(content_words(intent.topic)) <= TOPIC_WORDS else [])]
        found = {concept: self.thesaurus.synonyms(concept) for concept in dict.fromkeys(named)}
        return [SynonymMap(keyword=concept, synonyms=names) for concept, names in found.items() if names]
