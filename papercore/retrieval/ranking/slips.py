"""Mends slips in a query: a word that the library does not have becomes one that it has and that is spelled alike."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from math import log

from msgspec import Struct
from msgspec.structs import replace
from rapidfuzz.distance import OSA

from papercore.retrieval.basics import analysis, query
from papercore.retrieval.basics.query import AllOf, AnyOf, Field, Phrase, Words
from papercore.retrieval.engines import fields
from papercore.retrieval.engines.clauses import AllMatch, AnyMatch, HasTerm
from papercore.retrieval.engines.generation import Generation
from papercore.retrieval.engines.interface import WordQuery
from papercore.retrieval.ranking.conditions import YEARS
from papercore.retrieval.ranking.known_items import AUTHOR

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
# letter, two of them, and that one of them is the first, or a word one that stands beside any.
UNFINISHED, BLANK, LETTERS, UNUSUAL = log(2), log(20), {1: log(100), 2: log(10_000)}, log(10)
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
_LETTERS_OR_DIGITS = re.compile(r"\d+|[^\W\d_]+")


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

    def overlaps(self, other: "Respelling") -> bool:
        return self.start < other.end and other.start < self.end

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
        without_years = YEARS.sub(lambda match: " " * len(match[0]), text)
        found = [(match.span(), analysis.name_terms(match[0])) for match in _WORD.finditer(without_years)]
        tokens = [(*span, terms[0]) for span, terms in found if len(terms) == 1 and terms[0] in plain]
        counts = self._counts([word for _, _, word in tokens])
        self.tokens = [Token(*token, count) for token, count in zip(tokens, counts, strict=True)]

    def readings(self) -> Iterator[Respelling]:
        """The likeliest reading of each word with a slip, in order; none overlaps another."""
        end = 0
        telling = [token for token in self.tokens if not analysis.is_stop_word(token.word)]
        as_typed = WordQuery(AllOf(tuple(Words((token.word,)) for token in telling)))
        if len(self.tokens) > MOST_WORDS or (all(token.documents for token in telling) and self.words.count(as_typed)):
            return
        likely = {token: found for place, token in enumerate(self.tokens) if (found := self._likely(place))}
        for found in list(likely.values())[:MOST_SLIPS]:
            apart = (reading for reading in found if reading.start >= end)
            if best := next((reading for reading in apart if self._fits(reading, likely)), None):
                yield replace(best, text=self._as_written(best))
                end = best.end

    def _likely(self, place: int) -> list[Respelling]:
        """The likeliest readings of a word that may be a slip, the best first."""
        token = self.tokens[place]
        if names := list(self._with_digits(place)):
            return names
        if not self._may_be_slip(token):
            return []
        alike = self._spelled_like(token)
        if token.word in alike:
            return []
        found = [*self._respelled(token, alike), *self._with_blank(token), *self._without_blank(place)]
        found = [reading for reading in found if reading.documents >= max(1, MISPRINT_RATIO * token.documents)]
        return sorted(found, key=lambda reading: -reading.likelihood)[:TRIED]

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

    def _as_written(self, reading: Respelling) -> str:
        """With the accents that titles and names have, and the capitals that were typed."""
        words = reading.text.split() if reading.slips else []
        for number, word in enumerate(words):
            spelled = self._as_titles_spell(word) if len(words) > 1 and word.isalpha() else word
            named = AnyOf((Field(fields.TITLE, Words((spelled,))), Field(AUTHOR, Words((spelled,)))))
            rows = [] if self._is_sound(spelled) else self.words.ranked(WordQuery(named), 1).rows.tolist()
            for document in self.words.stored(rows):
                written = _WORD.findall(" ".join((document.title, *document.values)))
                accented = (other.lower() for other in written if not other.isascii())
                spelled = next((other for other in accented if analysis.name_terms(other) == [word]), spelled)
            words[number] = spelled
        text, typed = " ".join(words) or reading.text, self.text[reading.start : reading.end]
        if typed.isupper():
            return text.upper()
        return text[:1].upper() + text[1:] if typed[:1].isupper() else text

    def _as_titles_spell(self, word: str) -> str:
        """The word, or, where titles do not have it so, the commonest that differs by its ending."""
        [alike] = self.words.spelled_like([word], max(LETTERS))
        same = [other for other in alike if analysis.term(other) == analysis.term(word)]
        return word if word in alike or not same else max(same, key=alike.__getitem__)

    def _may_be_slip(self, token: Token) -> bool:
        """Whether the library lacks the word, or has it so seldom that it may be a misprint."""
        if len(token.word) < LEAST_CHARS or not (token.word.isascii() and token.word.isalpha()):
            return False
        if not self.text[token.start + 1 : token.end].islower() and not self.is_shouted:
            return False  # a name
        among = sum(token.word.isalpha() for token in self.tokens)
        if token.documents and (among > MISPRINT_AMONG or self._is_sound(token.word)):
            return False
        return not analysis.is_stop_word(token.word) and token.documents * MISPRINT_RATIO <= self.documents

    def _is_sound(self, word: str) -> bool:
        """Whether it is a common word of English."""
        return self.meaning is not None and self.meaning.word_vectors.vectors.knows(word)

    def _fits(self, reading: Respelling, likely: Mapping[Token, Sequence[Respelling]]) -> bool:
        """Whether a document has it together with half of the query's other words; alone, it has one slip at most.

        Another word with a slip counts as any of its likely readings. A word that may be meant as it is gives way only
        to one that a document has with all of several others.
        """
        if not reading.slips:
            return True
        others: dict[str, list[str]] = {}
        for token in self.tokens:
            if (token.end <= reading.start or token.start >= reading.end) and not analysis.is_stop_word(token.word):
                read = [other.text for other in likely.get(token, ()) if not other.overlaps(reading)]
                others[token.word] = [token.word, *read] if token.documents or not read else read
        known = {token.word for token in self.tokens if token.documents}
        is_long = reading.slips < BLANK or len(reading.text) > LEAST_CHARS
        if known.isdisjoint(others) and is_long and reading.slips <= LETTERS[1] and not reading.is_doubtful:
            return True
        if len(others) < (AGREEING if reading.is_doubtful else 1):
            return False
        both = WordQuery(AllOf((Phrase(reading.text), Words(tuple(chain(*others.values()))))))
        parts = []
        for texts in others.values():
            terms = [tuple(HasTerm(fields.ALL, term) for term in analysis.text_terms(text)) for text in texts]
            parts.append((AnyMatch(tuple(AllMatch(found) for found in terms if found)), 1.0))
        shared = self.words.weighed(parts, self.words.ranked(both, LOOKED_AT).rows)
        return bool(shared.max(initial=0.0) >= (len(parts) if reading.is_doubtful else len(parts) / 2))

    def _respelled(self, token: Token, alike: dict[str, int]) -> Iterator[Respelling]:
        """Words with other letters, or that the word is the beginning of."""
        is_sound = self._is_sound(token.word)
        commonest = sorted(alike, key=lambda word: (-alike[word], word))[:COMPARED]
        for word, documents in zip(commonest, self._counts(commonest), strict=True):
            letters = OSA.distance(token.word, word)
            if analysis.is_stop_word(word):
                continue
            is_doubtful = False
            if word.startswith(token.word) and token.end == len(self.text):
                slips = UNFINISHED
            elif letters in LETTERS and (letters == 1 or len(token.word) >= TWO_LETTERS_FROM):
                slips = LETTERS[letters] + (UNUSUAL if word[0] != token.word[0] else 0.0)
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
            documents = self.words.count(WordQuery(Phrase(text)))
            if any(map(analysis.is_stop_word, pair)):
                # How many documents have the other word says nothing of the two.
                yield Respelling(token.start, token.end, text, min(documents, 1), slips + UNUSUAL)
            else:
                yield Respelling(token.start, token.end, text, documents, slips)

    def _with_digits(self, place: int) -> Iterator[Respelling]:
        """A name with digits that documents have with a blank or hyphen more or less: GPT3, BM 25."""
        token = self.tokens[place]
        if token.documents:
            return
        parts = _LETTERS_OR_DIGITS.findall(self.text[token.start : token.end])
        if len(parts) > 1 and not any(map(analysis.is_stop_word, parts)):
            documents = self.words.count(WordQuery(Phrase(" ".join(parts))))
            yield from [Respelling(token.start, token.end, " ".join(parts), documents, 0.0)] if documents else []
        for first, second in self._pairs(place):
            joined = self.text[first.start : first.end] + self.text[second.start : second.end]
            if not joined.isalpha() and not joined.isdigit() and (documents := self._counts([joined])[0]):
                yield Respelling(first.start, second.end, joined, documents, 0.0)

    def _pairs(self, place: int) -> list[tuple[Token, Token]]:
        """The word and the one before it, and the one after it."""
        return list(zip(self.tokens[max(place - 1, 0) :][:2], self.tokens[max(place, 1) :][:2], strict=False))

    def _without_blank(self, place: int) -> Iterator[Respelling]:
        """The word joined with the one before or after it, or with a blank elsewhere between the two."""
        pairs = [(first, second) for first, second in self._pairs(place) if (first.word + second.word).isalpha()]
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
