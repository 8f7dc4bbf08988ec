"""What the papers cited say to each sentence of a draft, and which papers of the library say what it does not cite."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Literal

from msgspec import Struct

from ingest.drafts.manuscript import ManuscriptSentence
from papercore import limits
from papercore.passages import cut
from papercore.passages.claim_words import ClaimPart, read_sentence
from papercore.passages.claims import ClaimFinding, compare
from papercore.retrieval import Request
from papercore.snapshot.fulltext import QUERY_TERMS
from papers.catalogue.citations import citations
from papers.catalogue.lookup import find_paper
from papers.catalogue.schemas import PaperMetadata
from papers.catalogue.tools import get_papers
from papers.drafts.marking import TextPart, marked_pair
from papers.passages.addresses import TextPassage, searched_passages
from papers.passages.schemas import PassageHit
from papers.search.claims import ComparedClaim, compare_claim, compare_passages, find_for_claim
from papers.search.passages import FoundPassage, hit_of
from papers.search.quotes import is_own_text
from papers.search.results import list_papers
from papers.texts.named import texts_of

SentenceVerdict = Literal["supported", "differs", "not_found", "no_text", "uncited", "may_bear", ""]
# Verdicts on sentences that cite nothing.
UNCITED = ("uncited", "may_bear")
# Passages that are shown for a sentence.
EVIDENCE = 3
# A claim of fewer words, names and numbers says too little to be compared, or to be somebody's.
LEAST_WORDS, LEAST_UNCITED_WORDS = 2, 5
# What more papers say in the same words is a phrase of the trade, and nobody's finding.
SAID_BY_MOST = 3
# A passage with this share of the words, the rare ones counting more, may bear on a sentence. Of 262 sentences of
# experts 150 have one among the papers that they cite, for 100 the right one; among papers of other fields, 5 have one.
BEARS = 0.4
GAP = "A command in it stands for words that are not in the draft: it cannot be compared."
# Passages of a text that are looked at for the nearest one, where no search finds any.
NEAREST_PASSAGES = 150
# It speaks of the draft itself, its authors or its parts.
_ITSELF = re.compile(
    r"\b(?:[Ww]e|[Oo]ur|us|I|[Mm]y)\b|\b(?:this|present) (?:paper|work|article|study|thesis|chapter|section|survey)\b"
    r"|\b(?:[Ss]ection|[Cc]hapter|[Ff]ig(?:ure)?|[Tt]able|[Aa]ppendix)\b\.? ?\d*|\?\s*$"
)


class DraftEvidence(Struct, frozen=True):
    """A sentence of a paper beside one of the draft. `key` is what to cite it by."""

    paper_id: str
    title: str
    address: str
    link: str
    section: str
    page: int | None
    authors_words: bool
    parts: tuple[TextPart, ...]
    differs: ClaimPart | None = None
    key: str = ""

    @property
    def sentence(self) -> str:
        return "".join(part.text for part in self.parts)


class CheckedSentence(Struct, frozen=True):
    """A sentence of the draft in parts, and what bears on it, best first; `note` is about works without a text."""

    sentence: ManuscriptSentence
    parts: tuple[TextPart, ...]
    verdict: SentenceVerdict = ""
    evidence: tuple[DraftEvidence, ...] = ()
    note: str = ""


class LibraryTexts:
    """Which papers have a text of their own, and their keys, asked once for a draft."""

    def __init__(self, keys: Mapping[str, str]) -> None:
        # What the draft's own bibliography calls papers of the library.
        self._keys = dict(keys)
        self._readable: dict[str, bool] = {}

    def has_text(self, paper_id: str) -> bool:
        if paper_id not in self._readable:
            texts = texts_of(find_paper(paper_id)).readable()
            self._readable[paper_id] = any(is_own_text(text) for text in texts)
        return self._readable[paper_id]

    def key(self, paper_id: str) -> str:
        """The draft's own key, else the library's."""
        if paper_id not in self._keys:
            papers: Sequence[PaperMetadata] = get_papers((paper_id,)).papers
            self._keys[paper_id] = citations(papers[0]).key if papers else ""
        return self._keys[paper_id]


def check_cited(sentence: ManuscriptSentence, cited: Sequence[str], library: LibraryTexts) -> CheckedSentence:
    """Compare a sentence with the papers of these ids, which it cites."""
    plain = CheckedSentence(sentence, (TextPart(sentence.text),))
    if not cited or _words(sentence.claim) < LEAST_WORDS:
        return plain
    readable = [paper_id for paper_id in cited if library.has_text(paper_id)]
    without = [paper_id for paper_id in cited if paper_id not in readable]
    note = f"The library has no text of {', '.join(map(library.key, without))}, or only a summary." if without else ""
    if not readable:
        return CheckedSentence(sentence, plain.parts, "no_text", note=note)
    claim = sentence.claim[: limits.CLAIM_CHARS]
    compared = compare_claim(claim, readable)
    if not compared.hits:
        # Nothing has enough of its words: a reader still wants to see what the paper says nearest to it.
        compared = _nearest(claim, readable)
    if sentence.has_gap:
        return _checked(sentence, "not_found", compared, library, f"{GAP} {note}".strip())
    return _checked(sentence, compared.finding.finding, compared, library, note)


def _nearest(claim: str, paper_ids: Sequence[str]) -> ComparedClaim:
    """The passages that share most words with a claim, whatever else they say: shown, and not judged."""
    sought = read_sentence(claim).content
    placed: list[tuple[int, FoundPassage]] = []
    for paper_id in paper_ids:
        for source in filter(is_own_text, texts_of(find_paper(paper_id)).readable()):
            text = cut(source.text)
            for passage in islice(searched_passages(text), NEAREST_PASSAGES):
                shared = len(sought & read_sentence(text.quote(passage)).content)
                if shared:
                    located = TextPassage(source, text, passage).located
                    placed.append((shared, FoundPassage(located, 0.0, shared / len(sought))))
    best = sorted(placed, key=lambda item: -item[0])[:EVIDENCE]
    hits = [hit_of(found) for _, found in best]
    compared = tuple(compare(read_sentence(claim), read_sentence(hit.quote)) for hit in hits)
    finding = ClaimFinding("not_found", compared, tuple(range(len(hits))), ())
    return ComparedClaim(claim, hits, [hit.quote for hit in hits], finding)


def check_uncited(sentence: ManuscriptSentence, nearby: frozenset[str], library: LibraryTexts) -> CheckedSentence:
    """Look for papers that say it, besides those that the paragraph cites, else for passages that may bear on it."""
    plain = CheckedSentence(sentence, (TextPart(sentence.text),))
    if (
        sentence.is_heading
        or sentence.has_gap
        or _ITSELF.search(sentence.text)
        or _words(sentence.claim) < LEAST_UNCITED_WORDS
    ):
        return plain
    found = list(_papers_saying(sentence.claim))
    verdict: SentenceVerdict = "uncited" if found else "may_bear"
    found = found or list(_papers_bearing(sentence.claim))
    if not 0 < len(found) <= SAID_BY_MOST or any(item.hits[0].paper_id in nearby for item in found):
        return plain
    first, *others = (_checked(sentence, verdict, item, library) for item in found)
    evidence = (item.evidence[0] for item in (first, *others))
    return CheckedSentence(sentence, first.parts, verdict, tuple(evidence))


def _words(claim: str) -> int:
    """Words and numbers that say something; "Hundreds" is one, and so is 2004."""
    tokens = read_sentence(claim).tokens
    return len({token.stem for token in tokens if token.is_content or token.value is not None})


def _papers_saying(claim: str) -> Iterator[ComparedClaim]:
    """In papers that have all words of the claim, which few have: asking for each costs little."""
    words = dict.fromkeys(token.literal.lower() for token in read_sentence(claim).tokens if token.is_content)
    query = ""
    for word in list(words)[:QUERY_TERMS]:
        longer = f"{query} AND {word}" if query else word
        if len(longer) > limits.QUERY_CHARS:
            break
        query = longer
    # One more than is shown tells a phrase of the trade.
    asked = Request(query, SAID_BY_MOST + 1, mode="words", as_typed=True)
    for paper in list_papers(asked).papers:
        compared = compare_claim(claim[: limits.CLAIM_CHARS], [paper.paper_id])
        if compared.finding.finding == "supported":
            yield compared


def _papers_bearing(claim: str) -> Iterator[ComparedClaim]:
    """Whose best passage has many of the words, where the library answers the sentence as a question."""
    seen: set[str] = set()
    for found in find_for_claim(claim[: limits.CLAIM_CHARS], (), EVIDENCE):
        paper_id = found.located.paper.paper_id
        if found.covered >= BEARS and paper_id not in seen:
            seen.add(paper_id)
            yield compare_passages(claim, [found])


def _checked(
    sentence: ManuscriptSentence,
    verdict: SentenceVerdict,
    compared: ComparedClaim,
    library: LibraryTexts,
    note: str = "",
) -> CheckedSentence:
    """The sentence with the marks of its best evidence."""
    finding = compared.finding
    shown = [at for at in finding.best if verdict != "not_found" or finding.comparisons[at].covered > 0][:EVIDENCE]
    shown += [at for at in finding.other_side if at not in shown][: EVIDENCE - len(shown)]
    if not shown:
        return CheckedSentence(sentence, (TextPart(sentence.text),), verdict, note=note)
    pairs = [
        marked_pair(sentence.claim, sentence.text, compared.sentences[at], finding.comparisons[at]) for at in shown
    ]
    evidence = tuple(
        _evidence(compared.hits[at], pair.passage, finding.comparisons[at].differs, library)
        for at, pair in zip(shown, pairs, strict=True)
    )
    return CheckedSentence(sentence, pairs[0].claim, verdict, evidence, note)


def _evidence(
    hit: PassageHit, parts: tuple[TextPart, ...], differs: ClaimPart | None, library: LibraryTexts
) -> DraftEvidence:
    return DraftEvidence(
        paper_id=hit.paper_id,
        title=hit.title,
        address=hit.address,
        link=hit.link,
        section=hit.section,
        page=hit.page,
        authors_words=hit.authors_words,
        parts=parts,
        differs=differs,
        key=library.key(hit.paper_id),
    )
