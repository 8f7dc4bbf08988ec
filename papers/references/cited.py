"""Which papers cite which: the references of a paper, and the papers of the library that are cited or cite it."""

import re
import time
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
    cites,
    possible_beginnings,
    read_reference,
    references_in,
)
from papercore.errors import ToolError
from papercore.snapshot.fulltext import match_expression
from papercore.text import one_line
from papers.snapshot.assets import preferred_document
from papers.snapshot.models import Paper, PaperBibtex, PaperKeyAlias
from papers.snapshot.queries import bibtex_entries, links_of_papers, papers_with_ids, papers_with_words, year_number
from papers.snapshot.served import connection, version
from papers.texts.named import source_of

# Places in a reference where a title may begin, for which the library is asked.
TITLE_STARTS = 24
# `cites` is what this project writes; Web of Science exports the other.
CITING_FIELDS = ("cites", "cited-references")
_SEPARATOR = re.compile(r"[;\n]")
# Papers whose title may be the one of a reference.
_CANDIDATES = 50
# Papers looked into for whether they cite another, and the time that takes at most; then the answer says so.
CITING_CANDIDATES = 200
CITING_SECONDS = 2.0
# Stored BibTeX entries that list references, of which it is kept in memory what they cite.
ENTRIES_WITH_REFERENCES = 10_000
# Of a long title the beginning tells enough.
_TITLE_WORDS = 12


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
    candidates = [list(_possibly_cited(reference)) for reference in references]
    wanted = {paper_id for ids in candidates for paper_id in ids if paper_id != citing}
    known = {paper.paper_id: paper for paper in library_papers(sorted(wanted))}
    found = []
    for reference, ids in zip(references, candidates, strict=True):
        papers = [known[paper_id] for paper_id in dict.fromkeys(ids) if paper_id in known]
        match = certain_match(reference, [paper.citable for paper in papers])
        found.append(next((paper for paper in papers if paper.citable is match), None))
    return found


def _possibly_cited(reference: Reference) -> Iterator[str]:
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


class Citing(Struct, frozen=True):
    """A paper that cites another, and the reference by which it does."""

    paper: LibraryPaper
    reference: Reference


class CitingPapers(Struct, frozen=True):
    """`complete` is false where there were more papers to look into than time or bounds allow."""

    papers: list[Citing]
    complete: bool


def papers_citing(cited: LibraryPaper) -> CitingPapers:
    """Newest first."""
    candidates = [paper_id for paper_id in _possibly_citing(cited) if paper_id != cited.paper_id]
    deadline = time.monotonic() + CITING_SECONDS
    looked_into = candidates[:CITING_CANDIDATES]
    found: dict[str, Reference] = {}
    complete = len(candidates) == len(looked_into)
    for paper in papers_with_ids(connection(), looked_into).values():
        if time.monotonic() > deadline:
            complete = False
            break
        reference = next((item for item in references_of(paper) if cites(item, cited.citable)), None)
        if reference:
            found[paper.paper_id] = reference
    papers = sorted(library_papers(list(found)), key=lambda paper: (-(paper.year or 0), paper.title))
    return CitingPapers([Citing(paper, found[paper.paper_id]) for paper in papers], complete)


def _possibly_citing(cited: LibraryPaper) -> list[str]:
    """Papers whose text has its title or an identifier, and those whose entry lists one."""
    paper = cited.citable
    terms = [" ".join(paper.title_words[:_TITLE_WORDS]), *sorted(paper.dois), *sorted(paper.arxivs)]
    expression = match_expression(terms)
    found: list[str] = []
    if expression:
        # One more than are looked into tells that there are more.
        most = CITING_CANDIDATES + 2
        found = papers_with_words(connection(), f"source : ({expression})", most)
    listed = _papers_listing(version())
    keys = [*paper.dois, *paper.arxivs]
    return list(dict.fromkeys([*found, *(paper_id for key in keys for paper_id in listed.get(key, ()))]))


# The entries of a snapshot are looked through once: a query for each paper would read them all each time.
@lru_cache(maxsize=2)
def _papers_listing(version: int) -> dict[str, list[str]]:
    """By DOI or arXiv id, the papers whose stored entry lists it among its references."""
    entries = PaperBibtex.objects.none()
    for field in CITING_FIELDS:
        entries |= PaperBibtex.objects.filter(bibtex_raw__icontains=f"{field} =")
        entries |= PaperBibtex.objects.filter(bibtex_raw__icontains=f"{field}=")
    found: dict[str, list[str]] = {}
    for paper_id, raw in entries.values_list("paper_id", "bibtex_raw")[:ENTRIES_WITH_REFERENCES]:
        for reference in references_in_entry(raw):
            for key in filter(None, (reference.doi, reference.arxiv, arxiv_of_doi(reference.doi))):
                found.setdefault(key, []).append(paper_id)
    return found
