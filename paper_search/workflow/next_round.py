"""What a review leaves for the next round: edits of the strategy. No I/O."""

from paper_search.models import SearchQuery, SearchStrategy
from paper_search.queries import all_of, excluded_terms, positive_terms
from paper_search.text import content_words
from paper_search.workflow.state import StrategyEdits, WorkflowState
from papercore import limits

# A keyword of more words is a text, not a name.
CONCEPT_WORDS = 3


def completed(revised: SearchStrategy, proposed: SearchStrategy | None) -> SearchStrategy:
    """The revised strategy with its fields in agreement, where one was edited and others follow from it."""
    if proposed is None:
        return revised
    same_keywords = {_key(query): query for query in proposed.queries}
    queries = []
    for number, query in enumerate(revised.queries):
        # The proposed query that was edited: the one with the same keywords, else the one in the same place.
        in_place = proposed.queries[number] if number < len(proposed.queries) else query
        before = same_keywords.get(_key(query), in_place)
        changes: dict[str, object] = {}
        if query != before and query.boolean_query == before.boolean_query:
            changes = {"boolean_query": boolean_of(query) or query.boolean_query}
        elif query.boolean_query != before.boolean_query and query.keywords == before.keywords:
            # Written by hand: it is meant as it stands. Sources that search by keywords get its words.
            keywords = positive_terms(query.boolean_query)[: limits.QUERY_KEYWORDS] or query.keywords
            changes = {"strict": True, "keywords": keywords}
        queries.append(query.model_copy(update=changes))
    return revised.model_copy(update={"queries": queries})


def boolean_of(query: SearchQuery) -> str:
    """The boolean query of a query's keywords and synonyms: each keyword a concept; of a long one, any of its words."""
    known = {item.keyword: item.synonyms for item in query.synonym_map}
    groups = [
        [keyword] if len(keyword.split()) <= CONCEPT_WORDS else content_words(keyword) for keyword in query.keywords
    ]
    groups = [[*group, *known.pop(group[0], [])] for group in groups if group]
    groups += [[keyword, *synonyms] for keyword, synonyms in known.items()]
    return all_of(groups, excluded_terms(query.boolean_query))


def record_edits(state: WorkflowState, revised: SearchStrategy) -> None:
    """Note what differs from the strategy that was proposed; other keywords of the first query are another topic."""
    proposed = state.strategy
    if proposed is None:
        return
    edits = state.edits
    if revised.queries != proposed.queries:
        edits.queries = revised.queries
        kept = {_key(query) for query in revised.queries}
        edits.dropped += [key for query in proposed.queries if (key := _key(query)) not in kept]
        topic = _key(revised.queries[0])
        if state.intent and topic.strip() and revised.queries[0].keywords != proposed.queries[0].keywords:
            changes = {"topic": topic[: limits.KEYWORD_CHARS], "concepts": [], "synonyms": [], "planned": False}
            state.intent = state.intent.model_copy(update=changes)
    if revised.sources != proposed.sources:
        edits.sources = revised.sources
    before, after = proposed.filters, revised.filters
    edits.dropped += [word for word in before.more_like if word not in after.more_like]
    edits.dropped += [word for word in before.less_like if word not in after.less_like]


def with_edits(built: SearchStrategy, edits: StrategyEdits) -> SearchStrategy:
    """A newly built strategy with the reviewer's own queries first, their sources, and nothing they took out."""
    own = {_key(query) for query in edits.queries}
    new = [query for query in built.queries if _key(query) not in {*own, *edits.dropped}]
    queries = [*edits.queries, *new][: limits.STRATEGY_QUERIES] or built.queries
    return built.model_copy(update={"queries": queries, "sources": edits.sources or built.sources})


def _key(query: SearchQuery) -> str:
    return " ".join(query.keywords)
