"""Evidence for a question: passages of the papers, word for word, with their citations."""

from hashlib import blake2b

from django.urls import reverse
from msgspec import Struct

from papercore.passages.ranking import sought_in
from papercore.retrieval import Filters
from papercore.text import one_line
from papers.catalogue.names import text_kind
from papers.catalogue.schemas import PaperMetadata
from papers.catalogue.tools import get_papers
from papers.passages.marked import MarkedPassage, marked_passage, plain_passage
from papers.passages.schemas import PassageHit
from papers.search.filters import Chip, chips_of
from papers.search.list_query import ListQuery
from papers.search.passages import find_passages, hit_of

# As many as a person reads; of one paper at most three.
PASSAGES = 12
# What has less than this share of the words that the best one has is left out.
BESIDE_BEST = 0.5


class QuotedPassage(Struct, frozen=True):
    """A passage: with what counts marked, and as a quotation with its citation, for copying."""

    hit: PassageHit
    marked: MarkedPassage
    quotation: str

    @property
    def place(self) -> str:
        """Its headings, or the text that it is in."""
        return self.hit.section or text_kind(self.hit.address.split("/")[-2])

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

    @property
    def passages(self) -> list[QuotedPassage]:
        return [passage for item in self.papers for passage in item.passages]

    @property
    def fields(self) -> list[tuple[str, str]]:
        """The question and its filters, for a form."""
        return [("q", self.question), *self.filters]

    @property
    def filters(self) -> list[tuple[str, str]]:
        return [(name, value) for name, value in self.query.parameters() if name not in ("q", "page", "sort")]

    @property
    def chips(self) -> list[Chip]:
        return chips_of(self.query, reverse("ask"))

    @property
    def papers_url(self) -> str:
        return self.query.changed(sort=None).url


def evidence_board(query: ListQuery) -> EvidenceBoard:
    """Passages with enough of the question's words: a person reads them all, and the others share a word by chance."""
    question = one_line(query.q)
    if not question:
        return EvidenceBoard(query, question, [])
    found = find_passages(question, Filters(tuple(query.values), query.year_from, query.year_to), (), PASSAGES)
    most = max((item.covered for item in found), default=0.0)
    hits = [hit_of(item) for item in found if item.covered >= BESIDE_BEST * most]
    names = tuple(dict.fromkeys(hit.paper_id for hit in hits))
    papers = {paper.paper_id: PaperEvidence(paper, []) for paper in get_papers(names).papers} if names else {}
    sought = sought_in(question)
    for hit in hits:
        if evidence := papers.get(hit.paper_id):
            quotation = f"“{plain_passage(hit.quote)}” ({_cited(evidence.paper, hit)})"
            evidence.passages.append(QuotedPassage(hit, marked_passage(hit.quote, sought), quotation))
    return EvidenceBoard(query, question, list(papers.values()))


def anchor_of(address: str) -> str:
    """The anchor of a passage on the board: an address has characters that do not belong in an anchor."""
    return f"e-{blake2b(address.encode(), digest_size=6).hexdigest()}"


def _cited(paper: PaperMetadata, hit: PassageHit) -> str:
    """`Vaswani et al., 2017, p. 3. Attention Is All You Need`"""
    family_names = [name.split()[-1] for name in paper.authors if name.split()]
    authors = " and ".join(family_names) if len(family_names) < 3 else f"{family_names[0]} et al."
    year, page = str(paper.year or "n.d."), f"p. {hit.page}" if hit.page else ""
    return f"{', '.join(part for part in (authors, year, page) if part)}. {paper.title}"
