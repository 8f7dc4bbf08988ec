"""The papers that a few words name: by what they introduced, by authors and year, by a title spelled otherwise."""

import re
from collections.abc import Sequence
from itertools import combinations

import numpy as np
from msgspec import Struct

from papercore.retrieval.basics import analysis
from papercore.retrieval.basics.coined import IN_TEXT, INITIALS, name_key
from papercore.retrieval.basics.query import AllOf, AnyOf, Field, Node, Phrase, Prefix, Words, Years
from papercore.retrieval.basics.request import NOTHING_UNDERSTOOD, Understood
from papercore.retrieval.engines import fields
from papercore.retrieval.engines.generation import Generation
from papercore.retrieval.engines.interface import HasTerm, HitSet, StoredDocument, WordQuery

# Longer questions name no paper.
MOST_WORDS = 9
# Papers that are named at most, and those looked at for them.
MOST_NAMED, LOOKED_AT = 3, 20
NAME_WORDS = 4
# Among more words than these, a name that no title has is not looked for.
FEW_WORDS = 5
# A word that more titles and names have is spelled as it was meant.
COMMON_SPELLING = 100
# A name among other words is rare, unless its capitals tell it.
RARE_SHARE = 0.005
# The share of the documents with a word in which it is an author's: beside a year, and alone.
AUTHOR_BESIDE_YEAR, AUTHOR_ALONE = 0.05, 0.5
# Authors of so few papers, for each of them, name them without any other word.
FEW_PAPERS = 20
# The share of the other words that a paper must have.
MOST_OF_REST = 0.5
AUTHOR, AUTHOR_CHARS = "author", 3
# Fewer words are in too many titles that are spelled alike.
TITLE_WORDS = 3
_YEAR = re.compile(r"(?:19|20)\d\d")
_CAPITALS = re.compile(r"[A-Z][A-Z0-9]+|[^a-z0-9]*[a-z0-9][^A-Z]*[A-Z].*|[^A-Z]*[A-Z][^A-Z]*[A-Z].*(?<=[a-z]{2})")


class NamedPapers(Struct, frozen=True):
    """The rows of papers that are named, the likeliest first, and what was read so."""

    rows: tuple[int, ...] = ()
    understood: Understood = NOTHING_UNDERSTOOD


NOTHING_NAMED = NamedPapers()


def named_papers(generation: Generation, node: Node | None, typed: str) -> NamedPapers:
    """The papers that plain words name; of a question none."""
    parts = node.parts if isinstance(node, AllOf) else (node,)
    words = [word for part in parts if isinstance(part, Words) for word in part.words]
    tokens = [token for word in words for token in re.findall(r"[^\W_]+", word)]
    if not 1 <= len(tokens) <= MOST_WORDS or any(analysis.CJK_RUN.search(token) for token in tokens):
        return NOTHING_NAMED
    naming = _Naming(generation, tokens)
    found = naming.by_introduced_name() or naming.by_authors()
    return found or naming.by_title(unfinished=not typed.endswith(" ")) or NOTHING_NAMED


