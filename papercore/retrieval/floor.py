"""The floor: whether a library answers a question at all, and what a document must have of it to be a result.

The evidence is the same for every library, so that a score means the same everywhere: how familiar the question's words
are there, how much of the question the best documents have, and how near they are in meaning. bench.calibration
measures it, and prints the weights.
"""

from dataclasses import dataclass, replace
from math import exp, log1p

import numpy as np

from papercore.retrieval import analysis
from papercore.retrieval.clauses import Clause, HasTerm, rarity
from papercore.retrieval.engine import Rows, WordEngine, WordQuery
from papercore.retrieval.generation import Generation
from papercore.retrieval.meaning import Meaning
from papercore.retrieval.query import AllOf, Node, Words
from papercore.retrieval.schema import ALL
from papercore.retrieval.word_query import FLOOR_LEVELS, cjk_run
from papercore.retrieval.word_vectors import Vector
from papercore.text import FOREIGN_FUNCTION_WORDS

# The documents, best by words, that are looked at; and how many of them are averaged.
LOOKED_AT, AVERAGED = 10, 5
# Of a long question, this many of the rarest words are as good as all of it.
ENOUGH_WORDS = 2.0
# A document with less than this share of what the best one has of the question is no result.
LEAST_SHARE = 0.2
# The cosine from which a document answers a question of whose words the library has none.
NEAR_WITHOUT_WORDS = 0.54
# All of a question, but for rounding.
ALL_OF_IT = 0.999


@dataclass(frozen=True)
class Evidence:
    """What speaks for a library's having an answer, each from 0 to 1."""

    # How common the question's words are in the library, on a scale of logarithms.
    familiarity: float
    # How much of the question the best document has, and the best five on average; rare words count more.
    best_share: float
    mean_share: float
    # The cosine of the nearest of these documents.
    nearness: float
    # The more documents, the more of a question is in one of them by chance.
    size: float

    @property
    def confidence(self) -> float:
        """How likely it is that the library answers the question; below one half it does not."""
        return 1 / (1 + exp(-sum(weight * value for weight, value in zip(WEIGHTS, self.values, strict=True)) - BIAS))

    @property
    def values(self) -> tuple[float, ...]:
        return (self.familiarity, self.best_share, self.mean_share, self.nearness, self.size)


# Chosen by bench.calibration: logistic regression over five libraries.
WEIGHTS = (10.1, 3.7, 5.9, 4.8, -5.3)
BIAS = -8.3
ENOUGH = 0.5
SIZE_SCALE = 12.0


@dataclass(frozen=True)
class Verdict:
    """How likely it is that the library answers a question, and what a result must match by words."""

    confidence: float
    node: Node | None
    # Whether documents that are near in meaning are results, too.
    by_meaning: bool

    @property
    def answered(self) -> bool:
        return self.by_meaning or self.node is not None


@dataclass(frozen=True)
class Part:
    """A word of the question, or a run of Chinese, Japanese or Korean: how to find it, and how much it counts."""

    word: str
    term: str
    clause: Clause
    frequency: int
    weight: float


@dataclass(frozen=True)
class Question:
    """The words of a question that say what it is about, as one library knows them."""

    parts: tuple[Part, ...]
    documents: int

    @property
    def weight(self) -> float:
        return sum(part.weight for part in self.parts)

    def matched(self, words: WordEngine, rows: Rows) -> Vector:
        """For each of the rows, the weight of the parts that its document has."""
        return words.weighed([(part.clause, part.weight) for part in self.parts], rows)

    def evidence(self, matched: Vector, cosines: Vector) -> Evidence:
        """Given what the best documents by words have of the question, and how near they are."""
        scale = log1p(2 * self.documents)
        shares = np.minimum(np.sort(matched)[::-1] / min(self.weight, ENOUGH_WORDS * scale), 1.0)
        known = [log1p(part.frequency) / log1p(self.documents) for part in self.parts]
        return Evidence(
            familiarity=sum(known) / len(known),
            best_share=float(shares[:1].sum()),
            mean_share=float(shares[:AVERAGED].mean()) if len(shares) else 0.0,
            nearness=float(cosines.max(initial=0.0)),
            size=scale / SIZE_SCALE,
        )

    def levels(self, least: float) -> tuple[tuple[str, int], ...]:
        """For each part, how much it counts towards the least weight that a document must have, in whole steps.

        None where any part is enough.
        """
        step = least / FLOOR_LEVELS
        levels = tuple((part.term, min(FLOOR_LEVELS, round(part.weight / step))) for part in self.parts)
        return levels if any(level < FLOOR_LEVELS for _, level in levels) else ()


