"""Which entries are one work: a function of the entries alone, whatever the order in which they came."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import combinations, pairwise
from operator import itemgetter

from msgspec import Struct

from ingest.matching.facts import LINK_KINDS, Facts, LinkKind, are_two_kinds, link_between

# The collection of a library's own papers.
ADOPTED = "library"
# A title that so many entries have (Preface, Editorial) tells nothing.
_COMMON = 100


class Verdicts(Struct, frozen=True):
    """Pairs of entries that are one work by what their inputs say, that people said are one, and that are not."""

    same: Collection[tuple[int, int]] = ()
    merged: Collection[tuple[int, int]] = ()
    apart: Collection[tuple[int, int]] = ()


class Works(Struct, frozen=True):
    """`members` are lists of entries. `open` are files that fit more than one work, and so belong to none of them."""

    members: list[list[int]]
    links: dict[int, LinkKind]
    open: set[int]


@dataclass
class _Group:
    """Entries that are one work so far, with what would speak against others."""

    entries: list[int]
    dois: set[str] = field(default_factory=set)
    arxivs: set[str] = field(default_factory=set)
    keys: set[tuple[str, str]] = field(default_factory=set)
    facts: list[Facts] = field(default_factory=list)

    def take(self, other: "_Group") -> None:
        self.entries += other.entries
        self.dois |= other.dois
        self.arxivs |= other.arxivs
        self.keys |= other.keys
        self.facts += other.facts


class _Grouping:
    """Joins groups, link by link."""

    def __init__(self, facts: Mapping[int, Facts], apart: Collection[tuple[int, int]]) -> None:
        self._facts = facts
        self._group_of = {entry: _group(entry, known) for entry, known in facts.items()}
        self._apart: dict[int, set[int]] = {}
        for one, other in apart:
            self._apart.setdefault(one, set()).add(other)
            self._apart.setdefault(other, set()).add(one)

    def group_of(self, entry: int) -> _Group:
        return self._group_of[entry]

    def join(self, one: int, other: int) -> None:
        first, second = self._group_of[one], self._group_of[other]
        if first is second:
            return
        first.take(second)
        for entry in second.entries:
            self._group_of[entry] = first

    def may_join(self, one: int, other: int, kind: LinkKind) -> bool:
        first, second = self._group_of[one], self._group_of[other]
        if first is second:
            return False
        against = (
            set[int]().union(*(self._apart.get(entry, ()) for entry in first.entries)) if self._apart else set[int]()
        )
        if not against.isdisjoint(second.entries):
            return False
        identifiers = ((first.dois, second.dois), (first.arxivs, second.arxivs))
        if any(ours and theirs and ours.isdisjoint(theirs) for ours, theirs in identifiers):
            return False
        if kind not in ("meta", "title"):
            return True
        # Files that look alike do not make one work of two that have entries of their own.
        are_described = all(not all(facts.is_file for facts in group.facts) for group in (first, second))
        if are_described and self._facts[one].is_file and self._facts[other].is_file:
            return False
        if any(are_two_kinds(a, b) for a in first.facts for b in second.facts):
            return False
        # A collection gives each paper one key: two keys in one file are two papers.
        files = {collection for collection, _ in first.keys}
        return not any(collection in files for collection, _ in second.keys - first.keys)

    def groups(self) -> list[_Group]:
        return list({id(group): group for group in self._group_of.values()}.values())


def works_of(facts: Mapping[int, Facts], verdicts: Verdicts | None = None) -> Works:
    """The works that the entries are about.

    Links are taken in an order that depends on what entries say and not on when they came: first what inputs say, then
    the surest links. What people merged is joined as the rules have made it, so that nothing falls out of it. Files
    come last, when it is known which works there are.
    """
    verdicts = verdicts or Verdicts()
    grouping = _Grouping(facts, verdicts.apart)
    for one, other in verdicts.same:
        grouping.join(one, other)
    found = _links(facts)
    links: dict[int, LinkKind] = {}
    to_files: dict[int, list[tuple[LinkKind, int]]] = {}
    for kind, one, other in found:
        weak = kind in ("name", "title") and facts[one].is_file != facts[other].is_file
        if weak:
            file, paper = (one, other) if facts[one].is_file else (other, one)
            to_files.setdefault(file, []).append((kind, paper))
        elif grouping.may_join(one, other, kind):
            grouping.join(one, other)
            links.setdefault(one, kind)
            links.setdefault(other, kind)
    for one, other in verdicts.merged:
        grouping.join(one, other)
    doubtful = set[int]()
    for file in sorted(to_files, key=lambda entry: facts[entry].digest):
        # A file named after a key belongs to that paper, whichever other has its title.
        kind = min((kind for kind, _ in to_files[file]), key=LINK_KINDS.index)
        papers = [paper for link, paper in to_files[file] if link == kind]
        groups = {id(grouping.group_of(paper)): paper for paper in papers if grouping.may_join(file, paper, kind)}
        if len(groups) == 1:
            (paper,) = groups.values()
            grouping.join(paper, file)
            links.setdefault(file, kind)
        elif groups:
            doubtful.add(file)
    return Works([group.entries for group in grouping.groups()], links, doubtful)


def _links(facts: Mapping[int, Facts]) -> list[tuple[LinkKind, int, int]]:
    """Pairs of entries that may be one work, the surest first."""
    blocks: dict[str, list[int]] = {}
    for entry, known in facts.items():
        for key in known.shared_with():
            blocks.setdefault(key, []).append(entry)
        for name in known.names if known.is_file else ():
            blocks.setdefault(f"title:{name}", []).append(entry)
    found: list[tuple[tuple[int, str, str, str, str], LinkKind, int, int]] = []
    for key, block in blocks.items():
        if len(block) > 1 and (len(block) <= _COMMON or not key.startswith("title:")):
            for one, other in _pairs(block, facts):
                first, second = facts[one], facts[other]
                if kind := link_between(first, second):
                    order = (first.digest, second.digest, first.collection, second.collection)
                    found.append(((LINK_KINDS.index(kind), *order), kind, one, other))
    found.sort(key=itemgetter(0))
    return [(kind, one, other) for _, kind, one, other in found]


def _pairs(block: Iterable[int], facts: Mapping[int, Facts]) -> Iterable[tuple[int, int]]:
    entries = sorted(dict.fromkeys(block), key=lambda entry: (facts[entry].digest, facts[entry].collection))
    if len(entries) <= _COMMON:
        return combinations(entries, 2)
    # So many share an identifier only where they are one: it is enough that each is compared with the next.
    return pairwise(entries)


def _group(entry: int, facts: Facts) -> _Group:
    # What a library holds as two papers are two, whether or not they have keys.
    is_adopted = facts.collection == ADOPTED
    return _Group(
        [entry],
        {facts.doi} if facts.doi else set(),
        {facts.arxiv} if facts.arxiv else set(),
        {(facts.collection, facts.bib_key or facts.digest)} if facts.bib_key or is_adopted else set(),
        [facts],
    )
