"""The paper tools: typed functions that agents, pages and scripts call alike."""

from papercore import limits
from papers.bibtex.stored_entry import read_stored_entry
from papers.catalogue import facets
from papers.catalogue.citations import generated_entry
from papers.catalogue.metadata import metadata_of, templates_of
from papers.catalogue.paper_lookup import find_paper
from papers.errors import (
    BibtexNotFound,
    SourceNotAvailable,
    SummaryNotAvailable,
    TemplateNotAvailable,
    TranslationNotAvailable,
)
from papers.models import PaperBibtex, PaperTranslation
from papers.schemas import (
    Bibtex,
    Category,
    DatabaseStats,
    FacetValues,
    Language,
    Limit,
    MaxChars,
    PaperId,
    PaperMetadata,
    SourceText,
    SummaryText,
    TemplateName,
    TranslationText,
)
from papers.search.tools import filter_papers as filter_papers
from papers.search.tools import get_similar_papers as get_similar_papers
from papers.search.tools import search_papers as search_papers
from papers.search.tools import search_papers_by_keyword as search_papers_by_keyword
from papers.search.tools import suggest as suggest
from papers.snapshot.served import paper_tool
from papers.texts import stored


@paper_tool
def get_paper_metadata(paper_id: PaperId) -> PaperMetadata:
    """Return what is known about one paper: authors, venue, year, DOI, keywords, and which texts it has.

    Call it before get_paper_summary: `available_summary_templates` and `preferred_summary_template` say which
    summaries exist, `available_translations` and `has_source` which texts, `has_bibtex` whether it can be cited.
    """
    return metadata_of(find_paper(paper_id))


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
    available = templates_of(paper)
    if not available:
        raise SummaryNotAvailable(
            f"Paper {paper.paper_id} has no summary; try get_paper_source.", paper_id=paper.paper_id
        )
    chosen = template or paper.preferred_summary_template
    if chosen not in available:
        raise TemplateNotAvailable(
            f"Paper {paper.paper_id} has no summary by that template. Available: {', '.join(available)}.",
            paper_id=paper.paper_id,
            template=chosen,
            available_summary_templates=available,
        )
    cut = stored.truncate(stored.summary_text(paper.paper_id, chosen), max_chars)
    return SummaryText(
        paper_id=paper.paper_id,
        template=chosen,
        content=cut.text,
        total_chars=cut.total_chars,
        truncated=cut.truncated,
    )


@paper_tool
def get_paper_source(paper_id: PaperId, max_chars: MaxChars = limits.TEXT_CHARS) -> SourceText:
    """Return the full text of one paper as markdown.

    Warning: it can be very large (often over 50,000 characters). Set `max_chars` to limit it, and prefer
    get_paper_summary unless you need details. A text that is cut ends with a marker that says how much is left.
    """
    paper = find_paper(paper_id)
    if not paper.source_md_content_hash:
        raise SourceNotAvailable(
            f"The source text of paper {paper.paper_id} is not available in this library.", paper_id=paper.paper_id
        )
    cut = stored.truncate(stored.source_text(paper), max_chars)
    return SourceText(paper_id=paper.paper_id, markdown=cut.text, total_chars=cut.total_chars, truncated=cut.truncated)


@paper_tool
def get_paper_translation(
    paper_id: PaperId, lang: Language, max_chars: MaxChars = limits.TEXT_CHARS
) -> TranslationText:
    """Return a translation of one paper's full text as markdown.

    get_paper_metadata lists the languages in `available_translations`. Can be very large: set `max_chars`.
    """
    paper = find_paper(paper_id)
    hashes = dict(PaperTranslation.objects.filter(paper=paper).values_list("lang", "md_content_hash"))
    code = lang.lower()
    if code not in hashes:
        raise TranslationNotAvailable(
            f"Paper {paper.paper_id} has no such translation. Available: {', '.join(sorted(hashes)) or 'none'}.",
            paper_id=paper.paper_id,
            lang=code,
            available_translations=sorted(hashes),
        )
    cut = stored.truncate(stored.translation_text(paper.paper_id, code, hashes[code]), max_chars)
    return TranslationText(
        paper_id=paper.paper_id, lang=code, markdown=cut.text, total_chars=cut.total_chars, truncated=cut.truncated
    )


@paper_tool
def get_paper_bibtex(paper_id: PaperId, generated: bool = False) -> Bibtex:
    """Return the stored BibTeX entry of one paper, for citing it.

    `has_bibtex` in get_paper_metadata says whether there is one. With `generated`, a paper without one gets an entry
    made from its metadata.
    """
    paper = find_paper(paper_id)
    entry = PaperBibtex.objects.filter(paper=paper).first()
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
