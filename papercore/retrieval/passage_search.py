"""Finds the passages that may answer a query: by their words, and by the rank of their documents."""

import numpy as np

from papercore import limits
from papercore.retrieval.engine import PassageEngine, PassageQuery, Rows, ScoredPassages, ScoredRows, WordQuery
from papercore.retrieval.generation import Generation
from papercore.retrieval.ranking import Ranking, allowed, conditions_of
from papercore.retrieval.results import PassageCandidate, PassageRequest, Request
from papercore.retrieval.search_plan import plan_search
from papercore.retrieval.word_vectors import Vector

# Chosen on one half of the claims that bench.evidence reads; the quality is flat around them.
# Passages taken by their words from all documents, and from the best ones. Where there are conditions, which many
# documents may not meet, more.
BY_WORDS, BY_WORDS_WITH_CONDITIONS = 200, 400
# Documents whose rank helps their passages.
BEST_DOCUMENTS = 100
DOCUMENT_WEIGHT = 1.2
# By meaning, the first passages of each of the best documents: abstracts and summaries come first.
FIRST_PASSAGES = 12


def find_candidates(generation: Generation, engine: PassageEngine, request: PassageRequest) -> list[PassageCandidate]:
    """The best passages by words and by the rank of their document; or, by meaning, those of the best documents."""
    plan = plan_search(generation, Request(request.query, filters=request.filters))
    named = bool(request.documents)
    best = _named_documents(generation, request) if named else Ranking(generation, plan).best(BEST_DOCUMENTS)
    if request.by_meaning:
        found = _first_passages(engine, best.rows[: limits.PASSAGE_PAPERS].tolist())
    else:
        found = engine.ranked(PassageQuery(plan.text, frozenset(best.rows.tolist())), BY_WORDS)
        if plan.text and not named:
            found = _joined([found, _of_all_documents(generation, engine, plan.text, plan.query)])
    return _best_candidates(engine, found, best, request.limit)


def _named_documents(generation: Generation, request: PassageRequest) -> ScoredRows:
    """The documents asked for, all of the same rank."""
    rows = [row for name in request.documents if (row := generation.words.row_of(name)) is not None]
    kept = allowed(generation, WordQuery(None, request.filters), np.array(rows, dtype=np.int64))
    return ScoredRows(kept, np.ones(len(kept), dtype=np.float32))


def _of_all_documents(generation: Generation, engine: PassageEngine, words: str, query: WordQuery) -> ScoredPassages:
    """The best passages of the documents that meet the query's conditions, however they rank."""
    if not conditions_of(query):
        return engine.ranked(PassageQuery(words), BY_WORDS)
    found = engine.ranked(PassageQuery(words), BY_WORDS_WITH_CONDITIONS)
    return found.only(allowed(generation, query, np.unique(found.documents)))


def _first_passages(engine: PassageEngine, rows: list[int]) -> ScoredPassages:
    return _joined([engine.ranked(PassageQuery("", frozenset([row])), FIRST_PASSAGES) for row in rows])


def _joined(parts: list[ScoredPassages]) -> ScoredPassages:
    """The passages of all parts, each once."""
    if not parts:
        nothing = np.zeros(0, dtype=np.int64)
        return ScoredPassages(nothing, nothing, np.zeros(0, dtype=np.float32))
    numbers, first = np.unique(np.concatenate([part.numbers for part in parts]), return_index=True)
    documents = np.concatenate([part.documents for part in parts])[first]
    return ScoredPassages(numbers, documents, np.concatenate([part.scores for part in parts])[first])


def _best_candidates(
    engine: PassageEngine, found: ScoredPassages, best: ScoredRows, limit: int
) -> list[PassageCandidate]:
    fit = _fit(best, found.documents)
    highest = float(found.scores.max(initial=0.0)) or 1.0
    order = np.argsort(-(found.scores / highest + DOCUMENT_WEIGHT * fit), kind="stable")[:limit]
    payloads = engine.payloads(found.numbers[order].tolist())
    return [PassageCandidate(*pair) for pair in zip(payloads, fit[order].tolist(), strict=True)]


def _fit(best: ScoredRows, rows: Rows) -> Vector:
    """How well these documents fit, as a share of the best one's score; zero for those that are not among the best."""
    scores = dict(zip(best.rows.tolist(), best.scores.tolist(), strict=True))
    highest = max(scores.values(), default=0.0) or 1.0
    return np.array([scores.get(row, 0.0) / highest for row in rows.tolist()], dtype=np.float32)
