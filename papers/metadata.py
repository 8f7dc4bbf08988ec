"""All that is known about one paper, put together from the tables and its summary."""

from paper_search.errors import ToolError
from papers import content
from papers.listing import number
from papers.models import Paper, PaperBibtex
from papers.schemas import PaperMetadata


def templates_of(paper: Paper) -> list[str]:
    return list(paper.summaries.order_by("template_tag").values_list("template_tag", flat=True))


def metadata_of(paper: Paper) -> PaperMetadata:
    templates = templates_of(paper)
    document = preferred_document(paper, templates)
    return PaperMetadata(
        paper_id=paper.paper_id,
        title=paper.title,
        authors=document.paper_authors or facet_values(paper, "authors"),
        year=number(paper.year),
        month=number(paper.month),
        publication_date=paper.publication_date,
        venue=paper.venue,
        doi=paper.doi or None,
        arxiv_id=arxiv_id(paper),
        keywords=facet_values(paper, "keywords"),
        tags=facet_values(paper, "tags"),
        institutions=facet_values(paper, "institutions"),
        abstract=document.abstract,
        preferred_summary_template=paper.preferred_summary_template or None,
        available_summary_templates=templates,
        available_translations=list(paper.translations.order_by("lang").values_list("lang", flat=True)),
        has_source=bool(paper.source_md_content_hash),
        has_pdf=bool(paper.pdf_content_hash),
        has_bibtex=PaperBibtex.objects.filter(paper=paper).exists(),
        summary_preview=paper.summary_preview,
        output_language=paper.output_language,
        provider=paper.provider,
        model=paper.model,
        extracted_at=paper.extracted_at,
    )


def preferred_document(paper: Paper, templates: list[str]) -> content.SummaryDocument:
    """The summary holds what the tables have lost, the authors' order and spelling; one that is broken is left out."""
    if paper.preferred_summary_template not in templates:
        return content.SummaryDocument()
    try:
        return content.summary_document(paper.paper_id, paper.preferred_summary_template)
    except ToolError:
        return content.SummaryDocument()


def facet_values(paper: Paper, relation: str) -> list[str]:
    links = getattr(paper, relation)
    return list(links.order_by("value").values_list("value", flat=True))


def arxiv_id(paper: Paper) -> str | None:
    key = paper.aliases.filter(paper_key_type="arxiv").order_by("paper_key").values_list("paper_key", flat=True).first()
    return key.removeprefix("arxiv:") if key else None
