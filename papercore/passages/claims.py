"""Compares a claim with the sentences of a text: which numbers, years, names, negation and direction are in both.

It knows words, not what they mean. A sentence supports a claim only if it has all of its words in the same relations,
and differs from it only if it has most of them, and another number, name, negation or direction in the midst of them.
"""

from collections.abc import Iterator, Sequence
from typing import Literal

from msgspec import Struct

from papercore.passages.claim_order import WordPair, aligned, is_same, is_turned, says
from papercore.passages.claim_words import ClaimToken, ReadSentence, read_sentence

PartKind = Literal["number", "year", "name", "negation", "direction", "word"]
Finding = Literal["supported", "differs", "not_found"]
# The share of a claim's other words that a sentence must have to differ from it; and if what differs stands between the
# very same words.
SAME_THING, HALF = 0.75, 0.5
# A sentence with a smaller share is about something else.
SOME = 1 / 3
# The next words on both sides of what differs are at most so many words away from it.
ATTACHED = 3
# One rough number is another if it is so many times as much.
FAR = 1.5


class ClaimPart(Struct, frozen=True):
    """Something of a claim that can be checked, as the claim has it, and what the passage has there, if anything."""

    kind: PartKind
    claim: str
    passage: str = ""


class ClaimComparison(Struct, frozen=True):
    """What a sentence has of a claim: the share of its words, and the parts that it has, lacks, or has otherwise."""

    covered: float
    supports: bool
    agrees: tuple[ClaimPart, ...]
    absent: tuple[ClaimPart, ...]
    # The first thing that differs, where the rest is the same.
    differs: ClaimPart | None = None

    @property
    def has_words(self) -> bool:
        """It has all of the claim, but it is not plain that it says the same of it."""
        return self.covered == 1 and not (self.absent or self.differs or self.supports)


class ClaimFinding(Struct, frozen=True):
    """What the sentences say of a claim: those that bear on it, best first, by their number; and those against it."""

    finding: Finding
    comparisons: tuple[ClaimComparison, ...]
    best: tuple[int, ...]
    other_side: tuple[int, ...]

    @property
    def has_words(self) -> bool:
        """Nothing was found, but a sentence has all the words."""
        return self.finding == "not_found" and any(self.comparisons[at].has_words for at in self.best)


def judge_claim(claim: str, sentences: Sequence[str], titles: Sequence[str] = ()) -> ClaimFinding:
    """One sentence that says it is enough; what differs is then the other side. `titles` are those of their papers.

    Where none says it, a difference counts only if no sentence has all of the claim, or its own part: else the texts,
    or our reading of them, are not of one mind, and nothing is found.
    """
    read = read_sentence(claim)
    abouts = [read_sentence(title).content for title in titles] or [frozenset()] * len(sentences)
    compared = tuple(
        compare(read, read_sentence(sentence), about) for sentence, about in zip(sentences, abouts, strict=True)
    )
    order = sorted(range(len(compared)), key=lambda at: (-compared[at].covered, len(compared[at].absent), at))
    supporting = tuple(at for at in order if compared[at].supports)
    differing = tuple(at for at in order if compared[at].differs)
    if supporting:
        return ClaimFinding("supported", compared, supporting, differing)
    plain = tuple(at for at in differing if not _is_elsewhere(compared, at))
    if plain and not any(item.has_words for item in compared):
        return ClaimFinding("differs", compared, plain, ())
    return ClaimFinding("not_found", compared, tuple(order), differing)


def _is_elsewhere(compared: Sequence[ClaimComparison], at: int) -> bool:
    """Whether a text has the claim's own part, too: a number or name with some of its words, the rest with most."""
    part = compared[at].differs
    return part is not None and any(
        (part.kind, part.claim) == (other.kind, other.claim)
        for place, item in enumerate(compared)
        for other in item.agrees
        if item.covered >= (SOME if part.kind in ("number", "year", "name") else SAME_THING)
        and (place != at or part.kind not in ("direction", "negation"))
    )


def compare(claim: ReadSentence, sentence: ReadSentence, about: frozenset[str] = frozenset()) -> ClaimComparison:
    """Compare a claim with the clause of a sentence that has its words, or with the whole sentence.

    `about` are words of the paper's title: of what it is about, a sentence may say "it".
    """
    own = frozenset(token.stem for token in claim.tokens if token.is_required)
    clause = sentence.clause_about(own)
    covered = len(own & clause.content) / len(own) if own else 0.0
    agrees, absent = _parts(claim, clause)
    is_claim = sum(not (token.is_light or token.relates) for token in claim.tokens) > 1
    supports = claim.stems == sentence.stems or (covered == 1 and is_claim and says(clause, claim))
    differs = None if supports else _difference(claim, clause, about)
    absent = tuple(part for part in absent if differs is None or part.claim != differs.claim)
    return ClaimComparison(covered, supports, agrees, absent, differs)


