"""What kind of paper it is, and whether it passes the filters of a strategy: sources filter loosely or not at all."""

import re
from collections import Counter
from collections.abc import Collection, Sequence

from paper_search.models import Author, IntentType, PaperTag, RawPaper, SearchConstraints
from paper_search.text import stems, words
from papercore.bibliography.venues import venue_names
from papercore.text import without_accents

# Words of a paper after which it does not have what they name.
_LACKING = re.compile(
    r"\b(?:without|no|not|non|lacks?|lacking|absence of|free of|instead of|rather than|other than|beyond)[ -]", re.I
)
# How far a lack reaches, in words: "without any aligned or parallel data".
_REACH = 5
_TITLE = (
    (
        PaperTag.review,
        re.compile(r"\b(survey|review|overview|state[- ]of[- ]the[- ]art|tutorial|roadmap)s?\b", re.I),
    ),
    (
        PaperTag.dataset,
        re.compile(r"\b(data ?sets?|corpus|corpora|benchmarks?|database|collection of|treebank)\b", re.I),
    ),
    (PaperTag.tutorial, re.compile(r"\btutorials?\b|^introduction to\b", re.I)),
    (PaperTag.shared_task, re.compile(r"\bshared tasks?\b|\btask \d+\b|^findings of\b|\bchallenge \d{4}\b", re.I)),
    (PaperTag.position, re.compile(r"\bposition paper\b|\bperspectives?\b|\ba (?:call|plea|case) for\b", re.I)),
    (PaperTag.replication, re.compile(r"\b(?:replicat|reproduc)(?:ion|ing|ibility|ed|e)\b", re.I)),
    (PaperTag.tool, re.compile(r"\b(?:tool(?:kit|box)?s?|open[- ]source|software)\b", re.I)),
    (PaperTag.thesis, re.compile(r"\b(ph\.?d\.? |doctoral |master'?s )?(thesis|dissertation)\b", re.I)),
    (
        PaperTag.theoretical,
        re.compile(r"\b(theor(?:y|em|etical)|proofs?|bounds?|complexity|axioms?|convergence)\b", re.I),
    ),
    (
        PaperTag.empirical,
        re.compile(
            r"\b(empirical|experiments?|experimental|evaluation|measurements?|case study|trial|analysis of)\b", re.I
        ),
    ),
)
_ABSTRACT = (
    (
        PaperTag.review,
        re.compile(r"\b(we|this (?:paper|article)) (?:review|survey)s?\b|systematic review|meta-analysis", re.I),
    ),
    (
        PaperTag.dataset,
        re.compile(
            r"\b(new|novel|publicly available|large[- ]scale|annotated) (?:\w+ )?(?:data ?set|corpus|benchmark)"
            r"|we (?:release|collect)",
            re.I,
        ),
    ),
    (PaperTag.theoretical, re.compile(r"\bwe (?:prove|derive)|\btheorem\b|\bproof\b|upper bound|lower bound", re.I)),
    (
        PaperTag.empirical,
        re.compile(
            r"\b(experiments? (?:show|demonstrate|on)|we (?:evaluate|measure|compare)|results show|outperform)", re.I
        ),
    ),
    (
        PaperTag.method,
        re.compile(
            r"\bwe (?:propose|present|introduce|develop|describe)"
            r"|\b(?:novel|new) (?:\w+ ){0,2}(?:method|approach|algorithm|model|framework|technique)",
            re.I,
        ),
    ),
)
# The kind of paper that answers each kind of question.
WANTED = {
    IntentType.survey: PaperTag.review,
    IntentType.dataset: PaperTag.dataset,
    IntentType.baseline: PaperTag.empirical,
}


def matches(
    paper: RawPaper, filters: SearchConstraints, excluded: Sequence[str] = (), applied: Collection[str] = ()
) -> bool:
    """Whether the paper may be shown; `excluded` are further words, `applied` the filters that its source applied.

    What a paper does not tell counts for it.
    """
    if paper.year and not (filters.year_from or paper.year) <= paper.year <= (filters.year_to or paper.year):
        return False
    if paper.id in filters.unlike_papers:
        return False
    language, codes = paper.facts.language, filters.language_codes
    if codes and language and language[:2].lower() not in codes:
        return False
    if filters.authors and paper.authors and not any(is_by(paper.authors, name) for name in filters.authors):
        return False
    if any(is_by(paper.authors, name) for name in filters.excluded_authors):
        return False
    venues = () if "venues" in applied else filters.venues
    if venues and not any(appeared_at(paper.venue or "", name) for name in venues):
        return False
    if set(filters.excluded_kinds) & set(tags(paper.title, paper.abstract)):
        return False
    return not any(is_about(paper, term) for term in (*filters.excluded, *excluded))


def tags(title: str, abstract: str | None) -> list[PaperTag]:
    """The kinds of a paper by the words in its title and abstract; a paper that tells none presents a method."""
    found = [tag for tag, pattern in _TITLE if pattern.search(title)]
    found += [tag for tag, pattern in _ABSTRACT if pattern.search(abstract or "")]
    return list(dict.fromkeys(found)) or [PaperTag.method]


def is_by(authors: Sequence[Author], name: str) -> bool:
    """Whether one of the authors has all words of the name; an initial stands for what begins with it."""
    wanted = _name_words(name)
    for author in authors if wanted else ():
        parts = _name_words(author.name)
        initials = {part[0] for part in parts}
        if all(word in parts or word[0] in parts or (len(word) == 1 and word in initials) for word in wanted):
            return True
    return False


def appeared_at(venue: str, name: str) -> bool:
    """Whether a venue has the words of a name, or is what its acronym stands for."""
    found = words(without_accents(venue))
    first, *others = venue_names(name)
    asked = words(without_accents(first))
    if asked and set(asked) <= set(found):
        return True
    return any(f" {other} " in f" {' '.join(found)} " for other in others)


def is_about(paper: RawPaper, term: str) -> bool:
    """Whether the title or a keyword has the term, or the abstract twice: one mention does not make it the subject.

    One that says that it does without it is not about it either.
    """
    asked = set(stems(term))
    if asked and any(asked <= set(stems(keyword)) for keyword in paper.keywords):
        return True
    text = f"{paper.title}. {paper.abstract or paper.snippet or ''}"
    if not asked or not asked <= set(stems(text)):
        return False
    after = (" ".join(text[found.end() : found.end() + 100].split()[:_REACH]) for found in _LACKING.finditer(text))
    if any(asked <= set(stems(part)) for part in after):
        return False
    found = Counter(stems(paper.abstract or paper.snippet or ""))
    return asked <= set(stems(paper.title)) or min(found[part] for part in asked) > 1


def _name_words(name: str) -> list[str]:
    return words(without_accents(name).replace(".", " ").replace("-", " "))
