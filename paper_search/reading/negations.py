"""Finds what a text leaves out, and how far that reaches: a negation that no rule can bound is told as a whole.

So is an exception to a negation, and whatever else has a word of negation: nothing of it may be searched for.
"""

import re
from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct

from paper_search.reading.years import BREAK, TAKEN

_REST = r"(?P<object>[^,;.!?|():]+)"
_TO_END = r"[^,;.!?|():]+"
POLITE = r"^(?:please |and |so |also |rather |now |or |then |(?:could|can|would) you ){0,2}"
# Verbs by which somebody asks for less.
_DROP = r"leave out|skip|exclude|avoid|ignore|drop|remove|reject|omit|hide|filter out"


def _patterns(*patterns: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern, re.I) for pattern in patterns)


# What is left out: at the beginning of a thought, or by words that cannot mean anything else.
_LEFT_OUT = _patterns(
    rf"{POLITE}(?:(?:I'm |I am |we're |we are )?(?:not interested in|no interest in|not looking for)"
    rf"|no more|no|not|without|(?:nothing|none)(?= (?:on|about|by)\b)|{_DROP}"
    r"|stop (?:showing|giving|listing|finding)(?: me)?"
    r"|(?:I |we )?(?:don't|do not) (?:want|need|show|include|like)(?: me)?(?: to see)?"
    rf"|(?:I'd|I would) rather not (?:see|have)) {_REST}",
    rf"(?<!nothing )(?<!none )\b(?:except(?: for)?|excluding|other than|apart from|leaving out|and not|(?:all|anything"
    rf"|everything) but) {_REST}",
    rf"\b(?:that|which|who) (?:is|are|was|were)(?:n't| not) (?:about )?(?!\w+(?:able|ible|ed|ing|ive)\b){_REST}",
    r"^(?P<object>[^,;.!?|():]+?) (?:excluded|left out|not wanted|not needed)$",
    r"^(?P<object>[^,;.!?|():]+?) (?:is|are) (?:out|excluded|irrelevant|unwanted|off[- ]topic|of no interest"
    r"|not (?:wanted|relevant|of interest|interesting))$",
    rf"^(?:please )?leave (?!one\b|it\b|that\b)(?P<object>{_TO_END}?) out$",
)
_NOT_INSIDE = re.compile(rf"(?<=\w )not {_REST}", re.I)
# Negations that no rule follows, and times that are no years. These reach to the end of the thought ...
_UNCLEAR = _patterns(
    rf"\bnothing but {_TO_END}",
    r"\bnot (?:only|just|necessarily|all|every|so|too|very|really|quite|enough|sure|to|yet(?! another)) " + _TO_END,
    r"^not [a-z-]+(?:able|ible|ful|ive|ous|ed|ing|ant|ent|ly)$",
    rf"^(?:avoiding|ignoring|omitting|skipping|leaving aside) {_TO_END}",
    r"(?<!\S)-(?=[^\W\d])[^\s,;.!?|():]+",
)
# ... and these to the end of what they name.
_NAMES_WHAT = _patterns(
    r"(?<=\w )(?:without|besides|with no|rather than|instead of|as opposed to|in contrast to|unlike) "
)
_TIMES = _patterns(
    r"\b(?:since|newer than|older than|prior to|before) ",
    r"\bafter (?=(?:the )?[^\s|]*(?-i:[A-Z0-9]))",
)
# Where the name of a thing ends and the sentence goes on, unless the last word is one that takes a preposition itself.
_GOES_ON = re.compile(r" (?=(?:in|for|at|when|while|during) )", re.I)
_THING_GOES_ON = re.compile(rf"(?<!ing)(?<!ion)(?<!ment)(?<!nce)(?<!ess){_GOES_ON.pattern}", re.I)
_JOINED = re.compile(r"(?:^| )(?:and|or|nor) ", re.I)
_EXCEPTION = re.compile(r"(?:^| )(?:except|other than|apart from|aside from|besides|unless|save for|but) ", re.I)
_ANY = re.compile(
    r"(?<![\w\u2060-])(?:not|no|none|nothing|never|neither|nor|without|cannot|[a-z]{2,6}n't|unlike|except|excludes?|excluding"
    r"|lacks?|lacking|hardly|ohne|nichts?|kein(?:e[nmrs]?)?|sans|pas (?=de|en|sur)|aucune?)(?![\w\u2060'-])"
    r"|不要|不用|没有|而不是|除了",
    re.I,
)
_VERBAL = re.compile(r"n't$|^(?:not|never|cannot|pas )$", re.I)
_AUXILIARY = re.compile(
    r"\b(?:is|are|was|were|do|does|did|can|could|has|have|had|will|would|should|must|may|might) $", re.I
)
# A clause that says something of what stands before it ...
_CONDITION = re.compile(
    r"\b(?:if|when|where|because|although|though|while|even if)\b"
    r"|\b(?:that|which|who|and) (?=(?:\w+ )?(?:not|never|cannot|no longer)\b|\w+n't\b|lacks?\b|excludes?\b)"
    r"|\b(?:for|in|of|by|to|from) (?:which|whom)\b",
    re.I,
)
_CLAUSE = re.compile(rf"{_CONDITION.pattern}|\b(?:that|which|who|whose|they|we|I)\b", re.I)
# ... unless the thought is a statement, or asks whether it is true, as `why is attention not explanation` does.
_STATEMENT = re.compile(
    r"^(?:and )?(?:why|how|who(?:m|se)?|is|are|was|were|am|do|does|did|can|could|should|would|will|has|have|had|may"
    r"|might|must|whether|what (?:is|are|if|makes?)|\w+n't)\b"
    r"|\b(?:say|claim|show|argue|prove|believe|find|evidence|hypothesis|idea|view)\w{0,3} that ",
    re.I,
)
# Behind one of these, `not` makes a statement.
_VERBS = re.compile(
    r"\b(?:is|are|was|were|be|been|am|do|does|did|can|could|should|will|would|may|might|must|has|have|had|why|if|whether"
    r"|\w+(?:n't|'s|'re))\b",
    re.I,
)
# A list behind a comma has short parts, none of which begins a thought of its own.
_LIST_PARTS, _PART_WORDS = 6, 5
_OWN_THOUGHT = re.compile(
    r"^(?:and |or )?(?:please |also |rather |preferably |ideally |mostly |mainly )?(?:more|less|fewer|only|just|focus"
    r"|concentrate|add|include|show|give|find|keep|look|prefer|i|we|it|they|this|these|those|there|is|are|i'm|i'd"
    r"|by|at|from|in|on|about|published|written)\b",
    re.I,
)


