"""Reads what a text states plainly: years, people and venues that are known, kinds, quoted phrases, negations.

Everything else is the topic of a question, as words; of a note it is not understood, and changes nothing.
"""

import re
import unicodedata
from collections.abc import Sequence, Sized
from dataclasses import dataclass, field
from typing import TypeVar

from paper_search.models import Reading
from paper_search.plan import SearchPlan
from paper_search.skills.attribution import read_authors, read_venues
from paper_search.skills.kinds import REQUEST, kind_named, read_kinds
from paper_search.skills.names import KnownNames, is_language
from paper_search.skills.topics import is_general
from paper_search.skills.years import BREAK, TAKEN, read_years
from papercore import limits
from papercore.text import REQUEST_STOP_WORDS, hyphenated_words

Item = TypeVar("Item", bound=Sized)
_SIGNS = str.maketrans({"，": ", ", "、": ", ", "。": ". ", "；": "; ", "！": "! ", "？": "? ", "’": "'"})
# A longer text is a pasted abstract, not a question: what it mentions in passing is not asked for.
QUESTION_WORDS = 30
# What is excluded, wanted or not wanted is named in a few words; more are a thought that no rule follows.
PHRASE_WORDS = 6
_QUOTED = re.compile(r'["“”„]([^"“”„]{2,100})["“”]')
_REST = r"(?P<object>[^,;.!?|():]+)"
# A noun phrase: up to a word that begins another one.
_NOUNS = (
    r"(?P<object>[^\s,;.!?|():]+(?: (?!(?:for|on|in|about|using|at|by|if|when|since|from|that|which|with|to|as|but|of"
    r"|before|and (?:before|after))\b)"
    r"[^\s,;.!?|():]+){0,3})"
)
_POLITE = r"^(?:please |and |so |also |rather |now |or ){0,2}"


def _patterns(*patterns: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern, re.I) for pattern in patterns)


# What is left out: at the beginning of a thought, or by words that cannot mean anything else.
_LEFT_OUT = _patterns(
    rf"{_POLITE}(?:no more|no|not|without|(?:nothing|none)(?= (?:on|about|by)\b)|leave out|skip|exclude|avoid|ignore"
    r"|drop|remove|reject|omit|(?:I |we )?(?:don't|do not) (?:want|need|show|include)(?: me)?(?: to see)?"
    rf"|(?:I'd|I would) rather not (?:see|have)) {_REST}",
    rf"(?<!nothing )(?<!none )\b(?:except(?: for)?|excluding|other than|apart from|leaving out|and not|(?:all|anything"
    rf"|everything) but) {_REST}",
    r"^(?P<object>[^,;.!?|():]+?) (?:is|are) (?:out|excluded|not wanted|not relevant)$",
    r"^(?:please )?leave (?!one\b|it\b|that\b)(?P<object>[^,;.!?|():]+?) out$",
)
_NOT_INSIDE = re.compile(rf"(?<=\w )not {_REST}", re.I)
# Negations that no rule follows, and times that are no years: taken out of the question, and told.
_UNCLEAR = _patterns(
    r"\bnothing but [^,;.!?|():]+",
    r"\bnot (?:only|just|necessarily|all|every|so|too|very|really|quite|enough|sure|to|yet(?! another)) [^,;.!?|():]+",
    r"^not [a-z-]+(?:able|ible|ful|ive|ous|ed|ing|ant|ent|ly)$",
    rf"(?<=\w )(?:without|besides|with no|rather than|instead of|as opposed to) {_NOUNS}",
    rf"\b(?:since|newer than|older than|prior to|before) {_NOUNS}",
    rf"\bafter (?=(?:the )?[^\s|]*(?-i:[A-Z0-9])){_NOUNS}",
)
# Behind one of these, `not` makes a statement, as in `why is attention not explanation`.
_VERBS = re.compile(
    r"\b(?:is|are|was|were|be|been|am|do|does|did|can|could|should|will|would|may|might|must|has|have|had|why|if|whether"
    r"|\w+(?:n't|'s|'re))\b",
    re.I,
)
_MORE = re.compile(
    rf"{_POLITE}(?:more(?: papers| work)?(?: on| about)?|focus(?: more)? on|concentrate on"
    r"|(?:I|we) (?:want|need|mean|meant|would like|prefer|am looking for)|look(?: more)? for|add|include) "
    rf"(?!of\b|like\b|to\b){_REST}",
    re.I,
)
_LESS = re.compile(rf"{_POLITE}(?:less|fewer|too much|too many)(?: papers| work)? {_REST}", re.I)
# `More on owls and less on mice` are two thoughts.
_MORE_AND_LESS = re.compile(
    r"(?<=\w)(?<!\bor)(?<!\bno)(?<!\bnot)(?<!\bany)(?<!\bmuch)(?: and)? (?=(?:more|less|fewer) \w)", re.I
)
# Behind these, a word of every field is praise or blame, as in `not good` and `more detailed`.
_JUDGES = re.compile(rf"{_POLITE}(?:no|not|more|less) (?!(?:papers )?(?:on|about) )", re.I)
_LEADING = re.compile(
    r"^(?:(?:any|the|a|an|about|on|for|those|these|of|papers?|work|articles?|stuff|studies|anything|everything"
    r"|yet another|another|more|some|with|using|from|that use|all|just|only) )+",
    re.I,
)
_TRAILING = re.compile(
    r"(?: (?:please|for now|at all|ones?|papers?|articles?|anymore|any more|stuff|instead|too|though)){1,4}$", re.I
)
# A phrase with one of these is a clause, or points at something: it names nothing by itself.
_CLAUSE = frozenset(
    hyphenated_words(
        "than what that this these those which who whom whose i you we they he she it me us them is are was were be do"
        " does did have has had can will would should why when where how because if there as like in at into to first"
        " second third last next same other others opposite number yet so very too before after since until not"
        " no never older newer"
    )
)
# Nor do these: what somebody thinks of the results, or what only sounds like a negation.
_SAYING = frozenset(
    hyphenated_words(
        "bad wrong right fine nice great convincing useful helpful boring nonsense sure idea ideas problem problems"
        " thanks complaint complaints doubt need wonder matter longer one ones luck use clue thank"
    )
)
_REQUESTED = re.compile(
    rf"{REQUEST}(?:(?:papers?|articles?|works?|literature|studies|publications|research)"
    r" (?:on|about|regarding|concerning)"
    r"|(?:latest|newest|recent) (?:results|findings|advances|progress|work|research) (?:of|in|on|about)) (?=\S)",
    re.I,
)
# Words that say nothing once what stood beside them was taken away.
_JOINING = frozenset(
    hyphenated_words(
        "on of in the a an and or did do does about for with from by at to together papers paper work anything articles"
        " publications published written something maybe also only"
    )
)


