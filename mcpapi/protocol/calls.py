"""Calls a tool: reads the call, logs and counts it, and makes the result, or asks the person at the client first.

Between a question to the client and the retried call with the answers nothing is kept: what the second needs travels
through the client in a signed state, which counts only for the same tool, arguments and caller, and for a limited time.
"""

import hashlib
import logging
from time import perf_counter

import orjson
from django.core import signing
from mcp.types import CLIENT_CAPABILITIES_META_KEY
from mcp.types.jsonrpc import INVALID_PARAMS
from mcp.types.version import MODERN_PROTOCOL_VERSIONS
from prometheus_client import Counter, Histogram
from pydantic_core import to_json

from mcpapi.listing import apps
from mcpapi.listing.servers import Server
from mcpapi.listing.tool import Call, InputRequired, Tool
from mcpapi.protocol.messages import Json, RpcError
from papercore import caller, limits
from papercore.errors import InvalidInput, ToolError, Unavailable

logger = logging.getLogger(__name__)

OK = "ok"


class OutOfScope(InvalidInput):
    code = "out_of_scope"


_SALT = "mcpapi.request_state"
# How long a question to the client may wait for its answer: as long as the session that it is about.
STATE_SECONDS = limits.SESSION_IDLE_SECONDS
SECONDS_BUCKETS = (0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30)
CALLS = Counter("papersite_tool_calls", "Tool calls over MCP; outcome is ok or the error's code.", ["tool", "outcome"])
SECONDS = Histogram("papersite_tool_seconds", "How long tool calls took.", ["tool"], buckets=SECONDS_BUCKETS)


def call_tool(server: Server, params: Json, version: str) -> Json:
    """The result of tools/call: structured content, and the same JSON as text.

    An error of the tool is a result too, so that the agent can read it.
    """
    tool = server.tool_by_name.get(str(params["name"]))
    if tool is None:
        raise RpcError(INVALID_PARAMS, "Unknown tool. tools/list names those there are.")
    call = read_call(server.name, tool.name, params, version)
    started = perf_counter()
    code, payload = "internal_error", b""
    try:
        code, answer = run(tool, call)
        if isinstance(answer, InputRequired):
            return ask_client(server.name, tool.name, call, answer)
        payload = answer
    finally:
        record_call(server.name, tool.name, code, perf_counter() - started, len(payload))
    return call_result(payload, is_error=code != OK)


def read_call(server: str, tool: str, params: Json, version: str) -> Call:
    """The call in the params of a request. RpcError if its state was changed, is too old, or was made for another."""
    arguments = params.get("arguments")
    given = arguments if isinstance(arguments, dict) else {}
    if version not in MODERN_PROTOCOL_VERSIONS:
        return Call(given, frozenset(), {})
    responses, signed = params.get("inputResponses"), params.get("requestState")
    state = None if signed is None else opened_state(str(signed), _binding(server, tool, given))
    return Call(given, capabilities_in(params), responses if isinstance(responses, dict) else {}, state)


def capabilities_in(params: Json) -> frozenset[str]:
    """What the client declares that it can be asked for."""
    meta = params.get("_meta")
    declared = meta.get(CLIENT_CAPABILITIES_META_KEY) if isinstance(meta, dict) else None
    if not isinstance(declared, dict):
        return frozenset()
    elicitation = declared.get("elicitation")
    # Without modes it means forms; a client may show addresses alone.
    has_forms = isinstance(elicitation, dict) and ("form" in elicitation or "url" not in elicitation)
    others = {name for name in ("sampling", "roots") if declared.get(name) is not None}
    has_apps = apps.declares_apps(declared)
    return frozenset({*others, *(["elicitation"] if has_forms else []), *(["apps"] if has_apps else [])})


def opened_state(signed: str, binding: str) -> Json:
    """The state that `ask_client` signed for the call of this binding."""
    try:
        made_for, state = signing.loads(signed, salt=_SALT, max_age=STATE_SECONDS)
    except (signing.BadSignature, ValueError):
        made_for, state = "", None
    if made_for != binding or not isinstance(state, dict):
        raise RpcError(
            INVALID_PARAMS,
            "The requestState was changed, is too old, or belongs to another call. Call the tool again without it.",
            {"reason": "invalid_request_state"},
        )
    return state


def _binding(server: str, tool: str, arguments: Json) -> str:
    """Names the call that a state belongs to."""
    parts = orjson.dumps([server, tool, arguments, caller.current().client], option=orjson.OPT_SORT_KEYS)
    return hashlib.sha256(parts).hexdigest()


def run(tool: Tool, call: Call) -> tuple[str, bytes | InputRequired]:
    """The outcome's code, and the JSON of what the tool returned or raised; or what it needs first."""
    try:
        if tool.scope not in caller.current().scopes:
            what = "The token that was sent may not" if caller.current().key else "Without a token nobody may"
            raise OutOfScope(
                f"{what} call {tool.name}: it takes a token with the scope {tool.scope} (Authorization: Bearer). "
                f"Whoever runs the site makes one: papersite create-token NAME --scope {tool.scope}"
            )
        if len(call.arguments) > limits.ARGUMENTS:
            raise InvalidInput(f"No tool takes more than {limits.ARGUMENTS} arguments.")
        answer = tool.interaction(call) if tool.interaction else tool.function(**call.arguments)
    except ToolError as error:
        if isinstance(error, Unavailable):
            logger.warning("a tool is unavailable", extra={"fields": {"tool": tool.name, "code": error.code}})
        return error.code, to_json(error.payload())
    if isinstance(answer, InputRequired):
        return "input_required", answer
    return OK, answer.model_dump_json(by_alias=True).encode()


def ask_client(server: str, tool: str, call: Call, asked: InputRequired) -> Json:
    signed = signing.dumps([_binding(server, tool, call.arguments), asked.state], salt=_SALT, compress=True)
    return {"resultType": "input_required", "inputRequests": dict(asked.requests), "requestState": signed}


def record_call(server: str, tool: str, outcome: str, seconds: float, size: int) -> None:
    """Log and count a call: never what was asked or answered."""
    CALLS.labels(tool, outcome).inc()
    SECONDS.labels(tool).observe(seconds)
    fields = {"server": server, "tool": tool, "outcome": outcome, "ms": round(seconds * 1000, 1), "bytes_out": size}
    logger.info("tool call", extra={"fields": fields})


def internal_error() -> Json:
    return call_result(to_json({"error": "internal_error", "message": "Internal error."}), is_error=True)


def call_result(payload: bytes, *, is_error: bool) -> Json:
    return {
        "content": [{"type": "text", "text": payload.decode()}],
        "structuredContent": orjson.Fragment(payload),
        "isError": is_error,
    }
