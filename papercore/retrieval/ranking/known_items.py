"""The papers that a few words name: by what they introduced, by authors and year, by a title spelled otherwise."""

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import combinations

from msgspec import Struct

from papercore.retrieval.basics import analysis
from papercore.retrieval.basics.analysis import is_stop_word, name_key
from papercore.retrieval.basics.coined import IN_TEXT, INITIALS
from papercore.retrieval.basics.query import AllOf, AnyOf, Field, Node, Phrase, Prefix, Words, Years
from papercore.retrieval.basics.request import NOTHING_UNDERSTOOD, Understood
from papercore.retrieval.engines import fields
from papercore.retrieval.engines.generation import Generation
from papercore.retrieval.engines.interface import HitSet, WordQuery
from papercore.retrieval.ranking.evidence import ENOUGH, TOO_LITTLE

# Longer questions name no paper.
MOST_WORDS = 9
# Papers that are named at most, and those looked at for them.
MOST_NAMED, LOOKED_AT = 3, 20
NAME_WORDS = 4
# Words that people put beside a name, and that are no part of it.
GENERIC = {
    *("paper", "papers", "article", "dataset", "datasets", "data", "corpus", "benchmark"),
    *("model", "models", "system", "toolkit", "tool", "library", "method", "et", "al"),
}
# Whoever coined a name is among the oldest of those that have it: this share, as years have no order inside.
OLDEST_SHARE, MOST_OLDEST = 0.1, 1000
# A name without capitals is rare; others are topics.
RARE_SHARE = 0.005
# The share of the documents with a word in which it is an author's.
AUTHOR_SHARE = 0.05
AUTHOR, AUTHOR_CHARS = "author", 3
# Fewer words are in too many titles that are spelled alike.
TITLE_WORDS = 3
# A word that more titles and names have is spelled as it was meant. Shorter words have too many neighbours.
COMMON_SPELLING, SPELLED_CHARS = 100, 5
_YEAR = re.compile(r"(?:19|20)\d\d")
_NUMBERED = re.compile(r"([^\W\d_]+) (\d+)")
_PLURAL = re.compile(r"(?<=[A-Z0-9]{2})s$")
_CAPITALS = re.compile(r"[A-Z][A-Z0-9]+|[^a-z0-9]*[a-z0-9][^A-Z]*[A-Z].*|[^A-Z]*[A-Z][^A-Z]*[A-Z].*(?<=[a-z]{2})")


class NamedPapers(Struct, frozen=True):
    """The rows of papers that are named, the likeliest first, and what was read so."""

    rows: tuple[int, ...] = ()
    understood: Understood = NOTHING_UNDERSTOOD
    # How many hits stay before them: none where every word is accounted for, else the first.
    behind: int = 0
    by_initials: bool = False  # of the whole title

    @property
    def confidence(self) -> float:
        """How likely they are what was asked for, at least."""
        if not self.rows or self.behind:
            return 0.0
        if self.understood.authors and (self.understood.year or self.understood.introduced):
            return 1.0
        return ENOUGH if self.understood or self.by_initials else TOO_LITTLE

    def introduced_by(self, row: int) -> list[str]:
        """Why this paper is meant, if it introduced what is named."""
        name = self.understood.introduced
        return [f"introduces {name}"] if name and row in self.rows else []


NOTHING_NAMED = NamedPapers()


def named_papers(generation: Generation, node: Node | None, typed: str) -> NamedPapers:
    """The papers that plain words name; of a question none."""
    parts = node.parts if isinstance(node, AllOf) else (node,)
    words = [word for part in parts if isinstance(part, Words) for word in part.words]
    tokens = [_PLURAL.sub("", token) for word in words for token in re.findall(r"[^\W_]+", word)]
    if not 1 <= len(tokens) <= MOST_WORDS or any(analysis.CJK_RUN.search(token) for token in tokens):
        return NOTHING_NAMED
    naming = _Naming(generation, tokens)
    found = (
        naming.by_introduced_name()
        or naming.by_number()
        or naming.by_authors()
        or naming.by_title(unfinished=not typed.endswith(" "))
    )
    return found or naming.by_part() or NOTHING_NAMED


