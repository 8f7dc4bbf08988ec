"""Calls a tool and makes the result of tools/call: structured content, and the same JSON as text."""

from time import perf_counter

import orjson
from mcp.types import INVALID_PARAMS
from pydantic_core import to_json

from mcpapi import call_log
from mcpapi.envelope import Json
from mcpapi.errors import RpcError
from mcpapi.registry import Tool
from mcpapi.servers import Server
from papercore import limits
from papercore.errors import InvalidInput, ToolError

OK = "ok"


def call_tool(server: Server, params: Json) -> Json:
    """The result of tools/call. An error of the tool is a result too, so that the agent can read it."""
    tool = server.tool_by_name.get(str(params["name"]))
    if tool is None:
        raise RpcError(INVALID_PARAMS, "Unknown tool. tools/list names those there are.")
    started = perf_counter()
    code, payload = "internal_error", b""
    try:
        code, payload = run(tool, params.get("arguments"))
    finally:
        call_log.record_call(server.name, tool.name, code, perf_counter() - started, len(payload))
    return call_result(payload, is_error=code != OK)


def run(tool: Tool, arguments: object) -> tuple[str, bytes]:
    """The outcome's code, and the JSON of what the tool returned or raised."""
    given = arguments if isinstance(arguments, dict) else {}
    try:
        if len(given) > limits.ARGUMENTS:
            raise InvalidInput(f"No tool takes more than {limits.ARGUMENTS} arguments.")
        answer = tool.function(**given)
    except ToolError as error:
        return error.code, to_json(error.payload())
    return OK, answer.model_dump_json(by_alias=True).encode()


def internal_error() -> Json:
    return call_result(to_json({"error": "internal_error", "message": "Internal error."}), is_error=True)


def call_result(payload: bytes, *, is_error: bool) -> Json:
    return {
        "content": [{"type": "text", "text": payload.decode()}],
        "structuredContent": orjson.Fragment(payload),
        "isError": is_error,
    }
