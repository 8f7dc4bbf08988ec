"""Finds the papers of the library that cite one: the full-text table says which may, their references whether."""

import time
from functools import lru_cache

from msgspec import Struct

from papercore.bibliography.identifiers import arxiv_of_doi
from papercore.bibliography.references import Reference, cites
from papercore.snapshot.fulltext import match_expression
from papers.references.cited import CITING_FIELDS, LibraryPaper, library_papers, references_in_entry, references_of
from papers.snapshot import served
from papers.snapshot.models import PaperBibtex
from papers.snapshot.queries import papers_with_ids, papers_with_words

# Papers looked into for whether they cite another, and the time that takes at most; then the answer says so.
CITING_CANDIDATES = 200
CITING_SECONDS = 2.0
# Stored BibTeX entries that list references, of which it is kept in memory what they cite.
ENTRIES_WITH_REFERENCES = 10_000
# Of a long title the beginning tells enough.
_TITLE_WORDS = 12


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
    candidates = [paper_id for paper_id in _candidates(cited) if paper_id != cited.paper_id]
    deadline = time.monotonic() + CITING_SECONDS
    looked_into = candidates[:CITING_CANDIDATES]
    found: dict[str, Reference] = {}
    complete = len(candidates) == len(looked_into)
    for paper in papers_with_ids(served.connection(), looked_into).values():
        if time.monotonic() > deadline:
            complete = False
            break
        reference = next((item for item in references_of(paper) if cites(item, cited.citable)), None)
        if reference:
            found[paper.paper_id] = reference
    papers = sorted(library_papers(list(found)), key=lambda paper: (-(paper.year or 0), paper.title))
    return CitingPapers([Citing(paper, found[paper.paper_id]) for paper in papers], complete)


def _candidates(cited: LibraryPaper) -> list[str]:
    """Papers whose text has its title or an identifier, and those whose entry lists one."""
    paper = cited.citable
    terms = [" ".join(paper.title_words[:_TITLE_WORDS]), *sorted(paper.dois), *sorted(paper.arxivs)]
    expression = match_expression(terms)
    found: list[str] = []
    if expression:
        # One more than are looked into tells that there are more.
        most = CITING_CANDIDATES + 2
        found = papers_with_words(served.connection(), f"source : ({expression})", most)
    listed = _papers_listing(served.version())
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
