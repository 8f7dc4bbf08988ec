"""Logs and counts tool calls: never what was asked or answered."""

import logging

from prometheus_client import Counter, Histogram

logger = logging.getLogger(__name__)

SECONDS_BUCKETS = (0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30)
CALLS = Counter("papersite_tool_calls", "Tool calls over MCP; outcome is ok or the error's code.", ["tool", "outcome"])
SECONDS = Histogram("papersite_tool_seconds", "How long tool calls took.", ["tool"], buckets=SECONDS_BUCKETS)


def record_call(server: str, tool: str, outcome: str, seconds: float, size: int) -> None:
    CALLS.labels(tool, outcome).inc()
    SECONDS.labels(tool).observe(seconds)
    fields = {"server": server, "tool": tool, "outcome": outcome, "ms": round(seconds * 1000, 1), "bytes_out": size}
    logger.info("tool call", extra={"fields": fields})
