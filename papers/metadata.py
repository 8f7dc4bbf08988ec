"""All that is known about one paper, put together from the tables and its summary."""

from collections import defaultdict

from paper_search.errors import ToolError
from papers import content
from papers.listing import number
from papers.models import Paper
from papers.schemas import PaperMetadata
from papers.snapshot import connection

# Everything that hangs on a paper, in one go: nine queries through the ORM cost ten times as much as this one.
BELONGINGS = """
SELECT 'author', value FROM paper_author JOIN author USING (author_id) WHERE paper_id = %(id)s
UNION ALL SELECT 'keyword', value FROM paper_keyword JOIN keyword USING (keyword_id) WHERE paper_id = %(id)s
UNION ALL SELECT 'tag', value FROM paper_tag JOIN tag USING (tag_id) WHERE paper_id = %(id)s
UNION ALL SELECT 'institution', value FROM paper_institution JOIN institution USING (institution_id)
  WHERE paper_id = %(id)s
UNION ALL SELECT 'template', template_tag FROM paper_summary WHERE paper_id = %(id)s
UNION ALL SELECT 'lang', lang FROM paper_translation WHERE paper_id = %(id)s
UNION ALL SELECT paper_key_type, paper_key FROM paper_key_alias WHERE paper_id = %(id)s AND paper_key_type = 'arxiv'
UNION ALL SELECT 'bibtex', bibtex_key FROM paper_bibtex WHERE paper_id = %(id)s
"""


def templates_of(paper: Paper) -> list[str]:
    return list(paper.summaries.order_by("template_tag").values_list("template_tag", flat=True))


def belongings(paper_id: str) -> dict[str, list[str]]:
    """What the other tables say of the paper, by kind, each list in alphabetical order."""
    found: dict[str, list[str]] = defaultdict(list)
    with connection().cursor() as cursor:
        for kind, value in cursor.execute(BELONGINGS, {"id": paper_id}):
            found[kind].append(value)
    return defaultdict(list, {kind: sorted(values, key=str) for kind, values in found.items()})


def metadata_of(paper: Paper) -> PaperMetadata:
    has = belongings(paper.paper_id)
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
        arxiv_id=next((key.removeprefix("arxiv:") for key in has["arxiv"]), None),
        keywords=has["keyword"],
        tags=has["tag"],
        institutions=has["institution"],
        abstract=document.abstract,
        preferred_summary_template=paper.preferred_summary_template or None,
        available_summary_templates=has["template"],
        available_translations=has["lang"],
        has_source=bool(paper.source_md_content_hash),
        has_pdf=bool(paper.pdf_content_hash),
        has_bibtex=bool(has["bibtex"]),
        summary_preview=paper.summary_preview,
        output_language=paper.output_language,
        provider=paper.provider,
        model=paper.model,
        extracted_at=paper.extracted_at,
    )


def preferred_document(paper: Paper) -> content.SummaryDocument:
    """What the tables have lost stands here: the authors' order and spelling. A broken one is done without."""
    try:
        return content.preferred_document(paper.paper_id)
    except ToolError:
        return content.SummaryDocument()
