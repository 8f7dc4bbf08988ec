"""The judge: whether a library answers a question, and the mark that documents which bear on it must reach.

With a sentence model, its nearest documents and the best one by words are the evidence; without one, the best ten by
words and their word vectors. `python -m bench.quality.calibration` measures it.
"""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Protocol

from msgspec import Struct

from papercore.retrieval.basics import analysis
from papercore.retrieval.basics.query import AllOf, Node, Words
from papercore.retrieval.basics.request import Verdict
from papercore.retrieval.engines.clauses import Clause, HasTerm
from papercore.retrieval.engines.fields import ALL
from papercore.retrieval.engines.generation import Generation
from papercore.retrieval.engines.interface import WordEngine, WordQuery
from papercore.retrieval.engines.word_clauses import FLOOR_LEVELS, cjk_run
from papercore.retrieval.ranking.evidence import ENOUGH, TOO_LITTLE, Evidence, enough_weight, verdict_at
from papercore.retrieval.vectors.arrays import Matrix, Rows, Vector
from papercore.retrieval.vectors.meaning import Meaning
from papercore.text import FOREIGN_FUNCTION_WORDS, REQUEST_WORDS, rarity

# The documents, best by words, that are looked at.
LOOKED_AT = 10
# A document reaches the mark by words with this share of what the best one has of the question.
MARK_SHARE = 0.6
# The cosine from which a document answers a question of whose words the library has none.
NEAR_WITHOUT_WORDS = 0.54
# Words of which one document has this share are some evidence, whatever else speaks against an answer.
HELD_TOGETHER = 0.8
# All of a question, but for rounding.
ALL_OF_IT = 0.999
_SAYING_NOTHING = FOREIGN_FUNCTION_WORDS | REQUEST_WORDS
# "Dijkstra," and then "E." or "E.W."
_SURNAME = re.compile(r"[^\W\d_][\w'’-]+,")
_INITIALS = re.compile(r"(?:[^\W\d_]\.)+[,;]?")


class Judgement(Struct, frozen=True):
    """What the judge says of a question."""

    # How likely it is that the library answers it.
    confidence: float
    # What a document must match to reach the mark by words; None: none does.
    mark: Node | None
    # How much of the question the best document by words has: so much words say about it.
    word_share: float = 1.0
    # Whether the evidence allows an answer, or one document has all of the words.
    is_plausible: bool = True

    @property
    def verdict(self) -> Verdict:
        return verdict_at(self.confidence)


class ModelEvidence(Protocol):
    """What a sentence model says about a question."""

    @property
    def relatedness(self) -> Vector:
        """How related the nearest documents are, best first, from 0 to 1."""

    @property
    def knows_nearest(self) -> bool:
        """Whether none that it has not read may be nearer."""


class JudgedCandidates(Struct, frozen=True):
    """What a question is judged by: its vector, the best documents by words and their vectors, a model's view."""

    vector: Vector
    best: Rows
    best_vectors: Matrix
    model: ModelEvidence | None = None


def judge(generation: Generation, meaning: Meaning, node: Node | None, found: JudgedCandidates) -> Judgement:
    """Judge a question."""
    question = question_of(generation, node)
    if question is None:
        return Judgement(1.0, node)
    matched = question.matched(generation.words, found.best)
    evidence = question.evidence(matched, found.best_vectors @ found.vector)
    most = float(matched.max(initial=0.0))
    confidence = 0.0
    if found.model:
        confidence = evidence.with_model(found.model.relatedness, question.documents)
    if found.model is None or not found.model.knows_nearest:
        # The answer may be in a document that the model has not been asked about.
        confidence = max(confidence, _by_words(question, evidence, meaning, found))
    if evidence.best_share >= HELD_TOGETHER:
        confidence = max(confidence, TOO_LITTLE)
    if most > question.weight * ALL_OF_IT:
        # Whoever types words that a document has, all of them, has found it.
        mark = _with_words(node, *(Words((part.word,)) for part in question.parts))
        return Judgement(max(confidence, ENOUGH), mark)
    if confidence < ENOUGH and (names := question.names()):
        # A name is found as it is typed, also beside others that the library does not have.
        return Judgement(ENOUGH, _with_words(node, Words(names)), is_plausible=confidence >= TOO_LITTLE)
    if not most:
        return Judgement(confidence, None, 0.0, confidence >= TOO_LITTLE)
    words = tuple(part.word for part in question.parts)
    levels = question.levels(MARK_SHARE * min(most, enough_weight(question.documents)))
    mark = _with_words(node, Words(words, levels))
    return Judgement(confidence, mark, evidence.best_share, confidence >= TOO_LITTLE)