class Negation(Struct, frozen=True):
    """`text` is what was written; `object` what it plainly leaves out, if it does."""

    text: str
    object: str = ""


class Piece(Struct, frozen=True):
    """A thought, and the sign that it ends with."""

    text: str
    sign: str = ""


def pieces(text: str) -> list[Piece]:
    found, start = [], 0
    for end in (*BREAK.finditer(text), None):
        found.append(Piece(text[start : end.start() if end else None].strip(), end[0].strip() if end else ""))
        start = end.end() if end else start
    return [piece for piece in found if piece.text]


def thoughts(text: str) -> list[str]:
    return [piece.text for piece in pieces(text)]


def split_negations(
    text: str, is_name: Callable[[str], bool], are_alike: Callable[[Sequence[str]], bool]
) -> tuple[str, list[Negation]]:
    """The text without its negations, and these.

    `is_name` knows a thought that is a name, as `skip connections`; `are_alike` phrases that name things of one kind.
    """
    left, rest, negations = pieces(text), "", list[Negation]()
    while left:
        piece = left.pop(0)
        found = _first(piece.text)
        if not found or is_name(piece.text):
            rest += f"{piece.text}{', ' if piece.sign == ',' else TAKEN}"
            continue
        start, end, named = found
        said, before, behind = (part.strip() for part in (piece.text[start:end], piece.text[:start], piece.text[end:]))
        if rest.endswith(", "):
            rest = f"{rest[:-2]}{TAKEN}"
        if not behind and (count := _belonging(piece, left) or _alike_behind(piece, named, left, are_alike)):
            listed = [part.text for part in left[:count]]
            names = [named, *(re.sub(r"^(?:and|or|nor) ", "", part) for part in listed)]
            # `No surveys, theses or tools`, and what ends with `, or tools`, are lists; others may be of anything.
            last = _JOINED.search(listed[-1])
            is_list = named and last and (last[0] in ("or ", "nor ") or are_alike(names))
            named = " or ".join(names) if is_list else ""
            said = ", ".join((said, *listed))
            del left[:count]
        negations.append(Negation(said, named))
        left[:0] = [Piece(part, piece.sign) for part in (before, behind) if part]
    return rest.removesuffix(TAKEN), negations


