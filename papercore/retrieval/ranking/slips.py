"""Mends slips in a query: a word that the library does not have becomes one that it has and that is spelled alike."""

import re
from collections.abc import Iterator
from math import log

from msgspec import Struct
from msgspec.structs import replace
from rapidfuzz.distance import OSA

from papercore.retrieval.basics import analysis, query
from papercore.retrieval.basics.query import AllOf, Phrase, Words
from papercore.retrieval.engines import fields
from papercore.retrieval.engines.clauses import HasTerm
from papercore.retrieval.engines.generation import Generation
from papercore.retrieval.engines.interface import WordQuery

# Shorter words are mostly acronyms, and have too many neighbours. The parts of a word that lacks a blank.
LEAST_CHARS, LEAST_PART = 4, 3
# A word of so many letters is respelled only where that makes the query a title.
SHORT = 3
# Words of a query that are mended: nobody makes more slips in one question. Longer texts stay as they are.
MOST_SLIPS, MOST_WORDS = 6, 12
# A word that no title or name has, beside one that is spelled alike and so many times as common, is a misprint.
# Among more words it is left alone: it may be meant.
MISPRINT_RATIO, MISPRINT_AMONG = 300, 4
# How many times less likely a slip makes a reading: a word that is not finished, a blank too many or too few, one wrong
# letter, two of them, and that one of them is the first.
UNFINISHED, BLANK, LETTERS, FIRST_LETTER = log(2), log(20), {1: log(100), 2: log(10_000)}, log(10)
# That two words which the library lacks both make sense at once outweighs any slip.
BOTH = -log(10_000)
# Two wrong letters make another word of a short one, and a letter in place of another of a shorter one.
TWO_LETTERS_FROM, ONE_LETTER_FROM = 8, 6
# The other words of the query that must agree where a word may be meant as it is.
AGREEING = 2
# In a library of so many documents, too few words are in titles: those of texts are looked at for words this long.
SMALL_LIBRARY, LEAST_IN_TEXTS = 2_000, 7
# The commonest of the words that are spelled alike, and of the ways to put a blank into a word, that are compared.
COMPARED, COMPARED_BLANKS = 12, 4
# The likeliest readings that are tried, and the documents in which the query's other words are looked for.
TRIED, LOOKED_AT = 3, 10
_WORD = re.compile(r"[^\W_]+")


class Token(Struct, frozen=True):
    """A word of the query: where it is, how names spell it, and how many documents have it."""

    start: int
    end: int
    word: str
    documents: int


class Respelling(Struct, frozen=True):
    """What may have been meant from one place of the query to another, how many documents have it, how likely it is."""

    start: int
    end: int
    text: str
    documents: int
    slips: float
    # Whether the word may well be meant as it is.
    is_doubtful: bool = False

    @property
    def likelihood(self) -> float:
        return log(max(self.documents, 1)) - self.slips


def corrected_query(generation: Generation, text: str) -> str:
    """The query as it was probably meant; empty if it has no slip, or nothing tells what was meant.

    Only plain words are read so: whoever writes a phrase, a field or an operator means what is written.
    """
    node = query.parse(text, (fields.TITLE, *generation.manifest.facets))
    if not query.is_plain(node) or generation.words.has_title(text):
        return ""
    parts = node.parts if isinstance(node, AllOf) else (node,)
    plain = " ".join(word for part in parts if isinstance(part, Words) for word in part.words)
    corrected, end = "", 0
    for reading in _Slips(generation, text, frozenset(analysis.name_terms(plain))).readings():
        corrected += text[end : reading.start] + reading.text
        end = reading.end
    corrected = corrected + text[end:] if end else ""
    return _as_title(generation, corrected or text) or corrected


def _as_title(generation: Generation, text: str) -> str:
    """The text with a short word that the library lacks respelled, where that makes it a title; empty if none does."""
    words = generation.words
    for match in _WORD.finditer(text):
        word = match[0].lower()
        if len(word) != SHORT or analysis.is_stop_word(word) or any(words.frequencies(analysis.text_terms(word))):
            continue
        for alike in words.spelled_like([word], 1)[0]:
            candidate = text[: match.start()] + alike + text[match.end() :]
            if words.has_title(candidate):
                return candidate
    return ""


