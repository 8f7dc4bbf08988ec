"""Everything known about papers: what the tables say, and what only the document of their summary has."""

from collections.abc import Sequence

from papercore.snapshot.file import facet_key
from papers.catalogue.schemas import PaperMetadata
from papers.catalogue.text_kinds import origin_of
from papers.snapshot.assets import preferred_document
from papers.snapshot.models import Paper
from papers.snapshot.queries import links_of_papers, year_number
from papers.snapshot.served import connection


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
