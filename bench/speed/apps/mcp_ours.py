"""This site, with the constant tool added to its papers server."""

import logging
import os

from papersite.wsgi import application  # isort: skip  (sets Django up)

from bench.speed.apps.mcp_constant import constant
from mcpapi.listing.servers import PAPERS, SERVERS, Server
from mcpapi.listing.tool import read_tool

__all__ = ["application"]

SERVERS["bench"] = Server("bench", "Bench", "", (*PAPERS.tools, read_tool(constant, "Constant")), PAPERS.resources)

if not os.environ.get("BENCH_LOGS"):
    logging.disable(logging.INFO)