class _Naming:
    """The words of one query, and what the library knows of them."""

    def __init__(self, generation: Generation, tokens: Sequence[str]) -> None:
        self.generation = generation
        self.words = generation.words
        self.tokens = tokens

    def by_introduced_name(self) -> NamedPapers | None:
        """Papers that introduced what is named, the longest name first; every other word is in their title or names."""
        for name, others in self._names:
            if found := self._by_name_and_authors(name, others) or self._by_name(name, others):
                return found
        return None

    @cached_property
    def _names(self) -> list[tuple[Sequence[str], list[str]]]:
        """Words side by side, the most first, and the years and other words that say something.

        None if no paper coined any of them, which one request tells.
        """
        places = [pair for pair in combinations(range(len(self.tokens) + 1), 2) if pair[1] - pair[0] <= NAME_WORDS]
        found: list[tuple[Sequence[str], list[str]]] = []
        for first, last in sorted(places, key=lambda pair: pair[0] - pair[1]):
            name, others = self.tokens[first:last], [*self.tokens[:first], *self.tokens[last:]]
            if _content(name) and len(name_key(" ".join(name))) > 1:
                found.append((name, [*_content(others), *_years(others)]))
        keys = dict.fromkeys(name_key(" ".join(name)) for name, _ in found)
        coined = [Field(fields.COINED, Phrase(mark + key)) for key in keys for mark in ("", IN_TEXT, INITIALS)]
        return found if coined and self.words.count(WordQuery(AnyOf(tuple(coined)))) else []

    def _by_name_and_authors(self, name: Sequence[str], others: Sequence[str]) -> NamedPapers | None:
        """Beside authors a text or the first letters of a title are proof enough, if the title has the other words."""
        years = _years(others)
        authors = [token for token in others if author_share(self.generation, token) >= AUTHOR_SHARE]
        if not authors or len(years) > 1:
            return None
        rest = [AnyOf(tuple(_in_title(token))) for token in others if token not in (*authors, *years)]
        key = name_key(" ".join(name))
        for keys in ([key], [f"{IN_TEXT}{key}", f"{INITIALS}{key}"]):
            if rows := self._oldest(keys, [*map(_by, [*authors, *years]), *rest]):
                introduced = " ".join(name) if key in keys else ""
                return NamedPapers(rows, Understood(introduced, tuple(authors), int(years[0]) if years else None))
        return None

    def _by_name(self, name: Sequence[str], others: Sequence[str]) -> NamedPapers | None:
        key = name_key(" ".join(name))
        if rows := self._oldest([key], [AnyOf(tuple(_in_title(token))) for token in others]):
            sure = self._is_distinctive(name, rows[0]) and (others or self._is_first(name, rows[0]))
            return NamedPapers(rows, Understood(introduced=" ".join(name))) if sure else None
        if others:
            return None
        rows = self._oldest([f"{IN_TEXT}{key}"], [])[:1] if self._has_capitals(name) else ()
        if rows and self._is_among(name, rows[0], 0.0):
            return NamedPapers(rows)
        # An acronym that no document has, and that one title has the initials of.
        rows = self._oldest([f"{INITIALS}{key}"], [])
        if len(rows) != 1 or self.words.count(WordQuery(Phrase(key))):
            return None
        [document] = self.words.stored(rows)
        is_whole = key == "".join(term[0] for term in analysis.name_terms(document.title) if not is_stop_word(term))
        return NamedPapers(rows, by_initials=is_whole) if is_whole or self._has_capitals(name) else None

    def _oldest(self, keys: Sequence[str], conditions: Sequence[Node]) -> tuple[int, ...]:
        """The oldest papers that coined a name, by any of its keys, and meet the conditions."""
        introduced = AllOf((AnyOf(tuple(Field(fields.COINED, Phrase(key)) for key in keys)), *conditions))
        return tuple(self.words.sorted(HitSet(WordQuery(introduced)), "oldest", 0, MOST_NAMED)[0].tolist())

    def _is_first(self, name: Sequence[str], row: int) -> bool:
        """Whether a paper has coined a name alone, or is among the oldest with it."""
        coined = WordQuery(Field(fields.COINED, Phrase(name_key(" ".join(name)))))
        return self.words.count(coined) == 1 or self._is_among(name, row, OLDEST_SHARE)

    def _is_among(self, name: Sequence[str], row: int, share: float) -> bool:
        """Whether a paper is among this share of those with the words, the oldest; at least it is the very first."""
        having = HitSet(WordQuery(Phrase(" ".join(name))))
        _, total = self.words.sorted(having, "oldest", 0, 1)
        rows, _ = self.words.sorted(having, "oldest", 0, min(max(1, round(share * total)), MOST_OLDEST))
        return row in rows

    def _is_distinctive(self, name: Sequence[str], row: int) -> bool:
        """Whether a name has capitals, as typed or in the title, or is one word that is rare or was not in use."""
        if self._has_capitals(name):
            return True
        [document] = self.words.stored([row])
        title, key = document.title.split(), name_key(" ".join(name))
        spans = [title[at : at + count] for at in range(len(title)) for count in range(1, NAME_WORDS + 1)]
        written = next((span for span in spans if name_key(" ".join(span)) == key), [])
        if not document.title.isupper() and any(_CAPITALS.fullmatch(word.strip("():,")) for word in written):
            return True
        if len(written) != 1:
            return False
        having = self.words.count(WordQuery(Phrase(" ".join(name))))
        return having <= RARE_SHARE * self.generation.manifest.documents or self._is_among(name, row, 0.0)

    def _has_capitals(self, name: Sequence[str]) -> bool:
        in_capitals = len(self.tokens) > 1 and "".join(self.tokens).isupper()
        return not in_capitals and any(_CAPITALS.fullmatch(token) for token in name)

    def by_number(self) -> NamedPapers | None:
        """The few papers that have a word and a number side by side, if that is all: GPT-3."""
        name = _NUMBERED.fullmatch(" ".join(self.tokens))
        if name is None or is_stop_word(name[1]) or _YEAR.fullmatch(name[2]):
            return None
        rows = self.words.ranked(WordQuery(Phrase(name[0])), MOST_NAMED + 1).rows.tolist()
        return NamedPapers(tuple(rows)) if 0 < len(rows) <= MOST_NAMED else None

    def by_authors(self) -> NamedPapers | None:
        """Papers of the authors and the year that are named, with every other word."""
        years, content = _years(self.tokens), _content(self.tokens)
        if len(years) != 1:
            return None
        authors = [token for token in content if author_share(self.generation, token) >= AUTHOR_SHARE]
        if not authors:
            return None
        rest = [token for token in content if token not in authors]
        understood = Understood("", tuple(authors), int(years[0]))
        conditions = list(map(_by, [*authors, *years]))
        for behind, others in ((0, [Words((token,)) for token in rest]), (1, [])):
            best = self.words.ranked(WordQuery(AllOf((*conditions, *others, Words(tuple(content))))), 5 * LOOKED_AT)
            if len(best.rows) and (not behind or len(best.rows) <= LOOKED_AT):
                rows = sorted(best.rows.tolist(), key=dict(self._led(best.rows.tolist(), authors[0])).__getitem__)
                return NamedPapers(tuple(rows[: MOST_NAMED - behind]), understood, behind)
        if rest:
            return None
        # None of that year: the year is not read as one.
        best = self.words.ranked(WordQuery(AllOf(tuple(map(_by, authors)))), MOST_NAMED)
        return NamedPapers(tuple(best.rows.tolist()), Understood(authors=tuple(authors))) if len(best.rows) else None

    def by_part(self) -> NamedPapers | None:
        """The paper that introduced a name among other words; it has one of them if these are several."""
        for name, others in self._names:
            conditions = [Words(tuple(others))] if len(others) > 1 else []
            rows = self._oldest([name_key(" ".join(name))], conditions)
            if rows and self._is_distinctive(name, rows[0]) and self._is_first(name, rows[0]):
                return NamedPapers(rows[:1], Understood(introduced=" ".join(name)), behind=1)
        return None

    def by_title(self, *, unfinished: bool) -> NamedPapers | None:
        """Papers whose title has all the words, some of them spelled otherwise; none if one has them as they are."""
        content = [number for number, token in enumerate(self.tokens) if len(token) > 1 and not is_stop_word(token)]
        if len(content) < TITLE_WORDS:
            return None
        as_typed = AllOf(tuple(AnyOf(tuple(_in_title(self.tokens[number]))) for number in content))
        if self.words.count(WordQuery(as_typed)):
            return None
        long = [key for number in content if len(key := analysis.value_key(self.tokens[number])) >= SPELLED_CHARS]
        alike = dict(zip(long, self.words.spelled_like(long, 1), strict=True))
        respelled = AllOf(tuple(AnyOf(tuple(self._spellings(number, alike, unfinished))) for number in content))
        found, _ = self.words.sorted(HitSet(WordQuery(respelled)), "oldest", 0, MOST_NAMED)
        return NamedPapers(tuple(found.tolist()), behind=1) if len(found) else None

    def _spellings(self, number: int, alike: dict[str, dict[str, int]], unfinished: bool) -> list[Node]:
        """A word of the query as it is, joined with its neighbour, in two words, unfinished, with another letter."""
        token, last = self.tokens[number], len(self.tokens) - 1
        found = _in_title(token)
        for pair in (self.tokens[max(number - 1, 0) : number + 1], self.tokens[number : number + 2]):
            if len(pair) == 2:
                found.append(Field(fields.TITLE, Words(("".join(pair),))))
        found += [
            Field(fields.TITLE, Phrase(f"{token[:at]} {token[at:]}"))
            for at in range(1, len(token))
            if len(token) >= SPELLED_CHARS
        ]
        if unfinished and number == last and len(token) > 2:
            found.append(Field(fields.TITLE, Prefix(token)))
        word = analysis.value_key(token)
        spelled = alike.get(word, {})
        if spelled.get(word, 0) <= COMMON_SPELLING:
            found += [Field(fields.TITLE, Words((other,))) for other in spelled]
        return found

    def _led(self, rows: Sequence[int], author: str) -> Iterator[tuple[int, bool]]:
        """Each paper, and whether another is its first author."""
        number = self.generation.manifest.facets.index(AUTHOR)
        for row, document in zip(rows, self.words.stored(rows), strict=True):
            first = document.values[number].split(fields.VALUE_END)[0]
            yield row, analysis.value_key(author) not in analysis.name_terms(first)


def author_share(generation: Generation, token: str) -> float:
    """The share of the documents with a word in which it is part of an author's name."""
    if not token.isalpha() or len(token) < AUTHOR_CHARS or is_stop_word(token):
        return 0.0
    if AUTHOR not in generation.manifest.facets:
        return 0.0
    [documents] = generation.words.frequencies([analysis.term(token)])
    return generation.words.count(WordQuery(Field(AUTHOR, Words((token,))))) / documents if documents else 0.0


def _content(tokens: Sequence[str]) -> list[str]:
    """The words that are no years, and that say something."""
    return [
        token
        for token in tokens
        if len(token) > 1 and token.lower() not in GENERIC and not _YEAR.fullmatch(token) and not is_stop_word(token)
    ]


def _years(tokens: Sequence[str]) -> list[str]:
    return [token for token in tokens if _YEAR.fullmatch(token)]


def _by(token: str) -> Node:
    """A condition: the year, or an author."""
    return Years(int(token), int(token)) if _YEAR.fullmatch(token) else Field(AUTHOR, Words((token,)))


def _in_title(token: str) -> list[Node]:
    return [Field(fields.TITLE, Words((token,))), Field(AUTHOR, Words((token,)))]
