"""The papers of the library as references may name them."""

from collections.abc import Iterable, Sequence

from msgspec import Struct

from papercore.bibliography.identifiers import arxiv_of_doi
from papercore.bibliography.references import CitablePaper
from papers.catalogue.metadata import preferred_document
from papers.catalogue.paper_links import links_of_papers, year_number
from papers.snapshot.models import Paper
from papers.snapshot.served import connection


class LibraryPaper(Struct, frozen=True):
    """A paper of the library, as it is listed and as it is cited."""

    paper_id: str
    citable: CitablePaper

    @property
    def title(self) -> str:
        return self.citable.title

    @property
    def year(self) -> int | None:
        return self.citable.year


def library_papers(paper_ids: Sequence[str]) -> list[LibraryPaper]:
    """The papers with these ids, in no order."""
    papers = list(Paper.objects.filter(pk__in=list(paper_ids)))
    links = links_of_papers(connection(), [paper.paper_id for paper in papers], ("author", "key"))
    return [LibraryPaper(paper.paper_id, _citable(paper, **links[paper.paper_id])) for paper in papers]


def _citable(paper: Paper, author: Iterable[str] = (), key: Iterable[str] = ()) -> CitablePaper:
    """The names as the summary spells them: the tables have lost their order, and with it the first author."""
    keys = list(key)
    dois = {paper.doi, *(text.removeprefix("doi:") for text in keys if text.startswith("doi:"))}
    arxivs = {text.removeprefix("arxiv:") for text in keys if text.startswith("arxiv:")}
    arxivs |= {number for doi in dois if (number := arxiv_of_doi(doi))}
    return CitablePaper(
        title=paper.title,
        year=year_number(paper.year),
        authors=tuple(preferred_document(paper).paper_authors or author),
        dois=frozenset(doi for doi in dois if doi),
        arxivs=frozenset(arxivs),
    )