def _parts(claim: ReadSentence, clause: ReadSentence) -> tuple[tuple[ClaimPart, ...], tuple[ClaimPart, ...]]:
    """What of the claim can be checked: what is there in both, and what is in the claim alone."""
    parts: list[ClaimPart] = []
    for token in claim.tokens:
        kind = _kind(token)
        if kind != "word" or token.is_required:
            same = next((other for other in clause.tokens if is_same(token, other)), None)
            parts.append(ClaimPart(kind, token.literal, same.literal if same else ""))
    if claim.negations:
        parts.append(ClaimPart("negation", claim.negations[0], (clause.negations or [""])[0]))
    absent = [part for part in parts if not part.passage]
    if clause.negations and not claim.negations:
        absent.append(ClaimPart("negation", "", clause.negations[0]))
    # Words that agree are most of what both have: they say nothing to a reader.
    return tuple(part for part in parts if part.passage and part.kind != "word"), tuple(dict.fromkeys(absent))


def _kind(token: ClaimToken) -> PartKind:
    if token.value is not None:
        return "year" if token.is_year else "number"
    if token.way:
        return "direction"
    return "name" if token.is_name else "word"


def _difference(claim: ReadSentence, clause: ReadSentence, about: frozenset[str]) -> ClaimPart | None:
    """What the clause has otherwise: one thing, or each direction, in the midst of the same words."""
    own = {token.stem: token for token in claim.tokens if token.is_required}
    there = clause.content & own.keys()
    turned = [word for word, token in own.items() if any(is_turned(token, other) for other in clause.tokens)]
    near = len(there.union(turned))
    if len(own) < 2 or near < HALF * len(own) or clause.asks or claim.turning != clause.turning:
        return None
    pairs = aligned(claim.tokens, clause.tokens)
    paired = {pair.claim for pair in pairs}
    left = [token for at, token in enumerate(claim.tokens) if at not in paired and token.stem not in about]
    if any(_kind(token) in ("number", "year", "name") for token in left):
        return None
    most = ATTACHED if near >= SAME_THING * len(own) else 1
    found = [*_replaced(claim, clause, pairs, most), *_denied(claim, clause, pairs, most)]
    one_thing = len(found) == 1 or {part.kind for part in found if part} == {"direction"}
    return found[0] if found and one_thing and None not in found else None


def _replaced(
    claim: ReadSentence, clause: ReadSentence, pairs: Sequence[WordPair], most: int
) -> Iterator[ClaimPart | None]:
    """A number, year, name, direction or prefix that stands in the place of another; None if it is not plain."""
    for pair in pairs:
        if not pair.same:
            mine, theirs = claim.tokens[pair.claim], clause.tokens[pair.sentence]
            kind = "negation" if is_turned(mine, theirs) else _kind(mine)
            rough = mine.value is not None and not _are_comparable(claim, clause, pair)
            denied = kind == "direction" and (claim.negations or clause.negations)
            plain = not (rough or denied) and _is_attached(claim, clause, pairs, pair, most)
            yield ClaimPart(kind, mine.literal, theirs.literal) if plain else None


def _denied(claim: ReadSentence, clause: ReadSentence, pairs: Sequence[WordPair], most: int) -> Iterator[ClaimPart]:
    """A word that one text denies and the other says; not where either has it twice."""
    for pair in pairs:
        token = claim.tokens[pair.claim]
        mine, theirs = claim.denial_of(pair.claim), clause.denial_of(pair.sentence)
        if pair.same and token.is_content and bool(mine) != bool(theirs):
            once = claim.stems.count(token.stem) == clause.stems.count(token.stem) == 1
            if once and _is_attached(claim, clause, pairs, pair, most):
                yield ClaimPart("negation", mine or token.literal, theirs or clause.tokens[pair.sentence].literal)


def _are_comparable(claim: ReadSentence, clause: ReadSentence, pair: WordPair) -> bool:
    """Whether both numbers are meant exactly; or both as roughly, and far from each other."""
    mine, theirs = claim.roughly(pair.claim), clause.roughly(pair.sentence)
    values = sorted(abs(read.value or 0) for read in (claim.tokens[pair.claim], clause.tokens[pair.sentence]))
    return mine == theirs and (not mine or values[1] > FAR * values[0])


def _is_attached(
    claim: ReadSentence, clause: ReadSentence, pairs: Sequence[WordPair], pair: WordPair, most: int
) -> bool:
    """Whether the next words of the claim on both sides are, within so many words, those of the clause, too.

    What is before may be farther away, if what is after is near.
    """
    partners = {each.claim: each.sentence for each in pairs if each.same}
    before = next((at for at in range(pair.claim - 1, -1, -1) if claim.tokens[at].is_content), None)
    after = next((at for at in range(pair.claim + 1, len(claim.tokens)) if claim.tokens[at].is_content), None)
    for at in (before, after):
        if at is not None:
            other = partners.get(at)
            if other is None:
                return False
            first, last = sorted((other, pair.sentence))
            words = sum(token.is_content for token in clause.tokens[first + 1 : last + 1])
            if words > most and (at == after or after is None or most == 1):
                return False
    return None not in (before, after) or (most > 1 and (before, after) != (None, None))
