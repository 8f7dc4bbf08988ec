"""Lays a claim beside a sentence, word by word in order, and tells whether the sentence says no less than the claim.

A claim may leave words out, but only where that takes nothing away: an adjective after its article, what is in brackets
or between commas, what leads up to a statement, and what follows it. Everything else has to stand in its place.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile

from msgspec import Struct
from msgspec.structs import replace

from papercore.passages.claim_lexicon import ADDING, OPENERS, PLAIN_ADVERBS
from papercore.passages.claim_words import ClaimToken, ReadSentence
from papercore.text import stem

Tokens = tuple[ClaimToken, ...]
# What a pair of words adds to how well two sentences fit: the same content, the same small word, one for another; and
# what it adds that the words before them are a pair, too.
_SAME, _SMALL, _OTHER, _ADJACENT = 4, 2, 3, 1
# Adjectives that may be left out at once.
_ADJECTIVES = 3
BE = frozenset(("am", "are", "be", "been", "being", "is", "was", "were"))
_ARTICLES = frozenset(("a", "an", "its", "our", "the", "their", "these", "this", "those"))
# Who reports what is found says that it is so.
REPORTING = frozenset(
    map(stem, "show shown find found see seen demonstrate report observe reveal confirm conclude indicate".split())  # noqa: SIM905
)
# Where a statement ends, so that what follows limits it no more.
_ENDS = frozenset(("and", "because", "but", "whereas", "while"))
# A label of a part of an abstract has more capitals.
_LABEL = 4
# Numbers of more digits are rounded where they end in zeros.
_SMALL_DIGITS = 2
# What is so only then.
_CONDITIONS = frozenset(("except", "if", "only", "unless"))
_TURNING_PREFIXES = ("un", "in", "im", "ir", "non", "de", "dis")


class WordPair(Struct, frozen=True):
    """A word of the claim and the one in its place in the sentence, by their numbers, and whether they are the same."""

    claim: int
    sentence: int
    same: bool


def says(sentence: ReadSentence, claim: ReadSentence) -> bool:
    """Whether a sentence has all that a claim has, in the same relations."""
    if "?" in sentence.own_text:
        return False
    return any(
        all(pair.same for pair in laid_beside(own, reading))
        for own, reading in readings_of_both(claim, sentence)
        if laid_beside(own, reading)
    )


def readings_of_both(claim: ReadSentence, sentence: ReadSentence) -> Iterator[tuple[Tokens, Tokens]]:
    """Each way to read the claim beside each way to read the sentence."""
    readings = [reading for tokens in _without_asides(sentence.tokens) for reading in _readings(tokens)]
    return ((own, reading) for own in _readings(claim.tokens) for reading in readings)


def aligned(claim: Sequence[ClaimToken], sentence: Sequence[ClaimToken]) -> list[WordPair]:
    """The pairs of words, in the order of both, that fit best; words that stand together stay together."""
    mine = [place for place, token in enumerate(claim) if not token.is_light]
    theirs = [place for place, token in enumerate(sentence) if not token.is_light]
    worth = [[_worth(claim[place], sentence[other]) for other in theirs] for place in mine]
    best = [[0] * (len(theirs) + 1) for _ in range(len(mine) + 1)]
    paired = [[0] * (len(theirs) + 1) for _ in range(len(mine) + 1)]
    for row, values in enumerate(worth, 1):
        for column, value in enumerate(values, 1):
            if value:
                before = paired[row - 1][column - 1]
                paired[row][column] = value + max(best[row - 1][column - 1], before + _ADJACENT if before else 0)
            best[row][column] = max(best[row - 1][column], best[row][column - 1], paired[row][column])
    pairs = []
    row, column, wanted = len(mine), len(theirs), best[-1][-1]
    while row and column and wanted:
        if paired[row][column] == wanted:
            place, other = mine[row - 1], theirs[column - 1]
            pairs.append(WordPair(place, other, is_same(claim[place], sentence[other])))
            wanted -= worth[row - 1][column - 1]
            row, column = row - 1, column - 1
            if paired[row][column] and paired[row][column] + _ADJACENT == wanted:
                wanted = paired[row][column]
        elif best[row - 1][column] == wanted:
            row -= 1
        else:
            column -= 1
    return pairs[::-1]


def _worth(mine: ClaimToken, theirs: ClaimToken) -> int:
    if is_same(mine, theirs):
        return _SMALL if mine.relates else _SAME
    return _OTHER if is_other(mine, theirs) else 0


def is_same(mine: ClaimToken, theirs: ClaimToken) -> bool:
    """The same word, direction or number."""
    if mine.value is not None:
        return is_same_number(mine, theirs)
    return mine.stem == theirs.stem or (mine.way is not None and mine.way == theirs.way)


def is_same_number(mine: ClaimToken, theirs: ClaimToken) -> bool:
    """The same value, or the same if the claim rounds it; of the same measure, where both have one."""
    if mine.value is None or theirs.value is None or (mine.measure and theirs.unit not in ("", mine.measure)):
        return False
    rounded = theirs.decimals > mine.decimals and mine.value == round(theirs.value, mine.decimals)
    return mine.value == theirs.value or rounded


def is_other(mine: ClaimToken, theirs: ClaimToken) -> bool:
    """Whether one can stand in the place of the other, and says another thing."""
    if mine.value is not None and theirs.value is not None:
        if mine.value == theirs.value:
            return bool(mine.measure and theirs.measure)
        is_rounded = _is_rounded(mine, theirs) or _is_rounded(theirs, mine)
        return mine.unit == theirs.unit and mine.is_year == theirs.is_year and not is_rounded
    if mine.way and mine.way.turns(theirs.way):
        return True
    return is_turned(mine, theirs) or _is_other_name(mine, theirs)


def _is_rounded(rough: ClaimToken, exact: ClaimToken) -> bool:
    """28 of 28.4, 300 of 297."""
    digits = _digits(rough)
    return _digits(exact) > digits and rough.value == round(exact.value or 0, digits)


def _digits(number: ClaimToken) -> int:
    """How far a number is exact: its decimals, less the zeros that a large one ends in."""
    whole = f"{number.value:.0f}"
    return number.decimals or (len(whole.rstrip("0")) - len(whole) if len(whole) > _SMALL_DIGITS else 0)


def _is_other_name(mine: ClaimToken, theirs: ClaimToken) -> bool:
    """Of one kind, and none a part of the other: SNARE and SNAREs may be one, and so may TB and Tuberculosis."""
    if not (mine.is_name and theirs.is_name) or mine.word in theirs.word or theirs.word in mine.word:
        return False
    return mine.literal[1:].islower() == theirs.literal[1:].islower()


def is_turned(mine: ClaimToken, theirs: ClaimToken) -> bool:
    """`stable` and `unstable`; stems alone are not enough, as endings are cut otherwise after a prefix."""
    return _has_prefix(mine.stem, theirs.stem) or _has_prefix(mine.word, theirs.word)


def _has_prefix(first: str, second: str) -> bool:
    shorter, longer = sorted((first, second), key=len)
    return len(shorter) > 4 and any(longer == prefix + shorter for prefix in _TURNING_PREFIXES)


def laid_beside(claim: Tokens, sentence: Tokens, *, whole: bool = False) -> list[WordPair]:
    """Every word of a claim with the one in its place, if the sentence says no less of the same; else nothing.

    A sentence that is to say the `whole` of what it says about it has no adjective or phrase that the claim lacks.
    """
    pairs = aligned(claim, sentence)
    if not pairs or len(pairs) < sum(not token.is_light for token in claim):
        return []
    first, last = pairs[0].sentence, pairs[-1].sentence
    is_said = (
        _leads_up(sentence[:first], sentence[first], whole=whole)
        and all(
            _is_one_clause(claim, one.claim, other.claim) == _is_one_clause(sentence, one.sentence, other.sentence)
            and _can_be_left_out(sentence, one.sentence, other.sentence, whole=whole)
            for one, other in pairwise(pairs)
        )
        and _only_follows(sentence[last + 1 :], whole=whole)
    )
    return pairs if is_said else []


def _is_one_clause(tokens: Tokens, first: int, last: int) -> bool:
    return tokens[first].clause == tokens[last].clause


def _leads_up(before: Tokens, first: ClaimToken, *, whole: bool) -> bool:
    """Before a claim: an article and adjectives, another clause, `CONCLUSIONS`, `in mice,` or `we found that`."""
    words = [token for token in before if not token.is_light]
    if not words or any(sign in first.opening for sign in ";:—·") or before[-1].word in _ENDS - {"and"}:
        return True
    if any(token.limits for token in words):
        return False
    if all(token.literal.isupper() and len(token.literal) > _LABEL for token in words):
        return True
    if words[-1].word == "that":
        return any(token.stem in REPORTING for token in words) and _are_plain(words, ending="ly")
    if "," in first.opening:
        return (len(before) == 1 and before[0].word in OPENERS) or (before[0].relates and not whole)
    return _are_plain(words) if whole else _are_adjectives(words, before[0])


def _can_be_left_out(sentence: Tokens, first: int, last: int, *, whole: bool) -> bool:
    """Between two words of a claim: adjectives, adverbs, `was found to`, or what is set apart by commas."""
    places = [place for place in range(first + 1, last) if not sentence[place].is_light]
    words = [sentence[place] for place in places]
    if not words or any(token.limits or token.value is not None for token in words):
        return not words
    is_list = any(token.word == "and" for token in (*words, sentence[last]))
    if not is_list and "," in sentence[first + 1].opening and "," in sentence[last].opening:
        return True
    if len(words) == 2 and words[0].stem in REPORTING and words[1].word == "to":
        return True
    if whole:
        return _are_plain(words)
    return _are_adjectives(words, sentence[places[0] - 1])


def _are_plain(words: Sequence[ClaimToken], ending: str = "") -> bool:
    """Adverbs that take nothing away; or those of the words that end so."""
    return all(token.word in PLAIN_ADVERBS for token in words if token.word.endswith(ending))


def _are_adjectives(words: Sequence[ClaimToken], before: ClaimToken) -> bool:
    """Adverbs, or a few words that open a phrase: of its last words, any may be what it is about."""
    if any(token.value is not None or token.way or token.relates or token.limits for token in words):
        return False
    opens = (before.is_light and before.word in _ARTICLES) or before.relates
    return _are_plain(words) or (opens and len(words) <= _ADJECTIVES and _are_plain(words, ending="ly"))


def _only_follows(after: Tokens, *, whole: bool) -> bool:
    """After a claim: a new clause, or a phrase that says more of the same. A noun may be what its last word belongs to,
    and "of the other", "a day" or "below" make less of it."""
    while after and after[0].word in PLAIN_ADVERBS:
        after = after[1:]
    if all(token.is_light and token.word not in _ARTICLES for token in after):
        return True
    adds = (
        _begins_another(after[0])
        or any(sign in after[0].opening for sign in "([")
        or (not whole and after[0].word in ADDING)
    )
    if not adds or after[0].word == "or" or any(token.word in _CONDITIONS for token in after):
        return False
    phrase = takewhile(lambda token: not _begins_another(token), after)
    return not any(token.limits for token in phrase)


def _begins_another(token: ClaimToken) -> bool:
    return token.word in _ENDS or any(sign in token.opening for sign in ",;:—·")


def _without_asides(tokens: Tokens) -> Iterator[Tokens]:
    yield tokens
    if any(token.is_aside for token in tokens):
        yield tuple(token for token in tokens if not token.is_aside)


def _readings(tokens: Tokens) -> Iterator[Tokens]:
    """As it stands, with what leads up to it at its end, and both as one would say it actively."""
    for reading in (tokens, _with_adverbial_last(tokens)):
        if reading:
            yield reading
            if active := _actively(reading):
                yield active


def _with_adverbial_last(tokens: Tokens) -> Tokens | None:
    """`In mice, owls sleep` as `owls sleep in mice`."""
    comma = next((place for place, token in enumerate(tokens) if place and "," in token.opening), None)
    if comma is None or not tokens[0].relates:
        return None
    return (replace(tokens[comma], opening=""), *tokens[comma + 1 :], *tokens[:comma])


def _actively(tokens: Tokens) -> Tokens | None:
    """`B is raised by A in mice` as `A raised B in mice`."""
    for by in range(2, len(tokens) - 1):
        verb = by - 2 if tokens[by - 2].word.endswith("ly") else by - 1
        agent = tokens[by + 1]
        if tokens[by].word == "by" and tokens[verb - 1].word in BE and agent.value is None:
            starts = [place for place in range(verb) if _begins_another(tokens[place]) or tokens[place].word == "that"]
            start = max(starts, default=0)
            start += bool(starts) and (tokens[start].word in _ENDS or tokens[start].word == "that")
            end = next((at for at in range(by + 2, len(tokens)) if _ends_agent(tokens[at])), len(tokens))
            opening = tokens[start].opening
            subject = (replace(tokens[start], opening=""), *tokens[start + 1 : verb - 1])
            doing = (replace(agent, opening=opening), *tokens[by + 2 : end], *tokens[verb:by])
            return (*tokens[:start], *doing, *subject, *tokens[end:])
    return None


def _ends_agent(token: ClaimToken) -> bool:
    if token.relates or token.is_light:
        return token.word not in ("of", "and") and token.word not in _ARTICLES
    return any(sign in token.opening for sign in ",;:—")
