"""Metadata in a paper's page for programs: citation_* tags for reference managers, JSON-LD for crawlers."""

import json
from collections.abc import Callable

from django.urls import reverse

from papercore.identifiers import doi_url
from papers.schemas import PaperMetadata


def citation_tags(paper: PaperMetadata, absolute: Callable[[str], str]) -> list[tuple[str, str]]:
    """The tags that Zotero and Google Scholar read."""
    page, pdf = (reverse(name, args=[paper.paper_id]) for name in ("paper", "pdf-file"))
    pairs = [("citation_title", paper.title)]
    pairs += [("citation_author", name) for name in paper.authors]
    pairs += [("citation_publication_date", (paper.publication_date or str(paper.year or "")).replace("-", "/"))]
    pairs += [("citation_journal_title", paper.venue), ("citation_doi", paper.doi or "")]
    pairs += [("citation_arxiv_id", paper.arxiv_id or ""), ("citation_abstract_html_url", absolute(page))]
    pairs += [("citation_keywords", word) for word in paper.keywords]
    if paper.has_pdf:
        pairs.append(("citation_pdf_url", absolute(pdf)))
    return [(name, value) for name, value in pairs if value]


def json_ld(paper: PaperMetadata, url: str) -> str:
    """A ScholarlyArticle of schema.org."""
    item: dict[str, object] = {
        "@context": "https://schema.org",
        "@type": "ScholarlyArticle",
        "headline": paper.title,
        "url": url,
        "author": [{"@type": "Person", "name": name} for name in paper.authors],
    }
    known = {
        "datePublished": str(paper.year or ""),
        "isPartOf": {"@type": "Periodical", "name": paper.venue} if paper.venue else None,
        "sameAs": doi_url(paper.doi) if paper.doi else None,
        "abstract": paper.abstract,
        "keywords": ", ".join(paper.keywords),
    }
    return json.dumps(item | {name: value for name, value in known.items() if value}, ensure_ascii=False)
