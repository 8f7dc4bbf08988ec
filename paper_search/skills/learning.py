"""Which words distinguish the papers that a reader marked relevant from those marked irrelevant."""

from collections import Counter, defaultdict
from collections.abc import Sequence

from paper_search.models import Paper
from paper_search.text import stems, words
from papercore.text import REQUEST_STOP_WORDS, stem

MAX_LEARNED = 8
# A word must be in this share more of the papers that are meant than of the others.
MIN_DIFFERENCE = 0.25
# Words that are in every abstract say nothing, however they are spread.
_COMMON = """
    paper propose proposed present new method methods approach approaches result results show shows model models system
    systems task tasks data based work study experiments performance state art different using used one two also first
    many high large improve improved existing problem problems use uses provide several however well
    previous previously baseline achieve achieves outperform significantly case cases various compare compared number
    set given recent best better obtain obtained effective demonstrate evaluate introduce focus general important
    available describe investigate standard proposes presents shown allow
"""
_UNINTERESTING = frozenset(stem(word) for word in _COMMON.split())


def distinctive_words(papers: Sequence[Paper], others: Sequence[Paper], known: str) -> list[str]:
    """Words of the papers that the others have seldom, the most telling first; none of the known text's words."""
    if not papers:
        return []
    here, there = _shares(papers), _shares(others)
    spellings = _spellings(papers)
    skipped = _UNINTERESTING | set(stems(known))
    gains = {term: share - there[term] for term, share in here.items() if term not in skipped}
    # Every word of a single paper would be distinctive: those of titles are what papers are about.
    titles = {term for paper in papers for term in stems(paper.title)}
    chosen = [
        term
        for term, gain in sorted(gains.items(), key=lambda item: (-item[1], item[0]))
        if gain >= MIN_DIFFERENCE and term in spellings and (here[term] * len(papers) > 1.5 or term in titles)
    ]
    return [spellings[term] for term in chosen[:MAX_LEARNED]]


def _shares(papers: Sequence[Paper]) -> defaultdict[str, float]:
    """The share of the papers that have each stem."""
    shares: defaultdict[str, float] = defaultdict(float)
    for paper in papers:
        for term in set(stems(f"{paper.title} {paper.abstract or ''}")):
            if len(term) > 2 and not term.isdigit() and term not in REQUEST_STOP_WORDS:
                shares[term] += 1 / len(papers)
    return shares


def _spellings(papers: Sequence[Paper]) -> dict[str, str]:
    """The most common spelling of each stem."""
    found: dict[str, Counter[str]] = {}
    for paper in papers:
        for word in words(f"{paper.title} {paper.abstract or ''}"):
            for part in word.split("-"):
                if part and part not in REQUEST_STOP_WORDS:
                    found.setdefault(stem(part), Counter())[part] += 1
    return {term: counts.most_common(1)[0][0] for term, counts in found.items()}
