"""The paper tools: typed functions that agents, pages and scripts call alike."""

from ingest.bibtex.stored_entry import read_stored_entry
from papercore import limits
from papers.catalogue import facets
from papers.catalogue.citations import generated_entry, stored_entry
from papers.catalogue.metadata import metadata_of
from papers.catalogue.paper_lookup import find_paper
from papers.catalogue.schemas import (
    Bibtex,
    Category,
    DatabaseStats,
    FacetValues,
    Language,
    Limit,
    ManyPapers,
    MaxChars,
    MissingPaper,
    PaperId,
    PaperIds,
    PaperMetadata,
    SectionName,
    SourceText,
    SummaryText,
    TemplateName,
    TextOffset,
    TranslationText,
)
from papers.passages.tools import get_paper_outline as get_paper_outline
from papers.passages.tools import get_passage as get_passage
from papers.passages.tools import search_passages as search_passages
from papers.passages.tools import verify_quotes as verify_quotes
from papers.references.tools import get_paper_references as get_paper_references
from papers.search.tools import filter_papers as filter_papers
from papers.search.tools import get_similar_papers as get_similar_papers
from papers.search.tools import search_papers as search_papers
from papers.search.tools import search_papers_by_keyword as search_papers_by_keyword
from papers.search.tools import suggest as suggest
from papers.snapshot.errors import AmbiguousPaper, BibtexNotFound, PaperNotFound
from papers.snapshot.served import paper_tool
from papers.texts import named, stored
from papers.texts.sections import section_text


@paper_tool
def get_paper_metadata(paper_id: PaperId) -> PaperMetadata:
    """Return what is known about one paper: authors, venue, year, DOI, keywords, and which texts it has.

    Call it before get_paper_summary: `available_summary_templates` and `preferred_summary_template` say which
    summaries exist, `available_translations` and `has_source` which texts, `has_bibtex` whether it can be cited.
    """
    return metadata_of(find_paper(paper_id))


@paper_tool
def get_papers(paper_ids: PaperIds) -> ManyPapers:
    """Return the metadata of several papers in one call, as get_paper_metadata does for one.

    Use it to compare or cite the papers that a search found. A name that fits no paper is listed in `not_found`.
    """
    found, missing = {}, []
    for name in paper_ids:
        try:
            paper = find_paper(name)
        except (PaperNotFound, AmbiguousPaper) as error:
            missing.append(MissingPaper(paper_id=name, error=error.code, message=error.message))
        else:
            found[paper.paper_id] = paper
    return ManyPapers(papers=[metadata_of(paper) for paper in found.values()], not_found=missing)


@paper_tool
def get_paper_summary(
    paper_id: PaperId, template: TemplateName | None = None, max_chars: MaxChars = limits.TEXT_CHARS
) -> SummaryText:
    """Return one summary of a paper as a JSON document in a string.

    Call get_paper_metadata first to see which templates the paper has; without `template` you get the preferred one.
    A summary answers most questions about a paper; read get_paper_source only for details it leaves out. A document
    longer than `max_chars` is cut and ends with a marker.
    """
    paper = find_paper(paper_id)
    chosen = template or paper.preferred_summary_template
    cut = stored.truncate(named.summary_of(paper, chosen), max_chars)
    return SummaryText(
        paper_id=paper.paper_id,
        template=chosen,
        content=cut.text,
        total_chars=cut.total_chars,
        truncated=cut.truncated,
    )


@paper_tool
def get_paper_source(
    paper_id: PaperId,
    max_chars: MaxChars = limits.TEXT_CHARS,
    section: SectionName | None = None,
    offset: TextOffset = 0,
) -> SourceText:
    """Return the full text of one paper as markdown: all of it, one section, or a window from `offset`.

    Warning: it can be very large (often over 50,000 characters). For one point search_passages and get_passage cost
    far less. Set `max_chars` to limit the text: what is cut ends with a marker,
    and `next_offset` goes on from there.
    """
    paper = find_paper(paper_id)
    text = named.source_of(paper)
    if section is not None:
        text = section_text(paper.paper_id, text, section)
    cut = stored.truncate(text[offset:], max_chars)
    return SourceText(
        paper_id=paper.paper_id,
        markdown=cut.text,
        total_chars=len(text),
        truncated=cut.truncated,
        next_offset=offset + max_chars if cut.truncated else None,
    )


@paper_tool
def get_paper_translation(
    paper_id: PaperId, lang: Language, max_chars: MaxChars = limits.TEXT_CHARS
) -> TranslationText:
    """Return a translation of one paper's full text as markdown.

    get_paper_metadata lists the languages in `available_translations`. Can be very large: set `max_chars`.
    """
    paper = find_paper(paper_id)
    cut = stored.truncate(named.translation_of(paper, lang), max_chars)
    return TranslationText(
        paper_id=paper.paper_id,
        lang=lang.lower(),
        markdown=cut.text,
        total_chars=cut.total_chars,
        truncated=cut.truncated,
    )


@paper_tool
def get_paper_bibtex(paper_id: PaperId, generated: bool = False) -> Bibtex:
    """Return the stored BibTeX entry of one paper, for citing it.

    `has_bibtex` in get_paper_metadata says whether there is one. With `generated`, a paper without one gets an entry
    made from its metadata.
    """
    paper = find_paper(paper_id)
    entry = stored_entry(paper.paper_id)
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

    Use it to learn what the library holds and how it names things, before search_papers_by_keyword or filter_papers.
    """
    return FacetValues(category=category, values=facets.top_values(category, limit))


@paper_tool
def get_database_stats() -> DatabaseStats:
    """Return the size and shape of the library: papers, years, texts, templates, languages, and when it was built."""
    return facets.stats()
