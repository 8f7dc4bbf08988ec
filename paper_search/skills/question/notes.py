"""Reads the note of a reviewer: what the next round must look for, leave out, or be limited to."""

import re
import unicodedata
from collections.abc import Iterable
from itertools import pairwise
from typing import TypeVar

from paper_search.models import ParsedIntent, SearchConstraints
from paper_search.skills.question.concepts import MAX_CONCEPTS
from paper_search.skills.question.exclusions import Exclusions, read_exclusions
from paper_search.skills.question.reading import Question, read_question
from papercore import limits

Item = TypeVar("Item")
# A verdict on the results says nothing about what to look for.
_VERDICT = re.compile(
    r"\b(?:(?:mostly|all|these|this|results?|papers?|they|it|is|are|still|really|quite|much|far|the) ){0,5}"
    r"(?:not relevant(?: at all)?|irrelevant|not useful|useless|off[- ]topic|too (?:broad|general|narrow|old"
    r"|specific)|wrong(?: (?:field|topic|area|subject))?"
    r"|not what i (?:want|need|meant|asked for)|not good|good start|thanks|thank you|interesting|nothing new)\b"
    r"|(?:^|(?<=, ))(?:good|ok|okay|nice|fine|great|no|yes)(?= ?[,.;:!]|$)|\bbut\b(?! not)",
    re.I,
)
# What excludes, in the one word that the reader of questions knows.
_LESS = re.compile(
    r"\b(?:please )?(?:there (?:are|is) )?(?:(?:drop|remove|delete|discard|get rid of|skip|leave out|cut|hide"
    r"|avoid|ignore|filter out) "
    r"(?:all )?|no more |do not (?:want|show|include) |don't (?:want|show|include) "
    r"|not interested in |stop showing |keine weiteren )(?:of )?(?:the |these |those |any |all )?"
    r"(?:papers? |articles? |work |anything |everything )?(?:on |about |with |from |that use |using )?",
    re.I,
)
# What should rank lower, but not disappear.
_FEWER = re.compile(
    r"(?:^|(?<=, )|(?<=and )|(?<=but ))(?:please )?(?:(?:there )?(?:are|is) )?(?:way too (?:many|much)"
    r"|too (?:many|much)|fewer|less"
    r"|weniger|moins de|menos) (?:of )?(?:the |these |papers? |articles? |work )?(?:on |about |with "
    r"|from )?(?P<what>[^,.;]+)",
    re.I,
)
_MORE = re.compile(
    r"\b(?:please |i |we |rather |instead |but |and |also |only |just |should |would |like |want |need |to |see ){0,5}"
    r"(?:meant|focus(?:ing|ed)?(?: more)? on|concentrate on|more (?:papers? |work |articles? )?(?:on|about|like"
    r"|of|from)|more|look(?: more)? (?:for|at|into)"
    r"|search for|find|add|include|prefer|restrict(?:ed)? to|limit(?:ed)? to|narrow(?: it)?(?: down)? to|stick to"
    r"|keep to|mehr (?:zu|über)|plus (?:de|sur)|más sobre) "
    r"|^(?:i meant |i mean |we meant |i |we |rather |instead (?!of)|only |just |especially |particularly |nur "
    r"|seulement |solo )+",
    re.I,
)
_CONTRASTS = ("and ", "but ", "also ", "rather ", "instead ")
_ANY_YEAR = re.compile(
    r"\b(?:any|all|ignore(?: the)?|no limit on|drop the|remove the) years?(?: limits?| filters?| range)?\b", re.I
)
_ANY_LANGUAGE = re.compile(r"\b(?:any|all|every) languages?\b", re.I)
_ONLY_KINDS = re.compile(r"\bonly (?:the )?(?=(?:surveys?|reviews?|datasets?|corpora|benchmarks?|theses)\b)", re.I)
_SINGLE_YEAR = re.compile(r"^ ?(?:only )?((?:19|20)\d\d)(?: only)? ?$")
_SENTENCE_END = re.compile(r"(?<=[.;!\n])(?:\s|$)|\n")


