"""Compares a claim with the sentences of a text: which numbers, years, names, negation and direction are in both.

It knows words, not what they mean: it says that two sentences agree, or differ, only where they plainly talk of the
same thing, and else that it found nothing.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import Literal

from msgspec import Struct

from papercore.passages.claim_words import ClaimToken, ReadSentence, read_sentence

PartKind = Literal["number", "year", "name", "negation", "direction", "word"]
Finding = Literal["supported", "differs", "not_found"]
# The share of a claim's other words that a sentence must have to differ from it.
SAME_THING = 0.75
# Words that are said together: all of them within so many times their number.
TOGETHER, TOGETHER_LEAST = 3, 8
# What is said of the same words is at most so many words away from them.
ATTACHED = 3
_TURNING_PREFIXES = ("un", "in", "im", "ir", "non", "de", "dis")


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
    # The one thing that differs, where the rest is the same.
    differs: ClaimPart | None = None


class ClaimFinding(Struct, frozen=True):
    """What the sentences say of a claim: those that bear on it, best first, by their number; and those against it."""

    finding: Finding
    comparisons: tuple[ClaimComparison, ...]
    best: tuple[int, ...]
    other_side: tuple[int, ...]


def judge_claim(claim: str, sentences: Sequence[str]) -> ClaimFinding:
    """One sentence that says it is enough; what differs is then the other side.

    Where none says it, a difference counts only if no sentence has all of the claim, or its own part: else the texts,
    or our reading of them, are not of one mind, and nothing is found.
    """
    read = read_sentence(claim)
    compared = tuple(compare(read, read_sentence(sentence)) for sentence in sentences)
    order = sorted(range(len(compared)), key=lambda at: (-compared[at].covered, len(compared[at].absent), at))
    supporting = [at for at in order if compared[at].supports]
    differing = [at for at in order if compared[at].differs]
    if supporting:
        return ClaimFinding("supported", compared, tuple(supporting), tuple(differing))
    said = {(part.kind, part.claim) for item in compared if item.covered >= SAME_THING for part in item.agrees}
    anywhere = {part.claim for item in compared for part in item.agrees if part.kind in ("number", "year", "name")}
    plain = [at for at in differing if (part := compared[at].differs) and not _is_said(part, said, anywhere)]
    has_all = any(item.covered == 1 and not (item.absent or item.differs) for item in compared)
    if plain and not has_all:
        return ClaimFinding("differs", compared, tuple(plain), ())
    return ClaimFinding("not_found", compared, tuple(order), tuple(differing))


def _is_said(part: ClaimPart, said: set[tuple[PartKind, str]], anywhere: set[str]) -> bool:
    return (part.kind, part.claim) in said or part.claim in anywhere


def compare(claim: ReadSentence, sentence: ReadSentence) -> ClaimComparison:
    """Compare a claim with the clause of a sentence that has its words, or with the whole sentence."""
    own = list(dict.fromkeys(token.stem for token in claim.tokens if token.is_required))
    said = sentence.clause_about(frozenset(own))
    covered = sum(word in said.content for word in own) / len(own) if own else 0.0
    agrees, absent = _parts(claim, said)
    turned = [mine for mine in claim.content if any(_is_turned(mine, theirs) for theirs in said.content)]
    near = covered + len([word for word in own if word in turned]) / (len(own) or 1)
    differs = None
    if near >= SAME_THING and len(own) > 1 and not sentence.asks and claim.turning == said.turning:
        found = [
            *_other_numbers(claim, said),
            *_turned(claim, said),
            *_opposite(claim, said),
            *_other_names(claim, said),
        ]
        named = {part.claim for part in absent if part.kind in ("name", "number", "year")}
        differs = found[0] if len(found) == 1 and named <= {found[0].claim} else None
    supports = claim.stems == sentence.stems or (
        covered == 1
        and not (absent or differs or sentence.asks)
        and not turned
        and claim.turning == said.turning
        and set(claim.ways.values()) >= set(said.ways.values())
        and Counter(claim.ways.values()) <= Counter(said.ways.values())
        and len(claim.negations) == len(said.negations)
        and _has_numbers(claim, said)
        and _is_together(own, said)
        and _in_order(own, claim, said)
    )
    return ClaimComparison(covered, supports, agrees, absent, None if supports else differs)


def _parts(claim: ReadSentence, said: ReadSentence) -> tuple[tuple[ClaimPart, ...], tuple[ClaimPart, ...]]:
    """What of the claim can be checked: what is there in both, and what is in the claim alone."""
    parts: list[ClaimPart] = []
    ways = {way: said.tokens[place].literal for place, way in said.ways.items()}
    words = {token.stem: token.literal for token in said.tokens}
    for token in claim.tokens:
        if token.value is not None:
            same = next((other for other in said.tokens if _same_number(token, other)), None)
            parts.append(ClaimPart("year" if token.is_year else "number", token.shown, same.shown if same else ""))
        elif token.way:
            parts.append(ClaimPart("direction", token.literal, ways.get(token.way, "")))
        elif token.is_name or token.is_required:
            parts.append(ClaimPart("name" if token.is_name else "word", token.literal, words.get(token.stem, "")))
    if claim.negations:
        parts.append(ClaimPart("negation", claim.negations[0], (said.negations or [""])[0]))
    absent = [part for part in parts if not part.passage]
    if said.negations and not claim.negations:
        absent.append(ClaimPart("negation", "", said.negations[0]))
    # Words that agree are most of what both have: they say nothing to a reader.
    return tuple(part for part in parts if part.passage and part.kind != "word"), tuple(dict.fromkeys(absent))


def _same_number(mine: ClaimToken, theirs: ClaimToken) -> bool:
    """The same value, or the same if the claim rounds it; of the same measure, where both have one."""
    if mine.value is None or theirs.value is None or (mine.measure and theirs.unit not in ("", mine.measure)):
        return False
    return mine.value == theirs.value or (bool(theirs.decimals) and mine.value == round(theirs.value, mine.decimals))


def _has_numbers(claim: ReadSentence, said: ReadSentence) -> bool:
    """Whether each number of the claim is there, in its order, beside what it counts in the claim."""
    numbers = iter([(place, token) for place, token in enumerate(said.tokens) if token.value is not None])
    return all(
        any(_same_number(mine, theirs) and _is_beside(claim, place, said, at) for at, theirs in numbers)
        for place, mine in enumerate(claim.tokens)
        if mine.value is not None
    )


def _is_beside(claim: ReadSentence, place: int, said: ReadSentence, at: int) -> bool:
    """Whether the next word of one, before or after the number, is near the number of the other, too."""
    before, after = _around(claim.tokens, place)
    others_before, others_after = _around(said.tokens, at)
    near = {*others_before[-ATTACHED:], *others_after[:ATTACHED]}
    return not near or not near.isdisjoint((*before[-1:], *after[:1]))


def _is_together(own: Sequence[str], said: ReadSentence) -> bool:
    """Whether a stretch of the sentence has all the words, and not many others."""
    words = [token.stem for token in said.tokens if token.is_content or token.is_required or token.value is not None]
    most = max(TOGETHER * len(own), TOGETHER_LEAST)
    return any(set(own) <= set(words[start : start + most]) for start in range(max(1, len(words) - most + 1)))


def _in_order(own: Sequence[str], claim: ReadSentence, said: ReadSentence) -> bool:
    """Whether most pairs of words are in the claim's order, unless one of the two is passive: who does it to whom."""
    places: dict[str, int] = {}
    for place, token in enumerate(said.tokens):
        places.setdefault(token.stem, place)
    pairs = [places[first] < places[second] for first, second in combinations(own, 2)]
    return claim.is_passive != said.is_passive or 2 * sum(pairs) >= len(pairs)


