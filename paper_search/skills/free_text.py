"""Reads what a text states plainly: years, people and venues that are known, kinds, quoted phrases, negations.

Everything else is the topic of a question, as words; of a note it is not understood, and changes nothing.
"""

import re
import unicodedata
from dataclasses import dataclass, field

from paper_search.models import Reading
from paper_search.plan import SearchPlan
from paper_search.skills.attribution import read_authors, read_venues
from paper_search.skills.kinds import kind_named, read_kinds
from paper_search.skills.names import KnownNames
from paper_search.skills.years import TAKEN, read_years
from papercore import limits
from papercore.text import REQUEST_STOP_WORDS, hyphenated_words

# A longer text is a pasted abstract, not a question: what it mentions in passing is not asked for.
QUESTION_WORDS = 30
# What is excluded, wanted or not wanted is said in a few words; more are a thought that no rule follows.
PHRASE_WORDS = 6
_QUOTED = re.compile(r'["“”„]([^"“”„]{2,100})["“”]')
# Where one thought ends and the next begins.
_BREAK = re.compile(r"[,;.!?|()](?=\s|$)|:(?=\s)|(?:^|(?<=\s))but(?=\s)|\n")
_PHRASE = r"(?P<what>[^,;.!?|():]+)"
# A negation at the beginning of a thought, and one that cannot mean anything else anywhere.
_NEGATED_START = re.compile(
    r"^(?:please |and |so |also ){0,2}(?:no more|no|not about|not on|not|without|nothing (?:on|about|with)|leave out"
    r"|skip|exclude|avoid|ignore|(?:I |we )?(?:don't|do not) (?:want|need|show|include)(?: to see| any)?) "
    r"(?!only\b|just\b|sure\b|so\b|idea\b|one\b|problem\b|thanks\b|longer\b|matter\b|because\b|to\b|really\b)"
    rf"{_PHRASE}",
    re.I,
)
_NEGATED = re.compile(
    rf"\b(?:except(?: for)?|excluding|other than|apart from|leaving out|but not|and not) (?!only\b|just\b){_PHRASE}",
    re.I,
)
# What is named first: `cascades are out`, `leave social media out`.
_LEFT_OUT = re.compile(
    r"^(?:(?P<subject>[^,;.!?|():]+?) (?:is|are) (?:out|excluded|not wanted|not relevant)"
    r"|(?:please )?leave (?!one\b|it\b|that\b)(?P<object>[^,;.!?|():]+?) out)$",
    re.I,
)
# `not` in the middle: not after a verb, where it makes a statement, as in `attention is not explanation`.
_NOT = re.compile(
    r"(?P<before>\b[\w'’-]+) not "
    r"(?!only\b|just\b|sure\b|so\b|necessarily\b|enough\b|all\b|every\b|the\b|to\b|yet (?!another))"
    rf"{_PHRASE}",
    re.I,
)
_VERBS = frozenset(
    hyphenated_words(
        "is are was were be been being am do does did can could should would will shall may might must has have had"
        " why if or whether it's that's i'm we're they're it"
    )
)
_LEADING = re.compile(
    r"^(?:(?:any|the|a|an|about|on|for|those|these|of|papers?|work|articles?|stuff|studies|anything|yet another|more"
    r"|some|with|using|from|by|that use|all|just|only) )+",
    re.I,
)
_TRAILING = re.compile(
    r"(?: (?:please|for now|at all|ones?|papers?|articles?|anymore|any more|stuff|instead|too|though)){1,4}$", re.I
)
# Words that ask for papers, before what they are about.
_REQUEST = re.compile(
    r"^(?:(?:please|find|show|give|list|get|search|look|looking|me|us|for|any|some|all|the|recent|more|good|other|are"
    r"|there|is|do|you|have|i|i'm|we|want|need|am) )*"
    r"(?:papers?|articles?|works?|literature|studies|publications|research) (?:on|about|regarding|concerning) (?=\S)",
    re.I,
)
# A time that is no year: `before neural networks` is neither a year nor a topic.
_NO_YEAR = re.compile(
    r"\b(?:(?:since|newer than|older than|prior to|before)(?= [^|])|after(?= (?:the )?[^\s|]*[A-Z0-9]))"
    r"(?: (?!(?:for|on|about|of|in|with|using|at|by|and|or|but|if)\b)[^\s,;.!?|():]+){1,4}"
)
_MORE = re.compile(
    r"^(?:please |and |also |rather |now ){0,2}(?:more(?: papers| work)?(?: on| about| like)?|focus(?: more)? on"
    r"|concentrate on|(?:I|we) (?:want|need|mean|meant|would like|prefer|am looking for)|look(?: more)? for|add"
    r"|include) "
    rf"(?!of the same|of this|like (?:this|these|that)|to\b){_PHRASE}",
    re.I,
)
_LESS = re.compile(rf"^(?:please |and ){{0,2}}(?:less|fewer|too much|too many) {_PHRASE}", re.I)
_MORE_AND_LESS = re.compile(r"(?<=\w) (?=(?:less|fewer) \w)", re.I)
_UNSPECIFIC = frozenset(
    hyphenated_words("it them this that these those opposite same other others another him her everything all")
)
# `Not just X` wants others too: no rule follows that.
_NOT_ONLY = re.compile(r"\bnot (?:only|just) [^,;.!?|():]+", re.I)


