"""Find research papers: a checkpointed search workflow, its sources, exports and the retrieval engine."""

from paper_search.config import AppConfig
from paper_search.export import export_bibtex, export_json, export_markdown
from paper_search.models import Paper, PaperCollection, ParsedIntent, SearchStrategy

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
    """Search without questions: every checkpoint is approved. ConfigError if the arguments make no sense."""
    # Imported here so that `import paper_search` stays light.
    from paper_search.config import load_config, with_arguments
    from paper_search.workflow import SearchWorkflow

    chosen = with_arguments(config or load_config(), max_results, domain)
    return await SearchWorkflow.from_config(chosen).run(query)
