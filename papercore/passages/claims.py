"""Compares a claim with the sentences of a text: which numbers, years, names, negation and direction are in both.

It knows words, not what they mean. A sentence supports a claim only if it has all of its words in the same relations,
and differs from it only if it does so but for one number, name, negation or direction.
"""

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from papercore.passages.claim_differences import difference
from papercore.passages.claim_order import is_same, says
from papercore.passages.claim_words import ClaimPart, ReadSentence, read_sentence

Finding = Literal["supported", "differs", "not_found"]
# The share of a claim's words that a sentence about the same thing has, and one that is not about something else.
SAME_THING, SOME = 0.75, 1 / 3


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


def judge_claim(claim: str, sentences: Sequence[str]) -> ClaimFinding:
    """One sentence that says it is enough; what differs is then the other side.

    Where none says it, a difference counts only if no sentence has all of the claim, or its own part: else the texts,
    or our reading of them, are not of one mind, and nothing is found.
    """
    read = read_sentence(claim)
    compared = tuple(compare(read, read_sentence(sentence)) for sentence in sentences)
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


def compare(claim: ReadSentence, sentence: ReadSentence) -> ClaimComparison:
    """Compare a claim with the clause of a sentence that has its words, or with the whole sentence.

    What is asked or expected is said by nobody, nor is what the sentence doubts or takes back.
    """
    own = frozenset(token.stem for token in claim.tokens if token.is_required)
    clause = sentence.clause_about(own)
    covered = len(own & clause.content) / len(own) if own else 0.0
    agrees, absent = _parts(claim, clause)
    is_claim = sum(not (token.is_light or token.relates) for token in claim.tokens) > 1
    is_said = is_claim and not claim.expects and sentence.doubts <= claim.doubts
    supports = claim.stems == sentence.stems or (covered == 1 and is_said and says(clause, claim))
    is_near = is_said and len(own - clause.content) <= 1
    differs = difference(claim, clause) if is_near and not supports else None
    absent = tuple(part for part in absent if differs is None or part.claim != differs.claim)
    return ClaimComparison(covered, supports, agrees, absent, differs)


def _parts(claim: ReadSentence, clause: ReadSentence) -> tuple[tuple[ClaimPart, ...], tuple[ClaimPart, ...]]:
    """What of the claim can be checked: what is there in both, and what is in the claim alone."""
    parts: list[ClaimPart] = []
    for token in claim.tokens:
        kind = token.kind
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