def judge(generation: Generation, meaning: Meaning, node: Node | None, best: Rows, vector: Vector) -> Verdict:
    """Judge a question with this vector by the best documents by words."""
    question = question_of(generation, node)
    if question is None:
        return Verdict(1.0, node, by_meaning=True)
    if not len(best):
        near = _is_near_without_words(question, meaning, vector)
        return Verdict(ENOUGH, node, by_meaning=True) if near else Verdict(0.0, None, by_meaning=False)
    matched = question.matched(generation.words, best)
    confidence = question.evidence(matched, meaning.vectors.of(best) @ vector).confidence
    most = float(matched.max(initial=0.0))
    if confidence >= ENOUGH:
        levels = question.levels(LEAST_SHARE * most) if most else ()
        return Verdict(confidence, _with_words(node, replace(_bag(node), levels=levels)), by_meaning=True)
    if most > question.weight * ALL_OF_IT:
        # Whoever types words that a document has, all of them, has found it.
        return Verdict(ENOUGH, _with_words(node, *(Words((part.word,)) for part in question.parts)), by_meaning=False)
    return Verdict(confidence, None, by_meaning=False)


def _is_near_without_words(question: Question, meaning: Meaning, vector: Vector) -> bool:
    """Whether a document says in other words what is asked. All texts in Chinese or Japanese are near each other."""
    if any(analysis.CJK_RUN.match(part.term) for part in question.parts):
        return False
    return bool(meaning.vectors.nearest(vector, 1).scores.max(initial=0.0) >= NEAR_WITHOUT_WORDS)


def question_of(generation: Generation, node: Node | None) -> Question | None:
    """The question in a parsed query; None if it has no words that say anything."""
    text = " ".join(_bag(node).words)
    terms = {term: word for word, term in reversed(_telling_terms(analysis.CJK_RUN.sub(" ", text)))}
    runs = list(dict.fromkeys(analysis.CJK_RUN.findall(text)))
    documents = generation.manifest.documents
    counts = generation.words.frequencies(list(terms))
    parts = [
        Part(word, term, HasTerm(ALL, term), count, rarity(count, documents))
        for (term, word), count in zip(terms.items(), counts, strict=True)
    ]
    for run in runs:
        count = generation.words.count(WordQuery(Words((run,))))
        parts.append(Part(run, run, cjk_run(run), count, rarity(count, documents)))
    return Question(tuple(parts), documents) if parts else None


def _bag(node: Node | None) -> Words:
    match node:
        case Words():
            return node
        case AllOf(parts):
            return next((part for part in parts if isinstance(part, Words)), Words(()))
    return Words(())


def _with_words(node: Node | None, *words: Words) -> Node:
    """The query with these in place of its plain words."""
    others = [part for part in node.parts if not isinstance(part, Words)] if isinstance(node, AllOf) else []
    parts: tuple[Node, ...] = (*others, *words)
    return AllOf(parts) if len(parts) > 1 else parts[0]


def _telling_terms(text: str) -> list[tuple[str, str]]:
    """Its words with their terms, without single letters and function words of other languages if there are others."""
    found = [(word, term) for word in analysis.words(text) for term in analysis.text_terms(word)]
    telling = [
        (word, term) for word, term in found if len(term) > 1 and analysis.value_key(word) not in FOREIGN_FUNCTION_WORDS
    ]
    return telling or found
