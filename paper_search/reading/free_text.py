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
from paper_search.skills.topics import is_general
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
_COINED = re.compile(r"\w+[A-Z][\w-]*")
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
    r"|(?:conference|journal|workshop)s?|(?:arxiv )?(?:preprints?)|arxiv|proceedings|publications",
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
_NO_TOPIC.fullmatch(term)
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
