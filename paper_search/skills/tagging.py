"""What kind of paper it is, by the words in its title and abstract."""

import re

from paper_search.models import IntentType, PaperTag

_TITLE = (
    (
        PaperTag.review,
        re.compile(r"\b(survey|review|overview|state[- ]of[- ]the[- ]art|tutorial|perspective|roadmap)s?\b", re.I),
    ),
    (
        PaperTag.dataset,
        re.compile(r"\b(data ?sets?|corpus|corpora|benchmarks?|database|collection of|treebank)\b", re.I),
    ),
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


def tags(title: str, abstract: str | None) -> list[PaperTag]:
    found = [tag for tag, pattern in _TITLE if pattern.search(title)]
    found += [tag for tag, pattern in _ABSTRACT if pattern.search(abstract or "")]
    return list(dict.fromkeys(found)) or [PaperTag.method]
