"""Finds research papers: a search workflow with checkpoints, its sources and exports."""

from paper_search.config import AppConfig, load_config, with_arguments
from paper_search.export import export_bibtex, export_json, export_markdown
from paper_search.models import Paper, PaperCollection, ParsedIntent, SearchStrategy
from paper_search.workflow import SearchWorkflow

__all__ = [
    "Paper",
    "PaperCollection",
    "ParsedIntent",
    "SearchStrategy",
    "export_bibtex",
    "export_json",
    "export_markdown",
    "search",
]


async def search(
    query: str, config: AppConfig | None = None, max_results: int = 100, domain: str = "general"
) -> PaperCollection:
    """Search with every checkpoint approved. ConfigError if an argument or the configuration cannot be used."""
    chosen = with_arguments(config or load_config(), max_results, domain)
    return await SearchWorkflow.from_config(chosen).run(query)
