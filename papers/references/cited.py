"""What a paper cites: the references of its text or its BibTeX entry, and the papers of the library among them."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from msgspec import Struct

from ingest.bibtex.entries import BibtexFields, parse_entries
from papercore import limits
from papercore.bibliography.identifiers import arxiv_of_doi
from papercore.bibliography.references import (
    CitablePaper,
    Reference,
    certain_match,
    possible_beginnings,
    read_reference,
    references_in,
)
from papercore.errors import ToolError
from papercore.snapshot.fulltext import match_expression
from papercore.text import one_line
from papers.catalogue.metadata import preferred_document
from papers.snapshot.models import Paper, PaperKeyAlias, year_number
from papers.snapshot.queries import bibtex_entries, links_of_papers, papers_with_ids, papers_with_words
from papers.snapshot.served import connection
from papers.texts.named import source_of

# Places in a reference where a title may begin, for which the library is asked.
TITLE_STARTS = 24
# `cites` is what this project writes; Web of Science exports the other.
CITING_FIELDS = ("cites", "cited-references")
_SEPARATOR = re.compile(r"[;\n]")
# Papers whose title may be the one of a reference.
_CANDIDATES = 50


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


def references_of(paper: Paper) -> tuple[Reference, ...]:
    """Those of its text; where it has none, those of its BibTeX entry. A text that cannot be read has none."""
    try:
        found = _references_of_text(source_of(paper)) if paper.source_md_content_hash else ()
    except ToolError:
        found = ()
    if found:
        return found
    entry = bibtex_entries(connection(), [paper.paper_id]).get(paper.paper_id)
    return references_in_entry(entry.bibtex_raw) if entry else ()


# By text, so that it survives an update; looking for citing papers reads the same texts again and again.
@lru_cache(maxsize=256)
def _references_of_text(text: str) -> tuple[Reference, ...]:
    return references_in(text)


def references_in_entry(bibtex: str) -> tuple[Reference, ...]:
    """The references in the fields of a stored entry: one a line, or with semicolons between them."""
    lowered = bibtex.lower()
    if len(bibtex) > limits.BIBTEX_CHARS or not any(field in lowered for field in CITING_FIELDS):
        return ()
    entry = next((entry for entry in parse_entries(bibtex) if isinstance(entry, BibtexFields)), None)
    texts = [entry.fields.get(field, "") for field in CITING_FIELDS] if entry else []
    parts = (one_line(part.replace("\\", "").strip(" {}")) for text in texts for part in _SEPARATOR.split(text))
    return tuple(read_reference(part[: limits.REFERENCE_CHARS]) for part in parts if part)[: limits.REFERENCES]


def cited_papers(references: Sequence[Reference], citing: str) -> list[LibraryPaper | None]:
    """For each reference the paper of the library that it certainly cites, other than the citing one."""
    candidates = [list(_candidates(reference)) for reference in references]
    wanted = {paper_id for ids in candidates for paper_id in ids if paper_id != citing}
    known = {paper.paper_id: paper for paper in library_papers(sorted(wanted))}
    found = []
    for reference, ids in zip(references, candidates, strict=True):
        papers = [known[paper_id] for paper_id in dict.fromkeys(ids) if paper_id in known]
        match = certain_match(reference, [paper.citable for paper in papers])
        found.append(next((paper for paper in papers if paper.citable is match), None))
    return found


def _candidates(reference: Reference) -> Iterator[str]:
    """Papers with its DOI or arXiv id, and those whose title begins where a title may begin in it."""
    keys = [f"doi:{reference.doi}"] if reference.doi else []
    keys += [f"arxiv:{reference.arxiv}"] if reference.arxiv else []
    if keys:
        yield from PaperKeyAlias.objects.filter(paper_key__in=keys).values_list("paper_id", flat=True)
    beginnings = list(possible_beginnings(reference))[:TITLE_STARTS]
    if beginnings:
        expression = " OR ".join(f"title : ^ {match_expression([words])}" for words in beginnings)
        yield from papers_with_words(connection(), expression, _CANDIDATES)


def library_papers(paper_ids: Sequence[str]) -> list[LibraryPaper]:
    """The papers with these ids. Their names are as the summary spells them: the tables have lost their order."""
    papers = papers_with_ids(connection(), paper_ids)
    links = links_of_papers(connection(), list(papers), ("author", "key"))
    found = []
    for paper_id, paper in papers.items():
        keys = links[paper_id]["key"]
        dois = {paper.doi, *(key.removeprefix("doi:") for key in keys if key.startswith("doi:"))}
        arxivs = {key.removeprefix("arxiv:") for key in keys if key.startswith("arxiv:")}
        arxivs |= {number for doi in dois if (number := arxiv_of_doi(doi))}
        citable = CitablePaper(
            title=paper.title,
            year=year_number(paper.year),
            authors=tuple(preferred_document(paper).paper_authors or links[paper_id]["author"]),
            dois=frozenset(doi for doi in dois if doi),
            arxivs=frozenset(arxivs),
        )
        found.append(LibraryPaper(paper_id, citable))
    return found