def revised_intent(intent: ParsedIntent, note: str, this_year: int | None = None) -> ParsedIntent:
    """The intent as a note changes it; a note that says nothing new leaves it as it is."""
    filters = intent.constraints
    wanted: list[str] = []
    sentences = _SENTENCE_END.split(unicodedata.normalize("NFKC", note).replace("’", "'"))
    for clause in (clause for sentence in sentences for clause in _clauses(" ".join(sentence.split()))):
        text = _as_question(clause.rstrip(".,;! "))
        if _ANY_YEAR.search(text):
            filters = filters.model_copy(update={"year_from": None, "year_to": None})
        if _ANY_LANGUAGE.search(text):
            filters = filters.model_copy(update={"language": None})
        text, fewer = _fewer(text)
        filters = _demoted(filters, fewer)
        question = read_question(_ANY_LANGUAGE.sub(" ", _ANY_YEAR.sub(" ", text)), this_year)
        filters = _changed(filters, question)
        wanted += question.concepts
    return _with_concepts(intent.model_copy(update={"constraints": filters}), wanted)


def _clauses(sentence: str) -> list[str]:
    """`Drop the surveys, focus on X` is two: what is wanted is not on the list of what is not."""
    starts = [
        found.start()
        for found in _MORE.finditer(sentence)
        if sentence[: found.start()].rstrip().endswith(",") or found[0].lower().startswith(_CONTRASTS)
    ]
    return [sentence[start:end] for start, end in pairwise((0, *starts, len(sentence)))]


def _as_question(sentence: str) -> str:
    """The note in the words of a question: `drop the surveys` is `excluding surveys`."""
    if year := _SINGLE_YEAR.match(sentence):
        return f"in {year[1]}"
    text = _VERDICT.sub(" , ", _ONLY_KINDS.sub("", sentence))
    text = _LESS.sub(" excluding ", text)
    text = _MORE.sub(" ", text)
    text = text.rstrip(" ,").removesuffix(" only")
    parts = (part.strip(" ,") for part in " ".join(text.split()).split(", "))
    return ", ".join(part for part in parts if part).lstrip(" ,:")


def _fewer(text: str) -> tuple[str, Exclusions]:
    """The text without what should rank lower, and that."""
    parts = ", ".join(found["what"].strip() for found in _FEWER.finditer(text))
    return _FEWER.sub(" ", text), read_exclusions(f"excluding {parts}") if parts else Exclusions()


def _demoted(filters: SearchConstraints, fewer: Exclusions) -> SearchConstraints:
    less_like = _unique((*filters.less_like, *(term[: limits.SYNONYM_CHARS] for term in fewer.words)))
    excluded_kinds = _unique((*filters.excluded_kinds, *fewer.kinds))
    return filters.model_copy(update={"less_like": less_like, "excluded_kinds": excluded_kinds})


def _changed(filters: SearchConstraints, question: Question) -> SearchConstraints:
    years, changes = question.years, dict[str, object]()
    if years.first or years.last:
        changes |= {"year_from": years.first, "year_to": years.last}
    if question.language:
        changes["language"] = question.language
    if question.count:
        changes["max_results"] = min(question.count, limits.SEARCH_RESULTS)
    # What is asked for now is no longer excluded, and the other way round.
    kinds = [kind for kind in (*filters.kinds, *question.kinds) if kind not in question.excluded_kinds]
    excluded_kinds = [
        kind for kind in (*filters.excluded_kinds, *question.excluded_kinds) if kind not in question.kinds
    ]
    asked = {word for concept in question.concepts for word in concept.split()}
    excluded = [term for term in filters.excluded if not set(term.split()) <= asked] + question.excluded
    changes |= {
        "kinds": _unique(kinds),
        "excluded_kinds": _unique(excluded_kinds),
        "excluded": _unique(term[: limits.SYNONYM_CHARS] for term in excluded),
        "authors": _unique((*filters.authors, *question.authors)),
        "venues": _unique((*filters.venues, *question.venues)),
    }
    return filters.model_copy(update=changes)


def _unique(items: Iterable[Item]) -> list[Item]:
    return list(dict.fromkeys(items))[: limits.FILTER_TERMS]


def _with_concepts(intent: ParsedIntent, wanted: list[str]) -> ParsedIntent:
    """The intent with the concepts added that it does not have, and without those that are excluded now."""
    excluded = set(intent.constraints.excluded)
    kept = [concept for concept in intent.concepts if concept not in excluded]
    new = [concept for concept in dict.fromkeys(wanted) if concept not in kept and concept not in intent.topic.lower()]
    topic = " ".join((intent.topic, *new))[: limits.KEYWORD_CHARS]
    return intent.model_copy(update={"topic": topic, "concepts": [*kept, *new][-MAX_CONCEPTS:]})
