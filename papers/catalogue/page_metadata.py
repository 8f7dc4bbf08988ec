"""Metadata in a paper's page for programs: citation_* tags for reference managers, JSON-LD for crawlers."""

import json
from collections.abc import Callable

from django.urls import reverse

from papercore.bibliography.citation import Citation
from papercore.bibliography.identifiers import doi_url
from papers.catalogue.schemas import PaperMetadata

_VENUE_TAGS = {"paper-conference": "citation_conference_title", "chapter": "citation_inbook_title"}
_PUBLISHER_TAGS = {
    "thesis": "citation_dissertation_institution",
    "report": "citation_technical_report_institution",
}
# What schema.org calls them; everything else is a ScholarlyArticle.
_TYPES = {"book": "Book", "chapter": "Chapter", "thesis": "Thesis", "report": "Report", "dataset": "Dataset"}


def citation_tags(paper: PaperMetadata, citation: Citation, absolute: Callable[[str], str]) -> list[tuple[str, str]]:
    """The tags that Zotero and Google Scholar read."""
    page, pdf = (reverse(name, args=[paper.paper_id]) for name in ("paper", "pdf-file"))
    kind, (first_page, _, last_page) = citation.known_kind, citation.pages.partition("-")
    pairs = [("citation_title", paper.title)]
    pairs += [("citation_author", name) for name in paper.authors]
    pairs += [("citation_editor", name.natural) for name in citation.editors]
    pairs += [
        ("citation_publication_date", "/".join(f"{part:02d}" for part in citation.date_parts)),
        (_VENUE_TAGS.get(kind, "citation_journal_title"), citation.venue),
        ("citation_volume", citation.volume),
        ("citation_issue", citation.issue),
        ("citation_firstpage", first_page),
        ("citation_lastpage", last_page),
        (_PUBLISHER_TAGS.get(kind, "citation_publisher"), citation.publisher),
        ("citation_issn", citation.issn),
        ("citation_isbn", citation.isbn),
        ("citation_language", citation.language),
        ("citation_doi", paper.doi or ""),
        ("citation_arxiv_id", paper.arxiv_id or ""),
        ("citation_public_url", citation.url),
        ("citation_abstract_html_url", absolute(page)),
        ("citation_pdf_url", absolute(pdf) if paper.has_pdf else ""),
    ]
    pairs += [("citation_keywords", word) for word in paper.keywords]
    return [(name, value) for name, value in pairs if value]


def json_ld(paper: PaperMetadata, citation: Citation, url: str) -> str:
    """A ScholarlyArticle of schema.org, or the type that fits better."""
    item: dict[str, object] = {
        "@context": "https://schema.org",
        "@type": _TYPES.get(citation.known_kind, "ScholarlyArticle"),
        "headline": paper.title,
        "url": url,
        "author": [{"@type": "Person", "name": name} for name in paper.authors],
    }
    # The journal or book that the paper is part of.
    kind = "Periodical" if citation.known_kind.startswith("article") else "Book"
    container = {"@type": kind, "name": citation.venue}
    if kind == "Periodical" and citation.issn:
        container["issn"] = citation.issn
    known = {
        "editor": [{"@type": "Person", "name": name.natural} for name in citation.editors],
        "datePublished": "-".join(f"{part:02d}" for part in citation.date_parts),
        "isPartOf": container if citation.venue else None,
        "volumeNumber": citation.volume,
        "issueNumber": citation.issue,
        "pagination": citation.pages,
        "publisher": {"@type": "Organization", "name": citation.publisher} if citation.publisher else None,
        "inLanguage": citation.language,
        "isbn": citation.isbn,
        "sameAs": doi_url(paper.doi) if paper.doi else citation.url,
        "abstract": citation.abstract,
        "keywords": ", ".join(paper.keywords),
    }
    return json.dumps(item | {name: value for name, value in known.items() if value}, ensure_ascii=False)
