"""All hits of a search in order: a head ranked by words and meaning, then the other documents with one of the words."""

from dataclasses import dataclass

import numpy as np
import tantivy
from tantivy import Occur, Query

from papercore.retrieval import query, schema
from papercore.retrieval.generation import Generation, count_of, restricted
from papercore.retrieval.meaning import Meaning, Rows, nearest, unit
from papercore.retrieval.results import Sort
from papercore.retrieval.search_plan import SearchPlan
from papercore.retrieval.word_vectors import Vector

# How scores by words and by meaning are combined. The numbers come from cross-validation over three judged
# collections; the quality is flat around them.
# Candidates taken by words and by meaning.
BY_WORDS, BY_MEANING = 200, 100
# A document without any of the words must be this near, as a share of the nearest document's cosine.
NEAR_SHARE = 0.6
# Pseudo-relevance feedback: how many of the best documents the query is moved towards.
FEEDBACK_DOCUMENTS = 10
FEEDBACK_WEIGHT = 0.8
MEANING_WEIGHT = 0.45
# With a sentence model, which says more, the word vectors count less.
WORD_VECTOR_WEIGHT, SENTENCE_WEIGHT = 0.3, 0.6
# Hits when only meaning is asked for; further documents have nothing to do with the question.
NEAREST, NEAREST_SHARE = 1_000, 0.3
_ORDER = {
    "year": (schema.YEAR, tantivy.Order.Desc),
    "oldest": (schema.YEAR_OLDEST, tantivy.Order.Asc),
    "title": (schema.TITLE_KEY, tantivy.Order.Asc),
}


@dataclass(frozen=True)
class RankedDocument:
    """A hit: where the word index has its document, and why it is in its place."""

    address: tantivy.DocAddress
    score: float | None
    by_meaning: bool = False


@dataclass(frozen=True)
class Head:
    """The hits that were ranked by more than their words, best first, and the rows that have none of the words."""

    addresses: list[tantivy.DocAddress]
    rows: Rows
    scores: Vector
    wordless: frozenset[int]

    def page(self, offset: int, limit: int) -> list[RankedDocument]:
        part = slice(offset, offset + limit)
        return [
            RankedDocument(address, score, row in self.wordless)
            for address, row, score in zip(
                self.addresses[part], self.rows[part].tolist(), self.scores[part].tolist(), strict=True
            )
        ]


class Ranking:
    """The hits of one search, any page of which can be taken."""

    def __init__(self, generation: Generation, plan: SearchPlan) -> None:
        self.generation = generation
        self.plan = plan
        self.head: Head | None = None
        if generation.meaning is not None and plan.vector is not None:
            rank = _by_meaning if plan.mode == "meaning" else _hybrid
            self.head = rank(generation, generation.meaning, plan, plan.vector)
        self.only_head = plan.mode == "meaning"

    def all_hits(self) -> Query:
        """A query for all hits, to count them or to sort them otherwise."""
        if self.head is None:
            return self.plan.hits
        wordless = self.generation.matching.rows(self.head.wordless)
        if self.only_head:
            return wordless
        return Query.boolean_query([(Occur.Should, self.plan.hits), (Occur.Should, wordless)])

    def page(self, offset: int, limit: int) -> tuple[list[RankedDocument], int]:
        """A page of the hits by relevance, and the number of hits in all."""
        head = self.head
        if head is None:
            found, total = self.generation.ranked_and_counted(self.plan.words, limit, offset)
            return [RankedDocument(*pair) for pair in zip(found.addresses, found.scores.tolist(), strict=True)], total
        documents = head.page(offset, limit)
        if self.only_head:
            return documents, len(head.rows)
        if len(documents) < limit:
            documents += self._behind_head(head, max(0, offset - len(head.rows)), limit - len(documents))
        return documents, self.generation.count(self.plan.hits) + len(head.wordless)

    def _behind_head(self, head: Head, skipped: int, wanted: int) -> list[RankedDocument]:
        """The hits after the head. The best by words are all in it; some of the others may be, for their meaning."""
        found = self.generation.ranked(self.plan.words, skipped + wanted + BY_MEANING, offset=BY_WORDS)
        in_head = np.isin(self.generation.rows(found.addresses), head.rows)
        behind = [address for address, there in zip(found.addresses, in_head, strict=True) if not there]
        return [RankedDocument(address, 0.0) for address in behind[skipped : skipped + wanted]]

    def sorted_page(self, sort: Sort, offset: int, limit: int) -> tuple[list[RankedDocument], int]:
        """A page of the hits in another order, and the number of hits in all."""
        field, order = _ORDER[sort]
        found = self.generation.searcher.search(
            self.all_hits(), limit, offset=offset, order_by_field=field, order=order
        )
        return [RankedDocument(address, None) for _, address in found.hits], count_of(found)


