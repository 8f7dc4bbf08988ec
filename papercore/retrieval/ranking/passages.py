"""Finds the passages that may answer a query: by their words, and by the rank of their documents."""

import numpy as np

from papercore import limits
from papercore.retrieval.basics.request import PassageCandidate, PassageRequest, Request
from papercore.retrieval.engines.generation import Generation
from papercore.retrieval.engines.interface import PassageQuery, ScoredPassages, WordQuery
from papercore.retrieval.ranking.conditions import with_conditions
from papercore.retrieval.ranking.head import allowed, conditions_of
from papercore.retrieval.ranking.plan import RankingPlan, plan_search
from papercore.retrieval.ranking.rank import Ranking
from papercore.retrieval.vectors.meaning import ScoredRows

# Chosen on one half of the claims that bench.quality.evidence reads; the quality is flat around them.
# Passages taken by their words from all documents, and from the best ones. Where there are conditions, which many
# documents may not meet, more.
BY_WORDS, BY_WORDS_WITH_CONDITIONS = 200, 400
# Documents whose rank helps their passages.
BEST_DOCUMENTS = 100
DOCUMENT_WEIGHT = 1.2
# By meaning, the first passages of each of the best documents: abstracts and summaries come first.
FIRST_PASSAGES = 12


def find_candidates(generation: Generation, request: PassageRequest) -> list[PassageCandidate]:
    """The best passages by words and by the rank of their document; or, by meaning, those of the best documents."""
    named = bool(request.documents)
    # No document is shown, and of those that are named none is ranked by meaning.
    asked = Request(
        request.query,
        limit=0,
        mode="words" if named else "hybrid",
        filters=request.filters,
        as_typed=named or request.as_typed,
    )
    asked, _ = with_conditions(generation, asked)
    plan = plan_search(generation, asked)
    if named:
        # The documents asked for, all of the same rank.
        rows = np.array(list(generation.words.rows_of(request.documents).values()), dtype=np.int64)
        rows = allowed(generation, WordQuery(None, request.filters), rows)
        best = ScoredRows(rows, np.ones(len(rows), dtype=np.float32))
    else:
        best = Ranking(generation, plan).best(BEST_DOCUMENTS)
    if request.by_meaning:
        rows_read = best.rows[: limits.PASSAGE_PAPERS].tolist()
        parts = generation.passages.ranked([PassageQuery("", FIRST_PASSAGES, frozenset([row])) for row in rows_read])
    else:
        parts = _with_words(generation, plan, best, everywhere=bool(plan.text) and not named)
    found = _each_once(parts)
    fit = best.as_shares().scores_of(found.documents)
    highest = float(found.scores.max(initial=0.0)) or 1.0
    order = np.argsort(-(found.scores / highest + DOCUMENT_WEIGHT * fit), kind="stable")[: request.limit]
    payloads = generation.passages.payloads(found.numbers[order].tolist())
    return [PassageCandidate(*pair) for pair in zip(payloads, fit[order].tolist(), strict=True)]


def _with_words(
    generation: Generation, plan: RankingPlan, best: ScoredRows, *, everywhere: bool
) -> list[ScoredPassages]:
    """The best passages by words of the best documents, and of all that meet the query's conditions."""
    queries = [PassageQuery(plan.text, BY_WORDS, frozenset(best.rows.tolist()))]
    conditions = conditions_of(plan.query)
    if everywhere:
        queries.append(PassageQuery(plan.text, BY_WORDS_WITH_CONDITIONS if conditions else BY_WORDS))
    of_best, *of_all = generation.passages.ranked(queries)
    if conditions:
        of_all = [found.only(allowed(generation, plan.query, np.unique(found.documents))) for found in of_all]
    return [of_best, *of_all]


def _each_once(parts: list[ScoredPassages]) -> ScoredPassages:
    """The passages of all parts, each once."""
    if not parts:
        nothing = np.zeros(0, dtype=np.int64)
        return ScoredPassages(nothing, nothing, np.zeros(0, dtype=np.float32))
    numbers, first = np.unique(np.concatenate([part.numbers for part in parts]), return_index=True)
    documents = np.concatenate([part.documents for part in parts])[first]
    return ScoredPassages(numbers, documents, np.concatenate([part.scores for part in parts])[first])
