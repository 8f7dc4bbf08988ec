"""The tools that say what is known about papers and about the library as a whole."""

from ingest.bibtex.citation import read_stored_entry
from papercore import limits
from papers.catalogue import facets
from papers.catalogue.citations import generated_entry
from papers.catalogue.lookup import find_paper
from papers.catalogue.metadata import metadata_of, metadata_of_papers
from papers.catalogue.schemas import (
    Bibtex,
    Category,
    DatabaseStats,
    FacetValues,
    Limit,
    ManyPapers,
    MissingPaper,
    PaperId,
    PaperIds,
    PaperMetadata,
)
from papers.snapshot.errors import AmbiguousPaper, BibtexNotFound, PaperNotFound
from papers.snapshot.queries import bibtex_entries
from papers.snapshot.served import connection, paper_tool


@paper_tool
def get_paper_metadata(paper_id: PaperId) -> PaperMetadata:
    """Return what is known about one paper: authors, venue, year, DOI, keywords, and which texts it has.

    Call it before get_paper_summary: `available_summary_templates` says which summaries exist.
    """
    return metadata_of(find_paper(paper_id))


@paper_tool
def get_papers(paper_ids: PaperIds, bibtex: bool = False) -> ManyPapers:
    """Return the metadata of several papers in one call, as get_paper_metadata does for one.

    With `bibtex` also their entries, to cite them. A name that fits no paper is listed in `not_found`.
    """
    found, missing = {}, []
    for name in paper_ids:
        try:
            paper = find_paper(name)
        except (PaperNotFound, AmbiguousPaper) as error:
            missing.append(MissingPaper(paper_id=name, error=error.code, message=error.message))
        else:
            found[paper.paper_id] = paper
    papers = metadata_of_papers(list(found.values()))
    if not bibtex:
        return ManyPapers(papers=papers, not_found=missing)
    stored = bibtex_entries(connection(), list(found))
    entries = [(stored.get(paper.paper_id) or generated_entry(paper)).bibtex_raw for paper in papers]
    return ManyPapers(papers=papers, not_found=missing, bibtex="\n\n".join(entry.strip() for entry in entries))


@paper_tool
def get_paper_bibtex(paper_id: PaperId, generated: bool = False) -> Bibtex:
    """Return the stored BibTeX entry of one paper, for citing it.

    `has_bibtex` in get_paper_metadata says whether there is one. With `generated`, a paper without one gets an entry
    made from its metadata.
    """
    paper = find_paper(paper_id)
    entry = bibtex_entries(connection(), [paper.paper_id]).get(paper.paper_id)
    if entry is None and generated:
        entry = generated_entry(metadata_of(paper))
    if entry is None:
        raise BibtexNotFound(
            f"Paper {paper.paper_id} has no stored BibTeX. For an entry made from its metadata, call again with"
            " generated=true.",
            paper_id=paper.paper_id,
        )
    return Bibtex(
        paper_id=paper.paper_id,
        doi=paper.doi or None,
        bibtex_raw=entry.bibtex_raw,
        bibtex_key=entry.bibtex_key,
        entry_type=entry.entry_type,
        note=read_stored_entry(entry.bibtex_raw).problem or None,
    )


@paper_tool
def list_top_facets(category: Category, limit: Limit = limits.DEFAULT_PAGE_SIZE) -> FacetValues:
    """List the most frequent authors, venues, keywords, institutions, tags or years, with their number of papers.

    Use it to learn how the library names things, before you filter.
    """
    return FacetValues(category=category, values=facets.top_values(category, limit))


@paper_tool
def get_database_stats() -> DatabaseStats:
    """Return the size and shape of the library: papers, years, texts, templates, languages, and when it was built."""
    return facets.stats()