class _Slips:
    """The words of one query, and what may have been meant by those that the library does not have."""

    def __init__(self, generation: Generation, text: str, plain: frozenset[str]) -> None:
        self.words = generation.words
        self.meaning = generation.meaning
        self.documents = generation.manifest.documents
        self.text = text
        self.is_shouted = query.is_shouted(text.split())
        found = [(match.span(), analysis.name_terms(match[0])) for match in _WORD.finditer(text)]
        tokens = [(*span, terms[0]) for span, terms in found if len(terms) == 1 and terms[0] in plain]
        counts = self._counts([word for _, _, word in tokens])
        self.tokens = [Token(*token, count) for token, count in zip(tokens, counts, strict=True)]

    def readings(self) -> Iterator[Respelling]:
        """The likeliest reading of each word with a slip, in order; none overlaps another."""
        end = slips = 0
        if len(self.tokens) > MOST_WORDS:
            return
        for place, token in enumerate(self.tokens):
            if token.start < end or slips == MOST_SLIPS or not self._may_be_slip(token):
                continue
            alike = self._spelled_like(token)
            if token.word in alike:
                continue
            found = [*self._respelled(token, alike), *self._with_blank(token), *self._without_blank(place)]
            likely = [
                reading
                for reading in found
                if reading.start >= end and reading.documents >= max(1, MISPRINT_RATIO * token.documents)
            ]
            likely.sort(key=lambda reading: -reading.likelihood)
            if best := next(filter(self._fits, likely[:TRIED]), None):
                text = " ".join(map(self._as_titles_spell, best.text.split())) if " " in best.text else best.text
                yield replace(best, text=text)
                end, slips = best.end, slips + 1

    def _spelled_like(self, token: Token) -> dict[str, int]:
        """Words of titles and names that are spelled like it; in a small library, without one, those of texts."""
        [alike] = self.words.spelled_like([token.word], max(LETTERS), unfinished=token.end == len(self.text))
        if alike or self.documents > SMALL_LIBRARY or len(token.word) < LEAST_IN_TEXTS:
            return alike
        [terms] = self.words.spelled_like([analysis.term(token.word)], min(LETTERS), in_texts=True)
        return {word: terms[term] for term in terms for word in self._in_texts(term, token.word[0])}

    def _in_texts(self, term: str, first: str) -> set[str]:
        """How the best documents with a term write it in their texts."""
        rows = self.words.ranked(WordQuery(Words((term,))), TRIED).rows.tolist()
        texts = " ".join(f"{document.text} {document.body}" for document in self.words.stored(rows)).lower()
        return {word for word in re.findall(rf"\b{first}\w+", texts) if analysis.term(word) == term}

    def _as_titles_spell(self, word: str) -> str:
        """The word, or, where titles do not have it so, the commonest that differs by its ending."""
        [alike] = self.words.spelled_like([word], max(LETTERS))
        same = [other for other in alike if analysis.term(other) == analysis.term(word)]
        return word if word in alike or not same else max(same, key=alike.__getitem__)

    def _may_be_slip(self, token: Token) -> bool:
        """Whether the library lacks the word, or has it so seldom that it may be a misprint."""
        if len(token.word) < LEAST_CHARS or not (token.word.isascii() and token.word.isalpha()):
            return False
        if self.text[token.start : token.end].isupper() and not self.is_shouted:
            return False  # a name
        among = sum(token.word.isalpha() for token in self.tokens)
        if token.documents and (among > MISPRINT_AMONG or self._is_sound(token.word)):
            return False
        return not analysis.is_stop_word(token.word) and token.documents * MISPRINT_RATIO <= self.documents

    def _is_sound(self, word: str) -> bool:
        """Whether it is a common word of English."""
        return self.meaning is not None and self.meaning.word_vectors.vectors.knows(word)

    def _fits(self, reading: Respelling) -> bool:
        """Whether a document has it together with half of the query's other words; alone, it has one slip at most.

        A word that may be meant as it is gives way only to one that a document has with all of several others.
        """
        apart = [token for token in self.tokens if token.end <= reading.start or token.start >= reading.end]
        others = [token.word for token in apart if not analysis.is_stop_word(token.word)]
        if not any(token.documents for token in apart if not analysis.is_stop_word(token.word)):
            return (
                not reading.is_doubtful
                and reading.slips <= LETTERS[1]
                and (reading.slips < BLANK or len(reading.text) > LEAST_CHARS)
            )
        both = WordQuery(AllOf((Phrase(reading.text), Words(tuple(others)))))
        parts = [(HasTerm(fields.ALL, analysis.term(word)), 1.0) for word in dict.fromkeys(others)]
        shared = self.words.weighed(parts, self.words.ranked(both, LOOKED_AT).rows)
        if reading.is_doubtful and len(parts) < AGREEING:
            return False
        return bool(shared.max(initial=0.0) >= (len(parts) if reading.is_doubtful else len(parts) / 2))

    def _respelled(self, token: Token, alike: dict[str, int]) -> Iterator[Respelling]:
        """Words with other letters, or that the word is the beginning of."""
        is_sound = self._is_sound(token.word)
        commonest = sorted(alike, key=lambda word: (-alike[word], word))[:COMPARED]
        for word, documents in zip(commonest, self._counts(commonest), strict=True):
            letters = OSA.distance(token.word, word)
            is_doubtful = False
            if word.startswith(token.word) and token.end == len(self.text):
                slips = UNFINISHED
            elif letters in LETTERS and (letters == 1 or len(token.word) >= TWO_LETTERS_FROM):
                slips = LETTERS[letters] + (FIRST_LETTER if word[0] != token.word[0] else 0.0)
                other_letter = len(word) == len(token.word) and sorted(word) != sorted(token.word)
                is_doubtful = is_sound or letters > 1 or (other_letter and len(word) < ONE_LETTER_FROM)
            else:
                continue
            yield Respelling(token.start, token.end, word, documents, slips, is_doubtful)

    def _with_blank(self, token: Token, slips: float = BLANK) -> Iterator[Respelling]:
        """Two words that stand beside each other in documents."""
        word = token.word
        if self._is_sound(word):
            return
        pairs = [(word[:at], word[at:]) for at in range(LEAST_PART, len(word) - LEAST_PART + 1)]
        counts = iter(self._counts([part for pair in pairs for part in pair]))
        known = {pair: min(next(counts), next(counts)) for pair in pairs}
        for pair in sorted((pair for pair in pairs if known[pair]), key=lambda pair: -known[pair])[:COMPARED_BLANKS]:
            text = " ".join(pair)
            yield Respelling(token.start, token.end, text, self.words.count(WordQuery(Phrase(text))), slips)

    def _without_blank(self, place: int) -> Iterator[Respelling]:
        """The word joined with the one before or after it, or with a blank elsewhere between the two."""
        neighbours = zip(self.tokens[max(place - 1, 0) :][:2], self.tokens[max(place, 1) :][:2], strict=False)
        pairs = [(first, second) for first, second in neighbours if (first.word + second.word).isalpha()]
        counts = self._counts([first.word + second.word for first, second in pairs])
        for (first, second), documents in zip(pairs, counts, strict=True):
            joined = Token(first.start, second.end, first.word + second.word, documents)
            yield Respelling(joined.start, joined.end, joined.word, documents, BLANK)
            if not first.documents and not second.documents:
                yield from self._with_blank(joined, BOTH)

    def _counts(self, words: list[str]) -> list[int]:
        """How many documents have each word; a stop word is in all of them."""
        counts = self.words.frequencies([analysis.term(word) for word in words])
        return [
            self.documents if analysis.is_stop_word(word) else count for word, count in zip(words, counts, strict=True)
        ]
