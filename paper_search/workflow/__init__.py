"""The search workflow: an engine with checkpoints, its state, and sessions in memory."""

from paper_search.workflow.engine import SearchWorkflow

__all__ = ["SearchWorkflow"]
