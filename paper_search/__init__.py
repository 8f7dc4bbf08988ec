"""Finds research papers: a search workflow with checkpoints, its sources and exports."""

from collections.abc import Mapping

from paper_search.config import AppConfig, load_config, with_arguments
from paper_search.export import export_bibtex, export_json, export_markdown
from paper_search.models import Paper, PaperCollection, ParsedIntent, SearchStrategy
from paper_search.plan import SearchPlan, plan_for
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
    query: str,
    config: AppConfig | None = None,
    max_results: int = 100,
    domain: str = "general",
    plan: SearchPlan | Mapping[str, object] | None = None,
) -> PaperCollection:
    """Search with every checkpoint approved; a plan takes the place of reading the question.

    ConfigError if an argument or the configuration cannot be used, InvalidPlan if the plan cannot,
    AllSourcesFailed if no source answered.
    """
    chosen = with_arguments(config or load_config(), max_results, domain)
    return await SearchWorkflow.from_config(chosen).run(query, plan_for(plan, chosen) if plan else None)