def _other_numbers(claim: ReadSentence, said: ReadSentence) -> list[ClaimPart]:
    """Numbers that count the same, where each text has one of the kind and the words beside them are the same."""
    found = []
    for place, token in enumerate(claim.tokens):
        if token.value is None or any(_same_number(token, other) for other in said.tokens):
            continue
        others = [at for at, other in enumerate(said.tokens) if other.value is not None and _comparable(token, other)]
        mine = [other for other in claim.tokens if other.value is not None and _comparable(token, other)]
        if len(others) != 1 or len(mine) != 1 or claim.is_rough(place) or said.is_rough(others[0]):
            continue
        if _attached(claim, place, said, others[0]):
            kind: PartKind = "year" if token.is_year else "number"
            found.append(ClaimPart(kind, token.shown, said.tokens[others[0]].shown))
    return found


def _comparable(mine: ClaimToken, theirs: ClaimToken) -> bool:
    """The same unit, or the same value of two measures."""
    if mine.value == theirs.value and mine.measure and theirs.measure:
        return True
    return mine.unit == theirs.unit and mine.is_year == theirs.is_year


def _turned(claim: ReadSentence, said: ReadSentence) -> list[ClaimPart]:
    """A word that one text denies, by `not` or by a prefix, and the other says; not where either has both."""
    found = []
    both = claim.content & said.content
    for place, token in enumerate(claim.tokens):
        for at, other in enumerate(said.tokens):
            if not (token.is_content and other.is_content):
                continue
            mine, theirs = claim.denial_of(place), said.denial_of(at)
            if token.stem == other.stem:
                once = claim.stems.count(token.stem) == said.stems.count(token.stem) == 1
                if once and bool(mine) != bool(theirs) and _attached(claim, place, said, at):
                    found.append(ClaimPart("negation", mine or token.literal, theirs or other.literal))
            elif both.isdisjoint((token.stem, other.stem)) and not (mine or theirs):
                is_turned = _is_turned(token.stem, other.stem) and _attached(claim, place, said, at)
                found += [ClaimPart("negation", token.literal, other.literal)] * is_turned
    return found


