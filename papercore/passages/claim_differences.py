"""Finds the one thing in which a sentence differs from a claim: it has to say all the rest, and nothing besides.

That a text has another number, name or direction is no reason to doubt a claim: both may be true, of other things. It
differs only where the text says the same of the same thing, but for that.
"""

from collections.abc import Iterator, Sequence

from papercore.passages.claim_lexicon import DENIALS, PLAIN_ADVERBS, SINGLING
from papercore.passages.claim_order import BE, REPORTING, Tokens, WordPair, is_turned, laid_beside, readings_of_both
from papercore.passages.claim_words import ClaimPart, ClaimToken, PartKind, ReadSentence, roughly
from papercore.text import stem

# One rough number is another if it is so many times as much.
_FAR = 1.5
# With "at higher doses", another dose is meant; "associated with higher doses" says it of the same.
_ASSERTING = frozenset(map(stem, ("associated", "correlated", "linked", "resulted", "led", "ended", "due")))


def difference(claim: ReadSentence, sentence: ReadSentence) -> ClaimPart | None:
    """What the sentence has otherwise, if that is one thing, however both are read."""
    if claim.expects or claim.asks or sentence.asks or claim.turning != sentence.turning:
        return None
    found = {part for own, reading in readings_of_both(claim, sentence) for part in _differences(own, reading)}
    return found.pop() if len(found) == 1 else None


def _differences(claim: Tokens, sentence: Tokens) -> Iterator[ClaimPart]:
    """A number, year, name, direction or prefix in the place of another; or what one of them denies."""
    turned = [pair for pair in laid_beside(claim, sentence, whole=True) if not pair.same]
    if len(turned) == 1 and _is_said_of_the_same(claim, turned[0].claim) and _is_plain(claim, sentence, turned[0]):
        mine, theirs = claim[turned[0].claim], sentence[turned[0].sentence]
        kind: PartKind = "negation" if is_turned(mine, theirs) else mine.kind
        yield ClaimPart(kind, mine.literal, theirs.literal)
    yield from (ClaimPart("negation", mine, theirs) for mine, theirs in _denied(claim, sentence))
    yield from (ClaimPart("negation", mine, theirs) for theirs, mine in _denied(sentence, claim, is_claim=False))


def _denied(denying: Tokens, other: Tokens, *, is_claim: bool = True) -> Iterator[tuple[str, str]]:
    """The words that the first denies, with and without the negation, if the second says the same without it."""
    places = [place for place, token in enumerate(denying) if token.word in DENIALS]
    if len(places) != 1 or _is_singled_out(denying, places[0]):
        return
    (at,) = places
    without = (*denying[:at], *denying[at + 1 :])
    pairs = laid_beside(without, other, whole=True) if is_claim else laid_beside(other, without, whole=True)
    end = next((place for place in range(at + 1, len(denying)) if denying[place].is_content), None)
    if pairs and end is not None and all(pair.same for pair in pairs):
        words = [token.literal for token in denying[at : end + 1]]
        yield " ".join(words), words[-1]


def _is_said_of_the_same(claim: Tokens, place: int) -> bool:
    """Whether what differs is said of something, and does not tell of which thing it is said."""
    token = claim[place]
    if token.is_label or _is_singled_out(claim, place):
        return False
    before = [word for word in claim[:place] if not (word.is_light or word.word in PLAIN_ADVERBS)]
    if not any(word.is_content for word in before):
        return token.kind == "number"
    if token.kind not in ("direction", "word") or not before[-1].relates or token.relates:
        return True
    return before[-1].word == "to" or (len(before) > 1 and before[-2].stem in _ASSERTING)


def _is_singled_out(tokens: Tokens, place: int) -> bool:
    """Whether a word may tell of which thing something is said: `patients who took 5 mg recovered`."""
    before = tokens[:place]
    return any(
        word.word in SINGLING and not (word.word == "that" and at and before[at - 1].stem in REPORTING)
        for at, word in enumerate(before)
    )


def _is_plain(claim: Tokens, sentence: Tokens, pair: WordPair) -> bool:
    """No double negation, no number that is rough, and no adjective that tells things apart."""
    mine, theirs = claim[pair.claim], sentence[pair.sentence]
    if is_turned(mine, theirs) and claim[pair.claim - 1].is_light and claim[pair.claim - 1].word not in BE:
        return False
    if mine.value is None or theirs.value is None:
        return mine.is_name or not _denials((*claim, *sentence))
    rough = roughly(claim, pair.claim), roughly(sentence, pair.sentence)
    least, most = sorted((abs(mine.value), abs(theirs.value)))
    return rough[0] == rough[1] and (not rough[0] or most > _FAR * least)


def _denials(tokens: Sequence[ClaimToken]) -> list[ClaimToken]:
    return [token for token in tokens if token.word in DENIALS]