def _by_words(question: "JudgedQuestion", evidence: "Evidence", meaning: Meaning, found: JudgedCandidates) -> float:
    """How likely the library answers the question, by words and word vectors."""
    if len(found.best):
        return evidence.confidence
    # A document may say in other words what is asked. All texts in Chinese or Japanese are near each other.
    readable = not any(analysis.CJK_RUN.match(part.term) for part in question.parts)
    near = meaning.vectors.nearest(found.vector, 1).scores.max(initial=0.0) >= NEAR_WITHOUT_WORDS
    return ENOUGH if readable and near else 0.0


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


def question_of(generation: Generation, node: Node | None) -> "JudgedQuestion | None":
    """The question in a parsed query; None if it has no words that say anything."""
    words, documents = _bag(node).words, generation.manifest.documents
    text = analysis.CJK_RUN.sub(" ", " ".join(words))
    found = [(word, term) for word in analysis.words(text) for term in analysis.text_terms(word)]
    # Single letters and words that say nothing are left out if there are others.
    telling = [
        (word, term) for word, term in found if len(term) > 1 and analysis.value_key(word) not in _SAYING_NOTHING
    ]
    # Of the words with the same term, the first.
    by_term = {term: word for word, term in reversed(telling or found)}
    names, counts = terms_of_names(words), generation.words.frequencies(list(by_term))
    parts = [
        QuestionPart(word, term, HasTerm(ALL, term), count, rarity(count, documents), term in names)
        for (term, word), count in zip(by_term.items(), counts, strict=True)
    ]
    for run in dict.fromkeys(analysis.CJK_RUN.findall(" ".join(words))):
        count = generation.words.count(WordQuery(Words((run,))))
        parts.append(QuestionPart(run, run, cjk_run(run), count, rarity(count, documents)))
    return JudgedQuestion(tuple(parts), documents) if parts else None


def terms_of_names(words: Sequence[str]) -> frozenset[str]:
    """The terms of the names in a question: persons as bibliographies write them, acronyms, words with digits."""
    persons = {
        word
        for word, after in pairwise(words)
        if word[:1].isupper() and _SURNAME.fullmatch(word) and _INITIALS.fullmatch(after)
    }
    shouted = all(word.isupper() for word in words if any(map(str.isalpha, word)))
    terms: set[str] = set()
    for word in words:
        for part in analysis.words(word):
            # EL1 or word2vec, but no number: 1985 is not the name of anything.
            has_digit = any(map(str.isdigit, part)) and any(map(str.isalpha, part))
            is_acronym = not shouted and len(part) > 1 and part.isupper()
            if word in persons or has_digit or is_acronym:
                terms.update(analysis.text_terms(part))
    return frozenset(terms)


class QuestionPart(Struct, frozen=True):
    """A word of the question, or a run of Chinese, Japanese or Korean: how to find it, and how much it counts."""

    word: str
    term: str
    clause: Clause
    frequency: int
    weight: float
    is_name: bool = False


class JudgedQuestion(Struct, frozen=True):
    """The words of a question that say what it is about, as one library knows them."""

    parts: tuple[QuestionPart, ...]
    documents: int

    @property
    def weight(self) -> float:
        return sum(part.weight for part in self.parts)

    def matched(self, words: WordEngine, rows: Rows) -> Vector:
        """For each of the rows, the weight of the parts that its document has."""
        return words.weighed([(part.clause, part.weight) for part in self.parts], rows)

    def evidence(self, matched: Vector, cosines: Vector) -> "Evidence":
        """Given what the best documents by words have of the question, and how near they are."""
        shares = matched / min(self.weight, enough_weight(self.documents))
        frequencies = [part.frequency for part in self.parts]
        return Evidence.of(frequencies, self.documents, shares, float(cosines.max(initial=0.0)))

    def names(self) -> tuple[str, ...]:
        """The names that the library has, if the question asks for little else."""
        names = [part for part in self.parts if part.is_name]
        known = tuple(part.word for part in names if part.frequency)
        return known if 2 * len(names) > len(self.parts) else ()

    def levels(self, least: float) -> tuple[tuple[str, int], ...]:
        """For each part, how much it counts towards the least weight that a document must have, in whole steps.

        None where any part is enough.
        """
        step = least / FLOOR_LEVELS
        levels = tuple((part.term, min(FLOOR_LEVELS, round(part.weight / step))) for part in self.parts)
        return levels if any(level < FLOOR_LEVELS for _, level in levels) else ()