def _is_turned(first: str, second: str) -> bool:
    shorter, longer = sorted((first, second), key=len)
    return len(shorter) > 4 and any(longer == prefix + shorter for prefix in _TURNING_PREFIXES)


def _opposite(claim: ReadSentence, said: ReadSentence) -> list[ClaimPart]:
    """One text says that something increases, the other that the same decreases; none denies it."""
    if claim.negations or said.negations or len({*claim.ways.values()}) != 1 or len({*said.ways.values()}) != 1:
        return []
    pairs = [(place, at) for place, way in claim.ways.items() for at, other in said.ways.items() if way != other]
    return [
        ClaimPart("direction", claim.tokens[place].literal, said.tokens[at].literal)
        for place, at in pairs
        if _attached(claim, place, said, at) and not _is_turned(claim.tokens[place].stem, said.tokens[at].stem)
    ]


def _other_names(claim: ReadSentence, said: ReadSentence) -> list[ClaimPart]:
    """One name in the place of another, where all other words are the same."""
    mine = [place for place, token in enumerate(claim.tokens) if token.is_name and token.stem not in said.content]
    theirs = [at for at, token in enumerate(said.tokens) if token.is_name and token.stem not in claim.content]
    if len(mine) != 1 or len(theirs) != 1 or len(claim.content - said.content) != 1:
        return []
    (place,), (at,) = mine, theirs
    if not _attached(claim, place, said, at):
        return []
    return [ClaimPart("name", claim.tokens[place].literal, said.tokens[at].literal)]


def _attached(claim: ReadSentence, place: int, said: ReadSentence, at: int) -> bool:
    """Whether both say it of the same words: what is before it is before, what is after it is after, and near."""
    before, after = _around(claim.tokens, place)
    others_before, others_after = _around(said.tokens, at)
    if after and after[0] not in others_after[:ATTACHED]:
        return False
    if before and before[-1] not in (others_before if after else others_before[-ATTACHED:]):
        return False
    shared = sum(word in others_before for word in before) + sum(word in others_after for word in after)
    return shared >= SAME_THING * (len(before) + len(after))


def _around(tokens: Sequence[ClaimToken], place: int) -> tuple[list[str], list[str]]:
    """The stems of the words before and after a place."""
    before, after = (
        [token.stem for token in side if token.is_content] for side in (tokens[:place], tokens[place + 1 :])
    )
    return before, after
