"""Calls a tool and makes the result of tools/call: structured content, and the same JSON as text."""

from time import perf_counter

import orjson
from pydantic_core import to_json

from mcpapi import call_log
from mcpapi.errors import RpcError
from mcpapi.listing.servers import Server
from mcpapi.listing.tool import Tool
from mcpapi.protocol import input_required
from mcpapi.protocol.input_required import Call, InputRequired
from mcpapi.protocol.messages import Json
from mcpapi.protocol.names import INVALID_PARAMS
from papercore import limits
from papercore.errors import InvalidInput, ToolError

OK = "ok"


def call_tool(server: Server, params: Json, version: str) -> Json:
    """The result of tools/call. An error of the tool is a result too, so that the agent can read it."""
    tool = server.tool_by_name.get(str(params["name"]))
    if tool is None:
        raise RpcError(INVALID_PARAMS, "Unknown tool. tools/list names those there are.")
    call = input_required.read_call(server.name, tool.name, params, version)
    started = perf_counter()
    code, payload = "internal_error", b""
    try:
        code, answer = run(tool, call)
        if isinstance(answer, InputRequired):
            return input_required.result(server.name, tool.name, call, answer)
        payload = answer
    finally:
        call_log.record_call(server.name, tool.name, code, perf_counter() - started, len(payload))
    return call_result(payload, is_error=code != OK)


def run(tool: Tool, call: Call) -> tuple[str, bytes | InputRequired]:
    """The outcome's code, and the JSON of what the tool returned or raised; or what it needs first."""
    try:
        if len(call.arguments) > limits.ARGUMENTS:
            raise InvalidInput(f"No tool takes more than {limits.ARGUMENTS} arguments.")
        answer = tool.interaction(call) if tool.interaction else tool.function(**call.arguments)
    except ToolError as error:
        return error.code, to_json(error.payload())
    if isinstance(answer, InputRequired):
        return "input_required", answer
    return OK, answer.model_dump_json(by_alias=True).encode()


def internal_error() -> Json:
    return call_result(to_json({"error": "internal_error", "message": "Internal error."}), is_error=True)


def call_result(payload: bytes, *, is_error: bool) -> Json:
    return {
        "content": [{"type": "text", "text": payload.decode()}],
        "structuredContent": orjson.Fragment(payload),
        "isError": is_error,
    }