@dataclass
class ReadText:
    """What was read so far; `rest` is what is left of the text."""

    rest: str
    plan: SearchPlan = field(default_factory=SearchPlan)
    prefer: list[str] = field(default_factory=list)
    avoid: list[str] = field(default_factory=list)
    not_understood: list[str] = field(default_factory=list)

    def reading(self) -> Reading:
        """For whoever wrote the text."""
        understood = self.plan.filled()
        understood |= {name: words for name, words in (("prefer", self.prefer), ("avoid", self.avoid)) if words}
        return Reading(understood=understood, not_understood=self.not_understood)


def read_question(text: str, known: KnownNames | None = None, this_year: int | None = None) -> ReadText:
    """A question: what it states plainly in fields, and all other words as its topic."""
    line = _one_line(text)
    if len(line.split()) > QUESTION_WORDS:
        return ReadText("", SearchPlan(topic=line[: limits.KEYWORD_CHARS]))
    read = _read_fields(line, known or KnownNames(), this_year)
    for found in _NO_YEAR.finditer(read.rest):
        read.not_understood.append(found[0].strip())
    topic = _REQUEST.sub("", _joined(_NO_YEAR.sub(TAKEN, read.rest)))
    if not _has_topic(topic) and not read.plan.authors and not read.plan.venues:
        # Nothing would be left to search for: the text is words, and no part of it counts for more.
        return ReadText("", SearchPlan(topic=line[: limits.KEYWORD_CHARS]))
    read.plan.topic = topic[: limits.KEYWORD_CHARS] if _has_topic(topic) else ""
    return read


def read_note(text: str, known: KnownNames | None = None, this_year: int | None = None) -> ReadText:
    """A note on results: the fields that it changes, and words to rank by; the rest is not understood."""
    read = _read_fields(_one_line(_MORE_AND_LESS.sub(", ", text)), known or KnownNames(), this_year)
    read.plan.concepts, phrases = [], [concept[0] for concept in read.plan.concepts]
    read.prefer += [phrase for phrase in phrases if phrase not in read.plan.not_]
    for segment in _segments(read.rest):
        wanted, unwanted = _MORE.match(segment), _LESS.match(segment)
        found = wanted or unwanted
        terms = _terms(found["what"]) if found else []
        kinds = [kind for term in terms if (kind := kind_named(term))]
        if found and terms and len(kinds) < len(terms):
            (read.prefer if wanted else read.avoid).extend(terms)
        elif unwanted and kinds:
            read.plan.not_kinds += kinds
        elif not (wanted and kinds) and not read_kinds(segment) and (" " in segment or _has_topic(segment)):
            read.not_understood.append(segment)
    return read


