"""Compares the names of journals and proceedings: written out, abbreviated word by word, or by initials."""

import re
from collections.abc import Sequence

from papercore.text import VENUE_STOP_WORDS, without_accents

# More than this share of the words of both names must agree; with how many words a name without its end is still that
# name; and how many of the words that it spans an acronym must have the initials of.
SAME_VENUE, LEADING_WORDS, ACRONYM_WORDS = 0.8, 3, 0.6
_MOST_WORDS, _MOST_INITIALS = 40, 13
# Words that every other venue has: they may agree, but nothing is missed without them.
_COMMON_WORDS = re.compile(
    "proceedings|proc|conference|conf|annual|international|intl|int|meeting|symposium|symp|journal|j|volume|vol|part"
    "|series|ser|long|short|papers|main|first|second|third|acm|ieee|advances|adv"
)
# `New York, N.Y.`, `Methodological`: what a catalogue adds to a name.
_ADDED = re.compile(r"\([^()]*\)")
_SUBTITLE = re.compile(r"\s?:\s(?!ser|sect|part|vol)", re.IGNORECASE)
_ACRONYM = re.compile(r"[A-Z]\w{0,8}[A-Z]s?|[A-Z]")
_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th)?|[ivx]+")
# A series of books is no name of the volume in it.
_SERIES = re.compile(r"\W*(?:lecture notes|lncs|lnai|ceur)\b", re.IGNORECASE)

# Venues that readers and sources know by their acronyms, and what these stand for.
VENUE_NAMES = {
    "acl": "meeting of the association for computational linguistics",
    "emnlp": "empirical methods in natural language processing",
    "naacl": "north american chapter",
    "eacl": "european chapter",
    "lrec": "language resources and evaluation",
    "neurips": "neural information processing systems",
    "nips": "neural information processing systems",
    "icml": "international conference on machine learning",
    "iclr": "learning representations",
    "cvpr": "computer vision and pattern recognition",
    "kdd": "knowledge discovery",
    "sigir": "research and development in information retrieval",
    "tacl": "transactions of the association for computational linguistics",
    "jmlr": "journal of machine learning research",
    "pnas": "proceedings of the national academy of sciences",
}


def same_venue(venue: str, other: str) -> bool:
    """Whether two names are of one venue. Nothing is said against a name that does not say what it stands for."""
    if any(_SERIES.match(name) or _is_short_name(name) for name in (venue, other)):
        return True
    main, other_main = (_SUBTITLE.split(name, maxsplit=1)[0] for name in (venue, other))
    return any(_same_words(*map(_venue_words, pair)) for pair in ((venue, other), (main, other), (venue, other_main)))


def _is_short_name(venue: str) -> bool:
    """Whether a name has only acronyms: what `NeurIPS` or `EMNLP-CoNLL` stands for is not written anywhere here."""
    said = [word for word in _venue_words(venue) if _counts(word)]
    return bool(said) and all(map(_ACRONYM.fullmatch, said))


def _venue_words(venue: str) -> list[str]:
    words = re.findall(r"\w+", without_accents(_ADDED.sub(" ", venue)))
    kept = [word for word in words if word.lower() not in VENUE_STOP_WORDS and not _ORDINAL.fullmatch(word.lower())]
    return kept[:_MOST_WORDS]


def _counts(word: str) -> bool:
    return not _COMMON_WORDS.fullmatch(word.lower())


def _same_words(mine: Sequence[str], theirs: Sequence[str]) -> bool:
    has_own_words = any(map(_counts, mine)) and any(map(_counts, theirs))
    weights = [[int(not has_own_words or _counts(word)) for word in words] for words in (mine, theirs)]
    agreed = _agreements(mine, theirs, *weights)
    mine_whole, theirs_whole = map(sum, weights)
    if agreed[-1][-1] > SAME_VENUE * (mine_whole + theirs_whole):
        return True
    # One name may be the beginning of the other.
    begins = any(row[-1] == sum(weights[0][:end]) + theirs_whole for end, row in enumerate(agreed))
    begins |= any(found == sum(weights[1][:end]) + mine_whole for end, found in enumerate(agreed[-1]))
    return begins and min(mine_whole, theirs_whole) >= LEADING_WORDS


def _agreements(
    mine: Sequence[str], theirs: Sequence[str], my_weights: Sequence[int], their_weights: Sequence[int]
) -> list[list[int]]:
    """How much of the first words of both names agrees at most, in order, for all numbers of first words."""
    sizes = range(1, _MOST_INITIALS + 1)
    spans = [(1, size) for size in sizes] + [(size, 1) for size in sizes[1:]]
    most = [[0] * (len(theirs) + 1) for _ in range(len(mine) + 1)]
    for i in range(len(mine) + 1):
        for j in range(len(theirs) + 1):
            ways = [most[i - 1][j] if i else 0, most[i][j - 1] if j else 0]
            for a, b in ((i - of_mine, j - of_theirs) for of_mine, of_theirs in spans):
                if a >= 0 and b >= 0 and _stands_for(*sorted((mine[a:i], theirs[b:j]), key=len)):
                    ways.append(most[a][b] + sum(my_weights[a:i]) + sum(their_weights[b:j]))
            most[i][j] = max(ways)
    return most


def _stands_for(short: Sequence[str], written: Sequence[str]) -> bool:
    """Whether a word abbreviates another, as `engl`, `natl` and `j` do, or has the initials of several."""
    if len(written) == 1:
        shorter, longer = sorted((short[0].lower(), written[0].lower()), key=len)
        contracted = len(shorter) >= 3 and shorter[-1] == longer[-1] and shorter[0] == longer[0]
        return longer.startswith(shorter) or (contracted and _in_order(shorter, longer))
    acronym, initials = short[0].lower(), "".join(word[0] for word in written).lower()
    if len(acronym) < ACRONYM_WORDS * len(written) or not (len(acronym) > 3 or _ACRONYM.fullmatch(short[0])):
        return False
    return acronym[0] == initials[0] and acronym[-1] == initials[-1] and _in_order(acronym, initials)


def _in_order(letters: str, text: str) -> bool:
    left = iter(text)
    return all(letter in left for letter in letters)


def venue_names(name: str) -> list[str]:
    """A name, what it stands for, and what stands for it: `NeurIPS` and `Neural Information Processing Systems`."""
    plain = " ".join(name.lower().split())
    others = [long for short, long in VENUE_NAMES.items() if short == plain]
    return [name, *others, *(short for short, long in VENUE_NAMES.items() if long == plain)]
