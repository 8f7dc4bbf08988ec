"""All that is known about one paper, put together from the tables and its summary."""

from papercore.errors import ToolError
from papers.catalogue.paper_links import belongings
from papers.models import Paper
from papers.schemas import PaperMetadata
from papers.search.paging import number
from papers.snapshot.served import connection
from papers.texts import stored


def templates_of(paper: Paper) -> list[str]:
    return list(paper.summaries.order_by("template_tag").values_list("template_tag", flat=True))


def metadata_of(paper: Paper) -> PaperMetadata:
    with connection().cursor() as cursor:
        has = belongings(cursor, paper.paper_id)
    document = preferred_document(paper)
    return PaperMetadata(
        paper_id=paper.paper_id,
        title=paper.title,
        authors=document.paper_authors or has["author"],
        year=number(paper.year),
        month=number(paper.month),
        publication_date=paper.publication_date,
        venue=paper.venue,
        doi=paper.doi or None,
        arxiv_id=next((key.removeprefix("arxiv:") for key in has["key"] if key.startswith("arxiv:")), None),
        keywords=has["keyword"],
        tags=has["tag"],
        institutions=has["institution"],
        abstract=document.abstract,
        preferred_summary_template=paper.preferred_summary_template or None,
        available_summary_templates=has["template"],
        available_translations=has["language"],
        has_source=bool(paper.source_md_content_hash),
        has_pdf=bool(paper.pdf_content_hash),
        has_bibtex=bool(has["bibtex"]),
        summary_preview=paper.summary_preview,
        output_language=paper.output_language,
        provider=paper.provider,
        model=paper.model,
        extracted_at=paper.extracted_at,
    )


def preferred_document(paper: Paper) -> stored.SummaryDocument:
    """What the tables have lost stands here: the authors' order and spelling. A broken one is done without."""
    try:
        return stored.preferred_document(paper.paper_id)
    except ToolError:
        return stored.SummaryDocument()
