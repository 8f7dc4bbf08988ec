"""Everything known about one paper, from the tables and its summary."""

from papercore.errors import ToolError
from papers.catalogue.paper_links import facet_key, links_of, year_number
from papers.catalogue.schemas import PaperMetadata
from papers.snapshot.models import Paper
from papers.snapshot.served import connection
from papers.texts import stored

# Written out, because a list asks for each text that it quotes: the ORM takes a third of a millisecond to compose it.
_TEMPLATES = "SELECT template_tag FROM paper_summary WHERE paper_id = ? ORDER BY template_tag"


def templates_of(paper: Paper) -> list[str]:
    return [template for (template,) in connection().execute(_TEMPLATES, [paper.paper_id])]


def metadata_of(paper: Paper) -> PaperMetadata:
    links = links_of(connection(), paper.paper_id)
    document = preferred_document(paper)
    return PaperMetadata(
        paper_id=paper.paper_id,
        title=paper.title,
        authors=document.paper_authors or links["author"],
        year=year_number(paper.year),
        month=year_number(paper.month),
        publication_date=paper.publication_date,
        venue=paper.venue,
        doi=paper.doi or None,
        arxiv_id=next((key.removeprefix("arxiv:") for key in links["key"] if key.startswith("arxiv:")), None),
        keywords=_as_written(links["keyword"], document.keywords),
        tags=links["tag"],
        institutions=links["institution"],
        abstract=document.abstract,
        preferred_summary_template=paper.preferred_summary_template or None,
        available_summary_templates=links["template"],
        available_translations=links["language"],
        has_source=bool(paper.source_md_content_hash),
        has_pdf=bool(paper.pdf_content_hash),
        has_bibtex=bool(links["bibtex"]),
        summary_preview=paper.summary_preview,
        output_language=paper.output_language,
        provider=paper.provider,
        model=paper.model,
        extracted_at=paper.extracted_at,
    )


def _as_written(values: list[str], written: list[str]) -> list[str]:
    """Facet values, which are in lower case, spelled and ordered as the summary has them."""
    spelled = {facet_key(value): value for value in written}
    known = [value for key, value in spelled.items() if key in values]
    return known + [value for value in values if value not in spelled]


def preferred_document(paper: Paper) -> stored.SummaryDocument:
    """Holds what the tables lack: the authors' order and spelling. An unreadable one counts as empty."""
    try:
        return stored.preferred_document(paper.paper_id)
    except ToolError:
        return stored.SummaryDocument()
