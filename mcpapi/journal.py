"""Writes down each tool call, as a log line and in the metrics: never what was asked or answered."""

import logging

from prometheus_client import Counter, Histogram

logger = logging.getLogger(__name__)

BUCKETS = (0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30)
CALLS = Counter("papersite_tool_calls", "Tool calls over MCP; outcome is ok or the error's code.", ["tool", "outcome"])
SECONDS = Histogram("papersite_tool_seconds", "How long tool calls took.", ["tool"], buckets=BUCKETS)


def write_down(server: str, tool: str, outcome: str, seconds: float, size: int) -> None:
    CALLS.labels(tool, outcome).inc()
    SECONDS.labels(tool).observe(seconds)
    fields = {"server": server, "tool": tool, "outcome": outcome, "ms": round(seconds * 1000, 1), "bytes_out": size}
    logger.info("tool call", extra={"fields": fields})
