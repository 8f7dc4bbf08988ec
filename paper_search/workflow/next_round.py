"""Keeps what a reviewer changed in a strategy: the next round starts from it. No I/O."""

from paper_search.models import ParsedIntent, SearchQuery, SearchStrategy
from paper_search.queries import also, boolean_of, positive_terms
from paper_search.skills.question.concepts import concepts
from paper_search.workflow.state import StrategyEdits, WorkflowState
from papercore import limits


def completed(revised: SearchStrategy, proposed: SearchStrategy | None) -> SearchStrategy:
    """The revised strategy with its fields in agreement, where one was edited and others follow from it."""
    known = {_key(query): query for query in proposed.queries} if proposed else {}
    queries = [
        _completed_query(query, _counterpart(query, number, proposed, known))
        for number, query in enumerate(revised.queries)
    ]
    return revised.model_copy(update={"queries": queries})


def record_edits(state: WorkflowState, revised: SearchStrategy) -> None:
    """Note what differs from the strategy that was proposed."""
    proposed = state.strategy
    if proposed is None:
        return
    edits = state.edits
    if revised.queries != proposed.queries:
        edits.queries = revised.queries
        kept = {_key(query) for query in revised.queries}
        edits.dropped += [key for query in proposed.queries if (key := _key(query)) not in kept]
        if revised.queries[0].keywords != proposed.queries[0].keywords:
            state.intent = _about(state.intent, " ".join(revised.queries[0].keywords))
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


def narrow_edits(edits: StrategyEdits, concepts: list[str]) -> None:
    """Take what a later note asks for into the reviewer's first query; one written by hand only ranks by it."""
    if not edits.queries or not concepts:
        return
    first, *others = edits.queries
    narrowed = first.model_copy(
        update={
            "keywords": [*first.keywords, *concepts][: limits.QUERY_KEYWORDS],
            "boolean_query": first.boolean_query if first.strict else also(first.boolean_query, concepts),
        }
    )
    edits.queries = [narrowed, *others]


def _key(query: SearchQuery) -> str:
    return " ".join(query.keywords)


def _counterpart(
    query: SearchQuery, number: int, proposed: SearchStrategy | None, known: dict[str, SearchQuery]
) -> SearchQuery | None:
    """The proposed query that was edited: the one with the same keywords, else the one in the same place."""
    if proposed is None:
        return None
    return known.get(_key(query)) or (proposed.queries[number] if number < len(proposed.queries) else None)


def _completed_query(query: SearchQuery, before: SearchQuery | None) -> SearchQuery:
    if before is None or query == before:
        return query
    if query.boolean_query == before.boolean_query:
        return query.model_copy(update={"boolean_query": boolean_of(query) or query.boolean_query})
    if query.keywords == before.keywords:
        # Written by hand: it is meant as it stands. Sources that search by keywords get its words.
        keywords = positive_terms(query.boolean_query)[: limits.QUERY_KEYWORDS] or query.keywords
        return query.model_copy(update={"strict": True, "keywords": keywords})
    return query


def _about(intent: ParsedIntent | None, text: str) -> ParsedIntent | None:
    """The intent with another topic."""
    if intent is None or not text.strip():
        return intent
    return intent.model_copy(update={"topic": text[: limits.KEYWORD_CHARS], "concepts": concepts(text)})
