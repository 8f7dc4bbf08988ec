"""All hits of a search in order: a head ranked by words and meaning, then the other documents with one of the words."""

import numpy as np
from msgspec.structs import replace

from papercore.retrieval.basics.query import AllOf, Words
from papercore.retrieval.basics.request import Sort, Verdict
from papercore.retrieval.engines.generation import Generation
from papercore.retrieval.engines.interface import HitSet, WordQuery
from papercore.retrieval.ranking.head import BY_MEANING, Candidates, Head, RankedDocument, allowed
from papercore.retrieval.ranking.plan import RankingPlan
from papercore.retrieval.vectors.meaning import NO_ROWS, ScoredRows, among

# Words of a title that nobody types by chance.
TITLE_WORDS = 4
# How many documents are offered apart where nothing answers the question.
NEAREST = 3


class Ranking:
    """The hits of one search, any page of which can be taken.

    Those that reach the judge's mark are counted, sorted and downloaded; by relevance all that share a word follow.
    """

    def __init__(self, generation: Generation, plan: RankingPlan) -> None:
        self.plan = plan
        self.words = generation.words
        self.query = plan.query
        self.only_head = plan.mode == "meaning"
        self.head: Head | None = None
        self.verdict: Verdict = "answered"
        # Whether the question may be meant as it was mended.
        self.is_plausible = True
        # What a document must match to reach the mark by words; None: nothing does.
        self.mark: WordQuery | None = plan.query
        # What is nearest where nothing answers.
        self.nearest: list[RankedDocument] = []
        if plan.judged and plan.query.exact_title is not None:
            self.mark = _mark_of_title(plan.query, plan.query.exact_title)
        if generation.meaning is None or plan.vector is None:
            return
        candidates = Candidates.of(generation, generation.meaning, plan, plan.vector)
        judgement = candidates.judgement()
        judgement = replace(judgement, confidence=max(judgement.confidence, plan.named.confidence))
        self.verdict = judgement.verdict
        self.is_plausible = judgement.is_plausible
        self.head = candidates.head(judgement)
        self.mark = None if judgement.mark is None or self.only_head else replace(plan.query, node=judgement.mark)
        if plan.named.rows:
            named = np.array(plan.named.rows, dtype=np.int64)
            named = named[among(named, allowed(generation, plan.query, named))]
            self.head = self.head.with_first(named, generation.words.within(plan.query, named), plan.named.behind)
        if self.verdict == "nothing":
            self.nearest = self.head.page(0, NEAREST)

    def page(self, offset: int, limit: int) -> list[RankedDocument]:
        """A page of the hits by relevance."""
        head = self.head
        if self.verdict == "nothing":
            return []
        if head is None:
            found = self.words.ranked(self.query, limit, offset)
            best = self.words.ranked(self.query, 1) if offset else found
            return Head(found.as_shares(best.scores.max(initial=0.0)), frozenset()).page(0, min(len(found.rows), limit))
        documents = head.page(offset, limit)
        if len(documents) < limit and not self.only_head:
            skipped, wanted = max(0, offset - len(head.found.rows)), limit - len(documents)
            # The best by words are all in the head; some of the others may be, for their meaning.
            others = self.words.ranked(self.query, skipped + wanted + BY_MEANING, offset=head.by_words).rows
            behind = others[~np.isin(others, head.found.rows)][skipped : skipped + wanted]
            documents += [RankedDocument(row, 0.0) for row in behind.tolist()]
        return documents

    def totals(self) -> tuple[int, int]:
        """How many documents reach the mark, and how many others have a word of the question."""
        if self.verdict == "nothing":
            return 0, 0
        total = self.words.count(self.mark) if self.mark else 0
        if self.head is None:
            return total, self.words.count(self.query) - total if self.mark != self.query else 0
        reached = self.head.reached
        total += len(reached) - (len(self.words.within(self.mark, reached)) if self.mark else 0)
        if self.only_head:
            return total, len(self.head.found.rows) - total
        return total, self.words.count(self.query) + len(self.head.wordless) - total

    def sorted_page(self, sort: Sort, offset: int, limit: int) -> list[RankedDocument]:
        """A page of the hits that reach the mark, in another order."""
        rows, _ = self.words.sorted(self.all_hits(), sort, offset, limit)
        return [RankedDocument(row, None) for row in rows.tolist()]

    def all_hits(self) -> HitSet:
        """All hits that reach the mark, to count them or to sort them otherwise."""
        if self.verdict == "nothing":
            return HitSet(None)
        return HitSet(self.mark, frozenset(self.head.reached.tolist()) if self.head else frozenset())

    def best(self, limit: int) -> ScoredRows:
        """The best hits, without counting all of them."""
        if self.verdict == "nothing":
            return NO_ROWS
        if self.head is None:
            return self.words.ranked(self.query, limit)
        return ScoredRows(self.head.found.rows[:limit], self.head.found.scores[:limit])


def _mark_of_title(query: WordQuery, title: str) -> WordQuery:
    """Whoever types a whole title means that document; a short one is also a topic, with all of its words."""
    words = title.split()
    if len(words) >= TITLE_WORDS:
        return replace(query, node=Words(()))
    return replace(query, node=AllOf(tuple(Words((word,)) for word in words)) if len(words) > 1 else query.node)
