"""Reads what a text states plainly: years, people and venues that are known, kinds, quoted phrases, negations.

Everything else is the topic of a question, as words; of a note it is not understood, and changes nothing.
"""

import re
import unicodedata
from collections.abc import Sequence, Sized
from dataclasses import dataclass, field, replace
from typing import TypeVar

from paper_search.models import Reading
from paper_search.plan import SearchPlan
from paper_search.reading.attribution import read_authors, read_venues
from paper_search.reading.kinds import REQUEST, kind_named, read_kinds, split_kind
from paper_search.reading.names import KnownNames, is_language
from paper_search.reading.negations import POLITE, Negation, split_negations, thoughts
from paper_search.reading.years import TAKEN, read_years
from paper_search.topics import is_general
from papercore import limits
from papercore.text import REQUEST_STOP_WORDS, hyphenated_words

Item = TypeVar("Item", bound=Sized)
_SIGNS = str.maketrans({"，": ", ", "、": ", ", "。": ". ", "；": "; ", "！": "! ", "？": "? ", "’": "'"})
# A longer text is a pasted abstract, not a question: what it mentions in passing is not asked for.
QUESTION_WORDS = 60
# `Learning without forgetting` may be what somebody calls a method.
NAME_WORDS = 3
# What is excluded, wanted or not wanted is named in a few words; more are a thought that no rule follows.
PHRASE_WORDS = 6
_QUOTED = re.compile(r'["“”„]([^"“”„]{2,100})["“”]')
# Blanks inside quotation marks: nothing in them is read.
_INSIDE_QUOTES = "\u2060"
_REST = r"(?P<object>[^,;.!?|():]+)"
_MORE = re.compile(
    rf"{POLITE}(?:more(?: papers| work)?(?: on| about)?|focus(?: more)? on|concentrate on"
    r"|(?:I|we) (?:want|need|mean|meant|would like|prefer|(?:am|are) (?:looking for|interested in))"
    r"|(?:I'm|we're) (?:looking for|interested in)|look(?: more)? for|add|include|only|just|also|(?:what|how) about) "
    rf"(?!of\b|like\b|to\b){_REST}",
    re.I,
)
_MORE_BEHIND = re.compile(rf"^{_REST} (?:only|too|instead|as well|first)$", re.I)
_LESS = re.compile(rf"{POLITE}(?:less|fewer|too much|too many)(?: papers| work)? {_REST}", re.I)
# `More on owls and less on mice` are two thoughts, and so is what ends with another wish.
_MORE_AND_LESS = re.compile(
    r"(?<=\w)(?<!\bor)(?<!\bno)(?<!\bnot)(?<!\bany)(?<!\bmuch)(?: and)? (?=(?:more|less|fewer) \w)", re.I
)
_AND_ALSO = re.compile(
    r" and (?=(?:please |then |also |rather )?(?:focus|concentrate) (?:more )?on |(?:show|give) me |add |include "
    r"|look for |(?:drop|skip|exclude|remove|ignore|omit) |leave out |(?:I|we) (?:want|need|prefer|would) )",
    re.I,
)
_RATHER = re.compile(r"(?:^|(?<=[,|] ))(?P<said>(?:preferably|ideally|if possible|best if|if you can)\b[^,|]*)", re.I)
# Behind a year that was read.
_EXCEPTION = re.compile(rf"\| +(?P<said>(?:except|other than|apart from|unless|besides) {_REST})", re.I)
# Behind these, a word of every field is praise or blame, as in `not good` and `more detailed`.
_JUDGES = re.compile(
    rf"{POLITE}(?:no|not|more|less|only|just|also) (?!(?:papers )?(?:on|about) )|\w (?:only|too)$", re.I
)
_AND = re.compile(r" (?:and|or|nor)(?: no| not)? | ?/ ?")
# It may also begin a name, as in `skip connections`.
_VERB = re.compile(r"(?:skip|drop|ignore|avoid|remove|reject|exclude|omit|hide) ", re.I)
_COINED = re.compile(r"\w[^A-Z\s]*[A-Z][\w-]*")
_LEADING = re.compile(
    r"^(?:(?:any|the|a|an|about|on|for|those|these|of|papers?|ones|work|articles?|stuff|studies|anything|everything"
    r"|yet another|another|more|some|with|using|from|that use|all|just|only) )+",
    re.I,
)
_TRAILING = re.compile(
    r"(?: (?:please|for now|at all|ones?|papers?|articles?|work|anymore|any more|stuff|instead|too|though)){1,4}$", re.I
)
# A phrase with one of these is a clause, or points at something: it names nothing by itself.
_CLAUSE = frozenset(
    hyphenated_words(
        "than what that this these those which who whom whose i you we they he she it me us them is are was were be do"
        " does did have has had can will would should why when where how because if there as like in at into to first"
        " second third last next same other others opposite number yet so very too before after since until not"
        " no never older newer above below least"
        " nothing none anything something everything anyone someone nobody everyone"
    )
)
# Nor do these: they are of the search or of publishing, not what a paper is about.
_NO_TOPIC = re.compile(
    r"(?:(?:year|date|time|language|author|venue|source|search|result)s? )?"
    r"(?:limit|filter|restriction|constraint|range|result|hit|duplicate|list|rest|search|query|year|author|source)(?:e?s)?"
    r"|(?:results|hits) .*|.* (?:results|hits)|(?:conference|journal|workshop)s?|(?:arxiv )?preprints?|arxiv"
    r"|proceedings|publications",
    re.I,
)
# Nor do these: what somebody thinks of the results, or what only sounds like a negation.
_SAYING = frozenset(
    hyphenated_words(
        "bad wrong right fine nice great convincing useful helpful boring nonsense sure idea ideas problem problems"
        " thanks complaint complaints preference opinion comment comments doubt need wonder matter longer one ones luck"
        " use clue thank"
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
        " publications published written something maybe also only that which is are was were there any"
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
    line, known = _one_line(text), known or KnownNames()
    as_words = ReadText("", SearchPlan(topic=_plain(line)[: limits.KEYWORD_CHARS]))
    if len(line.split()) > QUESTION_WORDS:
        return replace(as_words, not_understood=[_plain(line)])
    read = _read_fields(line, known, this_year)
    topic = _topic(read)
    is_name = read.not_understood and len(line.split()) <= NAME_WORDS and known.is_phrase(line)
    if is_name or not (topic or read.plan.authors or read.plan.venues):
        # Nothing would be left to search for: the text is words, and no part of it counts for more.
        return replace(as_words, not_understood=[_plain(line)] if read.plan.filled() or read.not_understood else [])
    read.plan.topic = topic[: limits.KEYWORD_CHARS]
    return _in_order(read, line)


def read_note(text: str, known: KnownNames | None = None, this_year: int | None = None) -> ReadText:
    """A note on results: the fields that it changes, and words to rank by; the rest is not understood."""
    line = _AND_ALSO.sub(", ", _one_line(text))
    if any(_MORE.match(thought) or _LESS.match(thought) for thought in thoughts(line)):
        line = _MORE_AND_LESS.sub(", ", line)
    read = _read_fields(line, known or KnownNames(), this_year)
    plan = read.plan
    plan.concepts, plan.prefer = [], [phrase for (phrase,) in plan.concepts if phrase not in plan.not_]
    for thought in thoughts(read.rest):
        wanted, unwanted = _MORE.match(thought) or _MORE_BEHIND.match(thought), _LESS.match(thought)
        found = unwanted or wanted
        kinds, about = ([], "") if unwanted else split_kind(found["object"] if found else thought)
        phrase = found["object"] if found and not kinds else about
        terms = _terms(phrase, found[0] if found else thought) if phrase else []
        named = [kind for term in terms if (kind := kind_named(term))]
        if len(named) == len(terms):
            _extend(plan.not_kinds if unwanted else plan.kinds, [*kinds, *named])
        else:
            _extend(plan.kinds, kinds)
            _extend(plan.avoid if unwanted else plan.prefer, terms)
        if not terms and (phrase or not kinds) and (" " in thought or _has_topic(thought)):
            read.not_understood.append(_plain(thought))
    return _in_order(read, line)


def _in_order(read: ReadText, line: str) -> ReadText:
    """What was told as it stands in the text; parts that belong together as one."""
    line, told = _plain(line), list[tuple[int, int]]()
    for start, length in sorted((line.find(part), len(part)) for part in dict.fromkeys(read.not_understood)):
        if told and start >= 0 and not line[sum(told[-1]) : start].strip():
            told[-1] = (told[-1][0], start + length - told[-1][0])
        elif start >= 0:
            told.append((start, length))
    lost = [part for part in read.not_understood if part not in line]
    return replace(read, not_understood=[line[start : start + length] for start, length in told] + lost)


def _read_fields(line: str, known: KnownNames, this_year: int | None) -> ReadText:
    """Years, negations, people, venues, kinds and quoted phrases, in this order; each takes its words away."""
    years = read_years(line, this_year)
    read = ReadText(years.rest, not_understood=list(years.not_understood))
    plan = read.plan
    plan.year_from, plan.year_to = years.first, years.last
    rest, negations = split_negations(
        _EXCEPTION.sub(TAKEN, years.rest), lambda text: bool(_VERB.match(text)) and known.is_phrase(text), _are_alike
    )
    read.not_understood += [_plain(found.text) for found in negations if not _leave_out(found, plan, known)]
    # What would only be better is no condition, and an exception to a year is none either.
    apart = (*_RATHER.finditer(rest), *_EXCEPTION.finditer(years.rest))
    read.not_understood += [_plain(found["said"]).strip() for found in apart]
    venues = read_venues(_RATHER.sub(TAKEN, rest), known)
    _extend(plan.venues, venues.names)
    if venues.years and not plan.year_from and not plan.year_to:
        plan.year_from, plan.year_to = min(venues.years), max(venues.years)
    authors = read_authors(venues.rest, known)
    _extend(plan.authors, authors.names)
    read.not_understood += venues.told
    read.rest = authors.rest
    _extend(plan.kinds, [kind for thought in thoughts(read.rest) for kind in read_kinds(thought)])
    plan.kinds = [kind for kind in plan.kinds if kind not in plan.not_kinds]
    quoted = (_plain(found).strip(" |,;:-") for found in _QUOTED.findall(read.rest))
    _extend(plan.concepts, [[phrase] for phrase in quoted if phrase])
    return read


def _leave_out(negation: Negation, plan: SearchPlan, known: KnownNames) -> bool:
    """Whether kinds, people, languages or words are named plainly; then they are left out."""
    named = _LEADING.sub("", negation.object.strip())
    terms = _terms(named.removeprefix("by "), negation.text)
    if named.startswith("by ") and not all(known.is_author(term) for term in terms):
        return False
    if any(term.isupper() and known.is_venue(term) for term in terms):
        return False  # no plan can leave out a venue
    for term in terms:
        if kind := kind_named(term):
            _extend(plan.not_kinds, [kind])
        elif named.startswith("by ") or known.is_only_author(term):
            _extend(plan.not_authors, [term])
        elif any(map(is_language, re.split(r"[\s-]", term))):
            # Papers about other languages mention it too: it only ranks lower what is about it.
            _extend(plan.avoid, [term])
        else:
            _extend(plan.not_, [term])
    return bool(terms)


def _are_alike(phrases: Sequence[str]) -> bool:
    """Whether they name nothing but kinds of papers, languages, or things by one word with capitals, as `SQuAD`."""
    terms = [_terms(phrase, phrase) for phrase in phrases]
    flat = [term for found in terms for term in found]
    return all(terms) and any(all(map(is_one, flat)) for is_one in (kind_named, is_language, _COINED.fullmatch))


def _terms(phrase: str, thought: str) -> list[str]:
    """`A and B` is two; nothing if the phrase is too long to be meant so, or names nothing by itself.

    Nor does a word of every field in a thought that says what somebody thinks of the results.
    """
    found, judges = [], _JUDGES.match(thought)
    for part in (
        [phrase] if kind_named(phrase) else re.split(r" (?:and|or|nor)(?: no| not)? | ?/ ?", _plain(phrase).strip())
    ):
        term = _TRAILING.sub("", _LEADING.sub("", part.strip(" '\"“”-") + " ").strip()).strip(" '\"“”")
        # In capitals it is no pronoun: `US`, `IT`.
        words = [word if word.isupper() and len(word) > 1 else word.lower() for word in term.split()]
        if not words or len(words) > PHRASE_WORDS or len(term) > limits.SYNONYM_CHARS:
            return []
        empty = (word in REQUEST_STOP_WORDS or (judges and is_general(word)) for word in words)
        if all(empty) and not kind_named(term):
            return []
        if (
            words[0] in _SAYING
            or _NO_TOPIC.fullmatch(term)
            or not _CLAUSE.isdisjoint(words)
            or re.search(r"^\d+$|\b(?:19|20)\d\d\b", term)
        ):
            return []
        found.append(term)
    return found


def _topic(read: ReadText) -> str:
    """What is left of a question, without the words that asked for it and those that joined it to what was taken."""
    pieces = [piece.strip(" ,;:-") for piece in re.split(r"\||, ", read.rest)]
    pieces[0] = _REQUESTED.sub("", pieces[0])
    kept: list[str] = []
    for piece in pieces:
        words = piece.split()
        if read.plan.filled() or read.not_understood:
            words = words if _has_topic(piece) else []
            while words and words[0].lower() in _JOINING:
                words = words[1:]
            while words and words[-1].lower() in _JOINING:
                words = words[:-1]
        kept += words
    topic = _plain(" ".join(kept)).strip(" ,;:-")
    return topic if _has_topic(topic) else ""


def _one_line(text: str) -> str:
    """With single blanks, none inside quotation marks; signs of Chinese and Japanese end a thought as others do."""
    line = " ".join(unicodedata.normalize("NFKC", text.translate(_SIGNS)).split())
    return _QUOTED.sub(lambda found: found[0].replace(" ", _INSIDE_QUOTES), line)


def _plain(text: str) -> str:
    return text.replace(_INSIDE_QUOTES, " ")


def _has_topic(text: str) -> bool:
    return any(word not in REQUEST_STOP_WORDS for word in hyphenated_words(text))


def _extend(terms: list[Item], added: Sequence[Item]) -> None:
    """Within the limits of a plan, each once."""
    new = [term for term in added if term not in terms and len(term) <= limits.SYNONYM_CHARS]
    terms += new[: limits.FILTER_TERMS - len(terms)]
