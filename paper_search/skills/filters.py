"""Whether a paper matches the filters of a strategy. Sources filter loosely or not at all, so each paper is checked."""

import re
from collections.abc import Sequence

from paper_search.models import Author, RawPaper, SearchConstraints
from paper_search.skills.tagging import tags
from paper_search.text import stems, words
from papercore.text import without_accents

# Words of a paper after which it does not have what they name.
_LACKING = re.compile(r"\b(?:without|no|not|non|lacks?|lacking|absence of|free of|instead of|rather than)[ -]", re.I)
# How far a lack reaches, in words: "without any aligned or parallel data".
_REACH = 5
_VENUE_NAMES = {
    "acl": "association for computational linguistics",
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


def matches(paper: RawPaper, filters: SearchConstraints, excluded: Sequence[str] = ()) -> bool:
    """Whether the paper may be shown; `excluded` are further words. What a paper does not tell counts for it."""
    if paper.year and not (filters.year_from or paper.year) <= paper.year <= (filters.year_to or paper.year):
        return False
    if paper.id in filters.unlike_papers:
        return False
    language = paper.raw_data.get("language")
    if filters.language and isinstance(language, str) and language[:2] != filters.language[:2].lower():
        return False
    if filters.authors and paper.authors and not any(is_by(paper.authors, name) for name in filters.authors):
        return False
    if filters.venues and not any(appeared_at(paper.venue or "", name) for name in filters.venues):
        return False
    if set(filters.excluded_kinds) & set(tags(paper.title, paper.abstract)):
        return False
    return not any(is_about(paper, term) for term in (*filters.excluded, *excluded))


def is_by(authors: Sequence[Author], name: str) -> bool:
    """Whether one of the authors has all words of the name; an initial stands for what begins with it."""
    wanted = _name_words(name)
    return bool(wanted) and any(
        all(any(_same(word, part) for part in _name_words(author.name)) for word in wanted) for author in authors
    )


def appeared_at(venue: str, name: str) -> bool:
    """Whether a venue has the words of a name, or is what its acronym stands for."""
    found = words(without_accents(venue))
    asked = words(without_accents(name))
    if asked and all(word in found for word in asked):
        return True
    written_out = _VENUE_NAMES.get(name.lower())
    return written_out is not None and written_out in " ".join(found)


def is_about(paper: RawPaper, term: str) -> bool:
    """Whether title or abstract mention the term, and nowhere say that they do without it."""
    asked = set(stems(term))
    text = f"{paper.title}. {paper.abstract or paper.snippet or ''}"
    if not asked or not asked <= set(stems(text)):
        return False
    after = (" ".join(text[found.end() : found.end() + 100].split()[:_REACH]) for found in _LACKING.finditer(text))
    return not any(asked <= set(stems(part)) for part in after)


def _name_words(name: str) -> list[str]:
    return words(without_accents(name).replace(".", " ").replace("-", " "))


def _same(wanted: str, part: str) -> bool:
    return wanted == part or (min(len(wanted), len(part)) == 1 and wanted[0] == part[0])
