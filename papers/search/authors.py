"""The authors that a query names: hits of their own above the papers, each with all the ways the name is written."""

import re
from collections.abc import Iterable, Sequence
from itertools import product

from msgspec import Struct

from papercore import limits
from papercore.bibliography.fields import parse_name
from papercore.retrieval import Completion
from papercore.snapshot.file import facet_key
from papercore.text import LETTERS, without_accents
from papers.search.list_query import ListQuery
from papers.search.results import count, suggestions

# Authors shown of a name that many have.
MOST_SHOWN = 3
# Spellings looked at. Of a family name that more have, only those with every word of the query are known.
MOST_SPELLINGS = 300
MOST_WORDS = 5
# One word is a name if at least this share of the papers that have it are by somebody of that name.
OWN_SHARE = 0.05
_NAME = re.compile(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*")
_BETWEEN = re.compile(r"[\s.,]*")


class NamedAuthor(Struct, frozen=True):
    """An author as a searcher thinks of one; the records stay as they are."""

    # The commonest spelling first.
    spellings: tuple[str, ...]
    # The list of the papers that have any of them, within the filters of the query.
    query: ListQuery
    papers: int


class NamedAuthors(Struct, frozen=True):
    """The authors that a query names, those with the most papers first, and whether more have the family name."""

    shown: tuple[NamedAuthor, ...] = ()
    are_more: bool = False
    family: str = ""


class _Spelling(Struct, frozen=True):
    """One way to write a name: its given names and family name, folded."""

    written: str
    papers: int
    given: tuple[str, ...]
    # With what belongs to it: `van den bosch`.
    family: tuple[str, ...]

    @classmethod
    def of(cls, value: Completion) -> "_Spelling":
        name = parse_name(value.value)
        return cls(value.value, value.count, tuple(_words(name.given)), tuple(_words(name.family)))

    def has(self, asked: Sequence[str]) -> bool:
        """Whether the words name this author: the family name, and given names or their initials."""
        return self.family[-1] in asked and all(
            word in self.family or any(_stands_for(word, name) for name in self.given) for word in asked
        )

    def may_have(self, asked: Sequence[str]) -> bool:
        """Whether the words name this author by names of which only the initials are known."""
        initials = {name for name in self.given if len(name) == 1}
        return self.family[-1] in asked and all(word in self.family or word[0] in initials for word in asked)

    def fits(self, other: "_Spelling") -> bool:
        """Whether both may be one name: the first given name is the same, initials stand for others or are left out."""
        shorter, longer = sorted((self.given, other.given), key=len)
        if self.family != other.family or not shorter or shorter[0] != longer[0] or len(shorter[0]) == 1:
            return False
        pairs = zip(shorter, longer, strict=False)
        return all(_stands_for(one, another) or _stands_for(another, one) for one, another in pairs) and all(
            len(name) == 1 for name in longer[len(shorter) :]
        )


def named_authors(query: ListQuery, words: str, listed: int) -> NamedAuthors:
    """The authors of that name, if the words of the query are nothing but a name; `listed` papers have these words."""
    words = re.sub(r"^by\s+", "", words.strip())
    asked = _words(words)
    if not 0 < len(asked) <= MOST_WORDS or _BETWEEN.fullmatch(_NAME.sub("", words)) is None or query.author:
        return NamedAuthors()
    families = dict.fromkeys((asked[-1], asked[0]))
    for is_named, family in product((_Spelling.has, _Spelling.may_have), families):
        groups = [group for group in _joined(_spellings(family, asked)) if any(is_named(one, asked) for one in group)]
        if groups and (len(asked) > 1 or sum(map(_papers, groups)) >= OWN_SHARE * listed):
            groups.sort(key=_papers, reverse=True)
            shown = [author for group in groups[:MOST_SHOWN] if (author := _author(query, group)).papers]
            return NamedAuthors(tuple(shown), len(groups) > MOST_SHOWN, family)
    return NamedAuthors()


def also_written(name: str) -> NamedAuthor | None:
    """The author of this name with its other spellings; None if there are none."""
    return next(
        (
            author
            for author in named_authors(ListQuery(), name, 0).shown
            if len(author.spellings) > 1 and facet_key(name) in map(facet_key, author.spellings)
        ),
        None,
    )


def authors_starting(typed: str, limit: int) -> list[NamedAuthor]:
    """The authors whose names have these words, the last of which may be unfinished; those with the most papers."""
    found = suggestions(typed, "author", MOST_SPELLINGS)
    spelled = map(_Spelling.of, found)
    groups = _joined(spelled) if len(found) < MOST_SPELLINGS else [[one] for one in spelled]
    return [_author(ListQuery(), group) for group in sorted(groups, key=_papers, reverse=True)[:limit]]


def _spellings(family: str, asked: Sequence[str]) -> list[_Spelling]:
    """The authors of a family name; if these are too many, or only whole names are known, those of the whole query."""
    found = suggestions(family, "author", MOST_SPELLINGS)
    if len(found) in (0, MOST_SPELLINGS):
        found = suggestions(" ".join(word for word in asked if len(word) > 1), "author", MOST_SPELLINGS)
    return [spelling for value in found if family in (spelling := _Spelling.of(value)).family[-1:]]


def _joined(spellings: Iterable[_Spelling]) -> list[list[_Spelling]]:
    """Spellings of one name together; one that could be two people's stands alone."""
    groups: list[list[_Spelling]] = []
    for spelling in sorted(spellings, key=lambda one: -sum(map(len, one.given))):
        same = [group for group in groups if (group[0].given, group[0].family) == (spelling.given, spelling.family)]
        fitting = same or [group for group in groups if all(map(spelling.fits, group))]
        if len(fitting) == 1:
            fitting[0].append(spelling)
        else:
            groups.append([spelling])
    return groups


def _author(query: ListQuery, group: Iterable[_Spelling]) -> NamedAuthor:
    written = tuple(one.written for one in sorted(group, key=lambda one: -one.papers)[: limits.FILTERS])
    own = query.changed(q="", author=written, sort=None, as_typed=False)
    return NamedAuthor(written, own, count(own))


def _papers(group: Iterable[_Spelling]) -> int:
    return sum(one.papers for one in group)


def _words(text: str) -> list[str]:
    return _NAME.findall(without_accents(text.lower().translate(LETTERS)))


def _stands_for(short: str, name: str) -> bool:
    """Whether it is the name, or its initial."""
    return short == name or (len(short) == 1 and name.startswith(short))
