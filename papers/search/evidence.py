"""Evidence for a question: passages of the papers with their citations, and apart from them what summaries say."""

from collections.abc import Sequence
from functools import partial
from hashlib import blake2b

from django.urls import reverse
from msgspec import Struct

from papercore.passages.ranking import sought_in
from papercore.retrieval import Filters
from papercore.text import one_line
from papers.catalogue.schemas import PaperMetadata
from papers.catalogue.text_kinds import TextOrigin
from papers.catalogue.tools import get_papers
from papers.passages.marked import MarkedPassage, marked_passage, plain_passage
from papers.passages.schemas import PassageHit
from papers.search.filters import Chip, chips_of, conditions_of
from papers.search.list_query import ListQuery
from papers.search.passages import FoundPassage, find_evidence, hit_of
from papers.search.results import list_papers

# As many as a person reads; of one paper at most three.
PASSAGES = 12
# A passage with less than this share of the words that the best one has is not shown.
BESIDE_BEST = 0.5
# Of what retells papers, a few.
RETELLING = 4


class QuotedPassage(Struct, frozen=True):
    """A passage with what counts marked; for copying, the authors' words as a quotation, others as a paraphrase."""

    hit: PassageHit
    origin: TextOrigin
    marked: MarkedPassage
    copied: str

    @property
    def place(self) -> str:
        """Its headings, or the text that it is in."""
        return self.hit.section or self.origin.label

    @property
    def anchor(self) -> str:
        return anchor_of(self.hit.address)


class PaperEvidence(Struct, frozen=True):
    """What one paper says about the question."""

    paper: PaperMetadata
    passages: list[QuotedPassage]


class EvidenceBoard(Struct, frozen=True):
    """A question with its filters, and the passages that bear on it, by paper, the best paper first."""

    query: ListQuery
    question: str
    papers: list[PaperEvidence]
    # What summaries and translations say: it helps to find papers, and is no evidence.
    retelling: list[PaperEvidence]
    # The question that was answered, where slips in the one asked were mended.
    corrected_query: str = ""
    only: tuple[str, ...] = ()

    @property
    def passages(self) -> list[QuotedPassage]:
        return [passage for item in self.papers for passage in item.passages]

    @property
    def authors_words(self) -> list[PassageHit]:
        """What may be quoted."""
        return [passage.hit for passage in self.passages if passage.hit.authors_words]

    @property
    def fields(self) -> list[tuple[str, str]]:
        """The question and its filters, for a form."""
        return [("q", self.question), *self.filters]

    @property
    def filters(self) -> list[tuple[str, str]]:
        return [
            (name, value) for name, value in self.query.parameters() if name not in ("q", "page", "sort", "as_typed")
        ]

    @property
    def chips(self) -> list[Chip]:
        return chips_of(self.query, reverse("ask"))

    @property
    def conditions(self) -> list[Chip]:
        return conditions_of(self.query, self.corrected_query, self.only, reverse("ask"))

    @property
    def corrected_url(self) -> str:
        return self.query.changed(q=self.corrected_query).address(reverse("ask"))

    @property
    def as_typed_url(self) -> str:
        return self.query.changed(as_typed=True).address(reverse("ask"))

    @property
    def papers_url(self) -> str:
        return self.query.changed(sort=None).url

    @property
    def has_near_papers(self) -> bool:
        """Whether there are papers to look at where no passage was found."""
        papers = list_papers(self.query.changed(sort=None, page=1).request(limit=1))
        return bool(papers.papers or papers.nearest)


def evidence_board(query: ListQuery) -> EvidenceBoard:
    """Passages with enough of the question's words: a person reads them all, and the others share a word by chance."""
    question = one_line(query.q)
    if not question:
        return EvidenceBoard(query, question, [], [])
    filters = Filters(tuple(query.values), query.year_from, query.year_to)
    found = find_evidence(question, filters, (), PASSAGES, as_typed=query.as_typed)
    most = max((item.covered for item in (*found.own, *found.retelling)), default=0.0)
    own, retelling = (
        [item for item in passages if item.covered >= BESIDE_BEST * most] for passages in (found.own, found.retelling)
    )
    corrected = found.corrected_query
    by_paper = partial(_by_paper, question=corrected or question)
    return EvidenceBoard(query, question, by_paper(own), by_paper(retelling[:RETELLING]), corrected, found.only)


def _by_paper(passages: Sequence[FoundPassage], question: str) -> list[PaperEvidence]:
    names = tuple(dict.fromkeys(item.located.paper.paper_id for item in passages))
    papers = {paper.paper_id: PaperEvidence(paper, []) for paper in get_papers(names).papers} if names else {}
    sought = sought_in(question)
    for item in passages:
        hit, origin = hit_of(item), item.located.origin
        if evidence := papers.get(hit.paper_id):
            copied = copied_text(plain_passage(hit.quote), _cited(evidence.paper, hit), origin)
            evidence.passages.append(QuotedPassage(hit, origin, marked_passage(hit.quote, sought), copied))
    return list(papers.values())


def copied_text(words: str, cited: str, origin: TextOrigin) -> str:
    """The authors' words in quotation marks; what is not theirs without, and with what it is."""
    if origin.authors_words:
        return f"“{words}” ({cited})"
    return f"{words} ({origin.label}, not the authors' words; on {cited})"


def anchor_of(address: str) -> str:
    """The anchor of a passage on the board: an address has characters that do not belong in an anchor."""
    return f"e-{blake2b(address.encode(), digest_size=6).hexdigest()}"


def _cited(paper: PaperMetadata, hit: PassageHit) -> str:
    """`Vaswani et al., 2017, p. 3. Attention Is All You Need`"""
    family_names = [name.split()[-1] for name in paper.authors if name.split()]
    authors = " and ".join(family_names) if len(family_names) < 3 else f"{family_names[0]} et al."
    year, page = str(paper.year or "n.d."), f"p. {hit.page}" if hit.page else ""
    return f"{', '.join(part for part in (authors, year, page) if part)}. {paper.title}"