@dataclass
class ReadText:
    """What was read so far; `rest` is what is left of the text."""

    rest: str
    plan: SearchPlan = field(default_factory=SearchPlan)
    not_understood: list[str] = field(default_factory=list)

    def reading(self) -> Reading:
        """For whoever wrote the text."""
        return Reading(understood=self.plan.filled(), not_understood=self.not_understood)


def read_question(text: str, known: KnownNames | None = None, this_year: int | None = None) -> ReadText:
    """A question: what it states plainly in fields, and all other words as its topic."""
    line = _one_line(text)
    as_words = ReadText("", SearchPlan(topic=line[: limits.KEYWORD_CHARS]))
    if len(line.split()) > QUESTION_WORDS:
        return as_words
    read = _read_fields(line, known or KnownNames(), this_year)
    topic = _topic(read)
    if not topic and not read.plan.authors and not read.plan.venues:
        # Nothing would be left to search for: the text is words, and no part of it counts for more.
        return as_words
    read.plan.topic = topic[: limits.KEYWORD_CHARS]
    return read


def read_note(text: str, known: KnownNames | None = None, this_year: int | None = None) -> ReadText:
    """A note on results: the fields that it changes, and words to rank by; the rest is not understood."""
    line = _one_line(text)
    if any(_MORE.match(thought) or _LESS.match(thought) for thought in thoughts(line)):
        line = _MORE_AND_LESS.sub(", ", line)
    read = _read_fields(line, known or KnownNames(), this_year)
    plan = read.plan
    plan.concepts, plan.prefer = [], [phrase for (phrase,) in plan.concepts if phrase not in plan.not_]
    for thought in thoughts(read.rest):
        wanted, unwanted = _MORE.match(thought), _LESS.match(thought)
        found = wanted or unwanted
        terms = _terms(found["object"], found[0]) if found else []
        kinds = [kind for term in terms if (kind := kind_named(term))]
        if terms and len(kinds) < len(terms):
            _extend(plan.prefer if wanted else plan.avoid, terms)
        elif kinds:
            _extend(plan.kinds if wanted else plan.not_kinds, kinds)
        elif not read_kinds(thought) and (" " in thought or _has_topic(thought)):
            read.not_understood.append(thought)
    return read


def thoughts(text: str) -> list[str]:
    return [part for piece in BREAK.split(text) if (part := piece.strip())]


