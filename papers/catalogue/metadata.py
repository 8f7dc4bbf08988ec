"""Everything known about papers: what the tables say, and what only the document of their summary has."""

import json
from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict, ValidationError

from papercore.errors import ToolError
from papercore.snapshot.assets import AssetStore
from papercore.snapshot.layout import preferred_summary_key
from papers.catalogue.schemas import PaperMetadata
from papers.catalogue.text_kinds import origin_of
from papers.snapshot import assets
from papers.snapshot.errors import AssetParseFailed
from papers.snapshot.models import Paper, facet_key, year_number
from papers.snapshot.queries import links_of_papers
from papers.snapshot.served import connection


class SummaryDocument(BaseModel):
    """The part of a summary asset that is read here. Fields may be missing, but not of another type."""

    model_config = ConfigDict(extra="ignore")

    paper_title: str = ""
    paper_authors: list[str] = []
    abstract: str | None = None
    keywords: list[str] = []
    paper_institutions: list[str] = []
    output_language: str | None = None
    template_tag: str | None = None
    summary: str = ""


def metadata_of(paper: Paper) -> PaperMetadata:
    return metadata_of_papers([paper])[0]


def metadata_of_papers(papers: Sequence[Paper]) -> list[PaperMetadata]:
    links = links_of_papers(connection(), [paper.paper_id for paper in papers])
    found = []
    for paper in papers:
        linked, document = links[paper.paper_id], preferred_document(paper)
        metadata = PaperMetadata(
            paper_id=paper.paper_id,
            title=paper.title,
            authors=document.paper_authors or linked["author"],
            year=year_number(paper.year),
            month=year_number(paper.month),
            publication_date=paper.publication_date,
            venue=paper.venue,
            doi=paper.doi or None,
            arxiv_id=next((key.removeprefix("arxiv:") for key in linked["key"] if key.startswith("arxiv:")), None),
            keywords=spelled(linked["keyword"], document.keywords),
            tags=linked["tag"],
            institutions=linked["institution"],
            abstract=document.abstract,
            abstract_authors_words=bool(document.abstract)
            and origin_of(paper, "abstract", document.abstract or "").authors_words,
            preferred_summary_template=paper.preferred_summary_template or None,
            available_summary_templates=linked["template"],
            available_translations=linked["language"],
            has_source=bool(paper.source_md_content_hash),
            has_pdf=bool(paper.pdf_content_hash),
            has_bibtex=bool(linked["bibtex"]),
            summary_preview=paper.summary_preview,
            output_language=paper.output_language,
            provider=paper.provider,
            model=paper.model,
            extracted_at=paper.extracted_at,
        )
        found.append(metadata)
    return found


def spelled(values: Sequence[str], written: Sequence[str]) -> list[str]:
    """Facet values, which the tables have in lower case, spelled and ordered as a paper writes them; then the rest."""
    spellings = {facet_key(name): name.strip() for name in written}
    known = [name for key, name in spellings.items() if key in values]
    return known + [value for value in values if value not in spellings]


def preferred_document(paper: Paper, store: AssetStore | None = None) -> SummaryDocument:
    """Holds what the tables lack: the authors' order and spelling. An unreadable one counts as empty."""
    try:
        return read_preferred_document(paper.paper_id, store)
    except ToolError:
        return SummaryDocument()


def read_preferred_document(paper_id: str, store: AssetStore | None = None) -> SummaryDocument:
    """A paper without a summary has this document, too, with its metadata alone."""
    return parse_summary(assets.read_text(preferred_summary_key(paper_id), store))


def parse_summary(text: str) -> SummaryDocument:
    try:
        return SummaryDocument.model_validate(json.loads(text))
    except (ValueError, RecursionError, ValidationError):
        raise AssetParseFailed("The summary is not a JSON document of the expected form.") from None
