"""The search workflow: an engine with checkpoints, its state, and sessions in memory."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from paper_search.workflow.engine import SearchWorkflow

__all__ = ["SearchWorkflow"]


def __getattr__(name: str) -> object:
    """The engine takes half a second to import, which whoever wants the state alone need not wait for."""
    if name == "SearchWorkflow":
        from paper_search.workflow.engine import SearchWorkflow

        return SearchWorkflow
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