class _Naming:
    """The words of one query, and what the library knows of them."""

    def __init__(self, generation: Generation, tokens: Sequence[str]) -> None:
        self.generation = generation
        self.words = generation.words
        self.tokens = tokens

    def by_introduced_name(self) -> NamedPapers | None:
        """Papers that introduced what is named: the longest name first, and before others what a title says."""
        places = [pair for pair in combinations(range(len(self.tokens) + 1), 2) if pair[1] - pair[0] <= NAME_WORDS]
        for first, last in sorted(places, key=lambda pair: pair[0] - pair[1]):
            name, rest = self.tokens[first:last], [*self.tokens[:first], *self.tokens[last:]]
            key = name_key(" ".join(name))
            if len(key) < 2 or (rest and not self._is_distinctive(name)):
                continue
            weaker = (INITIALS, IN_TEXT) if rest else (IN_TEXT,)
            few = len(self.tokens) <= FEW_WORDS and _CAPITALS.fullmatch("".join(name))
            for marks in (("",), weaker) if few else (("",),):
                if rows := self._introducing([f"{mark}{key}" for mark in marks], rest, len(name)):
                    return NamedPapers(rows, Understood(introduced="" if marks != ("",) else " ".join(name)))
        return None

    def _introducing(self, keys: Sequence[str], rest: Sequence[str], named: int) -> tuple[int, ...]:
        """Papers with one of the keys, and with most of the other words if these are as many as those of the name."""
        found: list[int] = []
        for key in keys:
            introduced = Field(fields.COINED, Phrase(key))
            rows, _ = self.words.sorted(HitSet(WordQuery(introduced)), "oldest", 0, LOOKED_AT)
            if rest:
                best = self.words.ranked(WordQuery(AllOf((introduced, Words(tuple(rest))))), LOOKED_AT).rows
                rows = best if key.startswith(INITIALS) else np.concatenate([best, rows])
            found += rows.tolist()
        return self._with_rest(list(dict.fromkeys(found)), rest, MOST_OF_REST if len(rest) >= named else 0.0)

    def _is_distinctive(self, name: Sequence[str]) -> bool:
        if any(_CAPITALS.fullmatch(token) for token in name):
            return True
        if all(analysis.is_stop_word(token) for token in name):
            return False
        rarest = min(
            self.words.frequencies([analysis.term(token) for token in name if analysis.term(token)]), default=0
        )
        return rarest <= RARE_SHARE * self.generation.manifest.documents

    def by_authors(self) -> NamedPapers | None:
        """Papers of the authors that are named, of the year that is named."""
        if AUTHOR not in self.generation.manifest.facets:
            return None
        years = [token for token in self.tokens if _YEAR.fullmatch(token)]
        least = AUTHOR_BESIDE_YEAR if years else AUTHOR_ALONE
        authors = [token for token in self.tokens if self._author_share(token) >= least]
        if not authors or len(years) > 1:
            return None
        conditions: list[Node] = [Field(AUTHOR, Words((author,))) for author in authors]
        conditions += [Years(int(year), int(year)) for year in years]
        found, total = self.words.sorted(HitSet(WordQuery(AllOf(tuple(conditions)))), "oldest", 0, 5 * LOOKED_AT)
        rest = [token for token in self.tokens if token not in {*authors, *years}]
        if not total or not (years or rest):
            return None
        content = [token for token in rest if len(token) > 1 and not analysis.is_stop_word(token)]
        by_name = len(content) <= len(authors) and total <= FEW_PAPERS * len(authors)
        least = 0.0 if by_name or (years and len(content) <= FEW_WORDS) else MOST_OF_REST
        rows = self._with_rest(found.tolist(), rest, least, first_author=authors[0])
        return NamedPapers(rows, Understood("", tuple(authors), int(years[0]) if years else None)) if rows else None

    def _author_share(self, token: str) -> float:
        """The share of the documents with a word in which it is part of an author's name."""
        if not token.isalpha() or len(token) < AUTHOR_CHARS or analysis.is_stop_word(token):
            return 0.0
        [documents] = self.words.frequencies([analysis.term(token)])
        return self.words.count(WordQuery(Field(AUTHOR, Words((token,))))) / documents if documents else 0.0

    def by_title(self, *, unfinished: bool) -> NamedPapers | None:
        """Papers whose title has all the words, some of them spelled otherwise; none if one has them as they are."""
        content = [
            number for number, token in enumerate(self.tokens) if len(token) > 1 and not analysis.is_stop_word(token)
        ]
        if len(content) < TITLE_WORDS:
            return None
        as_typed = AllOf(tuple(AnyOf(tuple(_in_title(self.tokens[number]))) for number in content))
        if self.words.count(WordQuery(as_typed)):
            return None
        respelled = AllOf(tuple(AnyOf(tuple(self._spellings(number, unfinished))) for number in content))
        found, _ = self.words.sorted(HitSet(WordQuery(respelled)), "oldest", 0, MOST_NAMED)
        return NamedPapers(tuple(found.tolist())) if len(found) else None

    def _spellings(self, number: int, unfinished: bool) -> list[Node]:
        """A word of the query as it is, joined with its neighbour, in two words, unfinished, with another letter."""
        token, last = self.tokens[number], len(self.tokens) - 1
        found = _in_title(token)
        for pair in (self.tokens[max(number - 1, 0) : number + 1], self.tokens[number : number + 2]):
            if len(pair) == 2:
                found.append(Field(fields.TITLE, Words(("".join(pair),))))
        found += [
            Field(fields.TITLE, Phrase(f"{token[:at]} {token[at:]}")) for at in range(1, len(token)) if len(token) > 4
        ]
        if unfinished and number == last and len(token) > 2:
            found.append(Field(fields.TITLE, Prefix(token)))
        if len(token) > 4:
            word = analysis.value_key(token)
            alike = self.words.spelled_like(word, 1, unfinished=False)
            if alike.get(word, 0) > COMMON_SPELLING:
                return found
            found += [Field(fields.TITLE, Words((word,))) for word in alike]
        return found

    def _with_rest(
        self, found: Sequence[int], rest: Sequence[str], least: float, *, first_author: str = ""
    ) -> tuple[int, ...]:
        """Those that have this share of the other words, most first, then those of the first author."""
        terms = dict.fromkeys(term for token in rest if (term := analysis.term(token)))
        shares = dict.fromkeys(found, 1.0)
        if terms and found:
            weights = self.words.weighed([(HasTerm(fields.ALL, term), 1.0) for term in terms], np.array(found))
            shares = dict(zip(found, (weights / len(terms)).tolist(), strict=True))
        led = set()
        if first_author:
            stored = zip(found, self.words.stored(found), strict=True)
            led = {row for row, document in stored if self._leads(document, first_author)}
        ordered = sorted(found, key=lambda row: (-shares[row], row not in led))
        return tuple(row for row in ordered if shares[row] >= least)[:MOST_NAMED]

    def _leads(self, document: StoredDocument, author: str) -> bool:
        number = self.generation.manifest.facets.index(AUTHOR)
        first = document.values[number].split(fields.VALUE_END)[0]
        return analysis.value_key(author) in analysis.name_terms(first)


def _in_title(token: str) -> list[Node]:
    return [Field(fields.TITLE, Words((token,))), Field(AUTHOR, Words((token,)))]