def _belonging(piece: Piece, following: Sequence[Piece]) -> int:
    """How many of the thoughts behind a negation still belong to it: an exception, or the rest of a list."""
    if following and _EXCEPTION.match(following[0].text):
        return 1
    for count, part in enumerate(following[:_LIST_PARTS], 1):
        own = _ANY.search(part.text) or _OWN_THOUGHT.match(part.text)
        if piece.sign != "," or own or len(part.text.split()) > _PART_WORDS:
            return 0
        if _JOINED.search(part.text):
            return count
        piece = part
    return 0


def _alike_behind(
    piece: Piece, named: str, following: Sequence[Piece], are_alike: Callable[[Sequence[str]], bool]
) -> int:
    """How many thoughts name things of the kind that was left out: `no BERT, GPT` may be a list."""
    count = 0
    while named and piece.sign == "," and count < len(following) and are_alike([named, following[count].text]):
        piece = following[count]
        count += 1
    return count


def _first(thought: str) -> tuple[int, int, str] | None:
    """The first negation of a thought: where it begins and ends, and its object if that is plain."""
    plain = min(
        (found for pattern in _LEFT_OUT if (found := pattern.search(thought))),
        key=lambda found: found.start(),
        default=None,
    )
    unclear = min(_unclear(thought), default=None)
    inside = _NOT_INSIDE.search(thought)
    if not plain and not unclear and inside and not _VERBS.search(thought[: inside.start()]):
        plain = inside
    if plain and (not unclear or plain.start() < unclear[0]):
        # What is left out of a negation is not what the negation leaves out.
        is_nested = (unclear and unclear[0] < plain.end()) or _EXCEPTION.search(plain["object"])
        return plain.start(), plain.end(), "" if is_nested else plain["object"]
    return (*unclear, "") if unclear else _remaining(thought)


def _unclear(thought: str) -> Iterator[tuple[int, int]]:
    for pattern in _UNCLEAR:
        if found := pattern.search(thought):
            yield found.span()
    for pattern in (*_NAMES_WHAT, *_TIMES):
        if found := pattern.search(thought):
            goes_on = (_GOES_ON if pattern in _TIMES else _THING_GOES_ON).search(thought, found.end())
            # `Without labels for news and blogs`: nobody knows what the blogs belong to.
            is_bounded = (
                goes_on and not _JOINED.search(thought, goes_on.end()) and not _ANY.search(thought, goes_on.end())
            )
            yield found.start(), goes_on.start() if goes_on and is_bounded else len(thought)


def _remaining(thought: str) -> tuple[int, int, str] | None:
    """Any other word of negation, with the clause that it stands in, up to the end; none in a statement."""
    found = _ANY.search(thought)
    if not found:
        return None
    is_statement = _STATEMENT.search(thought)
    clauses = list((_CONDITION if is_statement else _CLAUSE).finditer(thought, 1, found.end()))
    if clauses:
        return clauses[-1].start(), len(thought), ""
    if is_statement:
        return None
    if _VERBAL.search(found[0]):
        # Of `which models do not need labels` the models are asked for.
        auxiliary = _AUXILIARY.search(thought, 0, found.start())
        asks = re.match(r"(?:which|what) ", thought, re.I)
        return (auxiliary.start() if auxiliary else found.start()) if asks else 0, len(thought), ""
    return found.start(), len(thought), ""