def _read_fields(line: str, known: KnownNames, this_year: int | None) -> ReadText:
    """Years, negations, people, venues, kinds and quoted phrases, in this order; each takes its words away."""
    years = read_years(line, this_year)
    read = ReadText(years.rest, not_understood=list(years.not_understood))
    plan = read.plan
    plan.year_from, plan.year_to = years.first, years.last
    _read_negations(read, known)
    venues = read_venues(read.rest, known)
    _extend(plan.venues, venues.names)
    if venues.year and not plan.year_from and not plan.year_to:
        plan.year_from = plan.year_to = venues.year
    authors = read_authors(venues.rest, known)
    _extend(plan.authors, authors.names)
    read.rest = authors.rest
    _extend(plan.kinds, [kind for thought in thoughts(read.rest) for kind in read_kinds(thought)])
    plan.kinds = [kind for kind in plan.kinds if kind not in plan.not_kinds]
    _extend(plan.concepts, [[phrase] for found in _QUOTED.findall(read.rest) if (phrase := found.strip(" |,;:-"))])
    return read


def _read_negations(read: ReadText, known: KnownNames) -> None:
    """Note what is left out, or that it cannot be followed, and take it out of the text."""
    left, rest = thoughts(read.rest), []
    while left:
        thought = left.pop(0)
        found = next(filter(None, (pattern.search(thought) for pattern in _LEFT_OUT)), None)
        unclear = next(filter(None, (pattern.search(thought) for pattern in _UNCLEAR)), None)
        if not found and not unclear and (inside := _NOT_INSIDE.search(thought)):
            found = None if _VERBS.search(thought[: inside.start()]) else inside
        if unclear and not (found and found.start() > unclear.end()):
            found = unclear
        elif found and not _leave_out(found, read.plan, known):
            unclear = found
        if not found:
            rest.append(thought)
            continue
        if unclear is found:
            read.not_understood.append(found[0].strip())
        left[:0] = filter(None, (thought[: found.start()].strip(), thought[found.end() :].strip()))
    read.rest = TAKEN.join(rest)


def _leave_out(found: re.Match[str], plan: SearchPlan, known: KnownNames) -> bool:
    """Whether kinds, people, languages or words are named plainly; then they are left out."""
    named = _LEADING.sub("", found["object"].strip())
    terms = _terms(named.removeprefix("by "), found[0])
    if named.startswith("by ") and not all(known.is_author(term) for term in terms):
        return False
    for term in terms:
        if kind := kind_named(term):
            _extend(plan.not_kinds, [kind])
        elif named.startswith("by ") or known.is_only_author(term):
            _extend(plan.not_authors, [term])
        elif is_language(term):
            # Papers about other languages mention it too: it only ranks lower what is about it.
            _extend(plan.avoid, [term])
        else:
            _extend(plan.not_, [term])
    return bool(terms)


def _terms(phrase: str, thought: str) -> list[str]:
    """`A and B` is two; nothing if the phrase is too long to be meant so, or names nothing by itself.

    Nor does a word of every field in a thought that says what somebody thinks of the results.
    """
    found, judges = [], _JUDGES.match(thought)
    for part in re.split(r" (?:and|or|nor) | ?/ ?", phrase.strip()):
        term = _TRAILING.sub("", _LEADING.sub("", part.strip(" '\"“”-") + " ").strip()).strip(" '\"“”")
        words = [word.lower() for word in term.split()]
        if not words or len(words) > PHRASE_WORDS or len(term) > limits.SYNONYM_CHARS:
            return []
        empty = (word in REQUEST_STOP_WORDS or (judges and is_general(word)) for word in words)
        if all(empty) and not kind_named(term):
            return []
        if words[0] in _SAYING or not _CLAUSE.isdisjoint(words) or re.search(r"^\d+$|\b(?:19|20)\d\d\b", term):
            return []
        found.append(term)
    return found


def _topic(read: ReadText) -> str:
    """What is left of a question, without the words that asked for it and those that joined it to what was taken."""
    pieces = [piece.strip(" ,;:-") for piece in read.rest.split("|")]
    pieces[0] = _REQUESTED.sub("", pieces[0])
    kept = []
    for piece in pieces:
        words = piece.split()
        if read.plan.filled() or read.not_understood:
            while words and words[0].lower() in _JOINING:
                words = words[1:]
            while words and words[-1].lower() in _JOINING:
                words = words[:-1]
        kept += words
    topic = " ".join(kept).strip(" ,;:-")
    return topic if _has_topic(topic) else ""


def _one_line(text: str) -> str:
    """With single blanks; signs of Chinese and Japanese end a thought as others do."""
    return " ".join(unicodedata.normalize("NFKC", text.translate(_SIGNS)).split())


def _has_topic(text: str) -> bool:
    return any(word not in REQUEST_STOP_WORDS for word in hyphenated_words(text))


def _extend(terms: list[Item], added: Sequence[Item]) -> None:
    """Within the limits of a plan, each once."""
    new = [term for term in added if term not in terms and len(term) <= limits.SYNONYM_CHARS]
    terms += new[: limits.FILTER_TERMS - len(terms)]