def _read_fields(line: str, known: KnownNames, this_year: int | None) -> ReadText:
    """Years, negations, people, venues, kinds and quoted phrases, in this order; each takes its words away."""
    years = read_years(line, this_year)
    read = ReadText(_NOT_ONLY.sub(TAKEN, years.rest), not_understood=_NOT_ONLY.findall(years.rest))
    plan = read.plan
    plan.year_from, plan.year_to = years.first, years.last
    read.rest = _without_negations(read, known)
    venues = read_venues(read.rest, known)
    plan.venues = _bounded(venues.names)
    if venues.year and not plan.year_from and not plan.year_to:
        plan.year_from = plan.year_to = venues.year
    authors = read_authors(venues.rest, known)
    plan.authors, read.rest = _bounded(authors.names), authors.rest
    excluded = set(plan.not_kinds)
    plan.kinds = [kind for segment in _segments(read.rest) for kind in read_kinds(segment) if kind not in excluded]
    plan.kinds = list(dict.fromkeys(plan.kinds))
    plan.concepts = [[phrase] for phrase in _bounded([_joined(phrase) for phrase in _QUOTED.findall(read.rest)])]
    return read


def _without_negations(read: ReadText, known: KnownNames) -> str:
    """The text without what it excludes, each of which is noted; what cannot be followed is told."""
    parts = []
    for segment in _segments(read.rest):
        start, anywhere, inside = _NEGATED_START.match(segment), _NEGATED.search(segment), _NOT.search(segment)
        if inside and (inside["before"].lower() in _VERBS or inside["before"].lower().endswith(("n't", "'s"))):
            inside = None
        found = start or anywhere or inside or _LEFT_OUT.match(segment)
        if found is None:
            parts.append(segment)
            continue
        place = found.end("before") if found is inside else found.start()
        terms = _terms(next(filter(None, (found.groupdict().get(name) for name in ("what", "subject", "object"))), ""))
        if not terms:
            read.not_understood.append(segment[place:].strip())
        for term in terms:
            if kind := kind_named(term):
                read.plan.not_kinds.append(kind)
            elif term[0].isupper() and known.is_author(term) and not term.isupper():
                read.plan.not_authors.append(term)
            else:
                read.plan.not_.append(term)
        parts.append(segment[:place])
    for name in ("not_", "not_authors"):
        setattr(read.plan, name, _bounded(getattr(read.plan, name)))
    return TAKEN.join(parts)


def _terms(phrase: str) -> list[str]:
    """`A and B` is two; nothing if the phrase is too long to be meant so, or says nothing by itself."""
    found = []
    for part in re.split(r" (?:and|or|nor) | ?/ ?", phrase.strip()):
        term = _TRAILING.sub("", _LEADING.sub("", part.strip(" '\"“”-") + " ").strip()).strip(" '\"“”")
        words = term.split()
        if not words or len(words) > PHRASE_WORDS or len(term) > limits.SYNONYM_CHARS:
            return []
        if all(word.lower() in _UNSPECIFIC or word.lower() in REQUEST_STOP_WORDS for word in words):
            return []
        found.append(term)
    return found


def _segments(text: str) -> list[str]:
    """The text, thought by thought."""
    return [part for piece in _BREAK.split(text) if (part := piece.strip())]


def _one_line(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).replace("’", "'").split())


def _joined(text: str) -> str:
    """The words with single blanks, without what stands for words taken away."""
    return " ".join(text.replace("|", " ").split()).strip(" ,;:-")


def _has_topic(text: str) -> bool:
    return any(word not in REQUEST_STOP_WORDS for word in hyphenated_words(text))


def _bounded(terms: list[str]) -> list[str]:
    """Within the limits of a plan, each once."""
    return [term for term in dict.fromkeys(terms) if 0 < len(term) <= limits.SYNONYM_CHARS][: limits.FILTER_TERMS]
