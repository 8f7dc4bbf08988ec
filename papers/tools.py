"""The paper tools, where agents, scripts and other packages find them: each is in the room that it reads."""

from papers.catalogue.citing import cite_papers
from papers.catalogue.tools import (
    get_database_stats,
    get_paper_bibtex,
    get_paper_metadata,
    get_papers,
    list_top_facets,
)
from papers.passages.tools import get_paper_outline, get_passage
from papers.references.checking import check_bibliography
from papers.references.tools import get_paper_references
from papers.search.claims import check_claims
from papers.search.passages import search_passages
from papers.search.quotes import verify_quotes
from papers.search.tools import (
    filter_papers,
    get_similar_papers,
    search_papers,
    search_papers_by_keyword,
    suggest,
)
from papers.texts.tools import get_paper_source, get_paper_summary, get_paper_translation

__all__ = [
    "check_bibliography",
    "check_claims",
    "cite_papers",
    "filter_papers",
    "get_database_stats",
    "get_paper_bibtex",
    "get_paper_metadata",
    "get_paper_outline",
    "get_paper_references",
    "get_paper_source",
    "get_paper_summary",
    "get_paper_translation",
    "get_papers",
    "get_passage",
    "get_similar_papers",
    "list_top_facets",
    "search_papers",
    "search_papers_by_keyword",
    "search_passages",
    "suggest",
    "verify_quotes",
]