def _by_meaning(generation: Generation, meaning: Meaning, plan: SearchPlan, vector: Vector) -> Head:
    cosines = meaning.scan(vector)
    rows = nearest(cosines, NEAREST, NEAREST_SHARE)
    scores = cosines[rows]
    sentence_cosines = _sentence_cosines(generation, plan, rows)
    if sentence_cosines is not None:
        scores = with_sentence_model(scores, sentence_cosines)
        order = np.lexsort((rows, -scores))
        rows, scores = rows[order], scores[order]
    allowed = np.isin(rows, _allowed(generation, plan, rows))
    rows, scores = rows[allowed], scores[allowed]
    return Head(generation.addresses_of(rows), rows, scores, frozenset(rows.tolist()))


def _hybrid(generation: Generation, meaning: Meaning, plan: SearchPlan, vector: Vector) -> Head:
    best = generation.ranked(plan.words, BY_WORDS)
    rows = generation.rows(best.addresses)
    feedback, feedback_rows = best, rows
    if plan.filters:  # feedback must not depend on them: a filter only ever removes hits
        feedback = generation.ranked(plan.unfiltered, BY_WORDS)
        feedback_rows = generation.rows(feedback.addresses)
    cosines = meaning.scan(with_feedback(meaning, vector, feedback_rows, feedback.scores))
    near = nearest(cosines, BY_MEANING, NEAR_SHARE)
    others = _allowed(generation, plan, np.setdiff1d(near, rows))
    wordless = np.setdiff1d(others, generation.within(plan.hits, others))
    candidates = np.concatenate([rows, others])
    # Those found by words come first among the candidates; the others have no score by words.
    scores = np.zeros(len(candidates), dtype=np.float32)
    scores[: len(rows)] = min_max(best.scores)
    sentence_cosines = _sentence_cosines(generation, plan, candidates)
    if sentence_cosines is None:
        scores += MEANING_WEIGHT * share_of_best(cosines[candidates])
    else:
        scores += with_sentence_model(cosines[candidates], sentence_cosines)
    order = np.lexsort((candidates, -scores))
    addresses = [*best.addresses, *generation.addresses_of(others)]
    return Head([addresses[i] for i in order], candidates[order], scores[order], frozenset(wordless.tolist()))


def _allowed(generation: Generation, plan: SearchPlan, rows: Rows) -> Rows:
    """Those of the rows that match the filters and whatever the query requires or excludes."""
    rest = query.required(plan.node)
    required = [*plan.filters, *([generation.matching.of(rest)] if rest else [])]
    return generation.within(restricted(Query.all_query(), required), rows) if required else rows


def _sentence_cosines(generation: Generation, plan: SearchPlan, rows: Rows) -> Vector | None:
    """How near the documents of these rows are by the sentence model; None without one."""
    if generation.model is None or generation.sentences is None:
        return None
    cosines = generation.sentences[rows].astype(np.float32) @ generation.model.vector(plan.text)
    return np.asarray(cosines, dtype=np.float32)


def min_max(scores: Vector) -> Vector:
    """Scores scaled to 0..1; all 1 where they are equal."""
    if not len(scores):
        return scores
    low, high = scores.min(), scores.max()
    return (scores - low) / (high - low) if high > low else np.ones_like(scores)


def with_feedback(meaning: Meaning, vector: Vector, rows: Rows, word_scores: Vector) -> Vector:
    """The query's vector, moved towards the documents on which words and meaning agree."""
    if not len(rows):
        return vector
    scores = min_max(word_scores) + FEEDBACK_WEIGHT * min_max(meaning.cosines(vector, rows))
    best = np.argsort(-scores, kind="stable")[:FEEDBACK_DOCUMENTS]
    return unit(vector + unit(scores[best] @ meaning.vectors_of(rows[best])))


def share_of_best(cosines: Vector) -> Vector:
    """Cosines as shares of the best one, from 0 to 1."""
    best = float(cosines.max(initial=0.0))
    return np.asarray(np.maximum(cosines, 0) / (best or 1.0), dtype=np.float32)


def with_sentence_model(word_cosines: Vector, sentence_cosines: Vector) -> Vector:
    """Similarity by the word vectors and by a sentence model together."""
    return WORD_VECTOR_WEIGHT * share_of_best(word_cosines) + SENTENCE_WEIGHT * share_of_best(sentence_cosines)
