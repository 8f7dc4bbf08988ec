"""Tools that ask the person at the client: an input-required result, and the retried call with the answers.

Nothing is kept between the two calls: what the second needs travels through the client in a signed state, which counts
only for the same tool, arguments and caller, and for a limited time.
"""

import hashlib
from collections.abc import Callable, Mapping

import orjson
from django.core import signing
from msgspec import Struct
from pydantic import BaseModel

from mcpapi.errors import RpcError
from mcpapi.protocol.messages import Json
from mcpapi.protocol.names import CLIENT_CAPABILITIES_META_KEY, INVALID_PARAMS, MODERN_PROTOCOL_VERSIONS
from papercore import caller
from papercore.limits import SESSION_IDLE_SECONDS

_SALT = "mcpapi.request_state"


class Call(Struct, frozen=True):
    """A call of a tool that may ask; `state` and `responses` are those of a retried one."""

    arguments: Json
    # What the client can be asked for: elicitation, sampling, roots.
    capabilities: frozenset[str]
    responses: Mapping[str, object]
    state: Json | None = None


class InputRequired(Struct, frozen=True):
    """What to ask the client for, by keys of our own, and what the retried call must know."""

    requests: Mapping[str, Json]
    state: Json


# Answers a call, or says what is needed first.
Interaction = Callable[[Call], BaseModel | InputRequired]


def read_call(server: str, tool: str, params: Json, version: str) -> Call:
    """The call in the params of a request. RpcError if its state was changed, is too old, or was made for another."""
    arguments = params.get("arguments")
    given = arguments if isinstance(arguments, dict) else {}
    if version not in MODERN_PROTOCOL_VERSIONS:
        return Call(given, frozenset(), {})
    responses, state = params.get("inputResponses"), params.get("requestState")
    return Call(
        given,
        _capabilities(params),
        responses if isinstance(responses, dict) else {},
        _opened(str(state), _binding(server, tool, given)) if state is not None else None,
    )


def result(server: str, tool: str, call: Call, asked: InputRequired) -> Json:
    signed = signing.dumps([_binding(server, tool, call.arguments), asked.state], salt=_SALT, compress=True)
    return {"resultType": "input_required", "inputRequests": dict(asked.requests), "requestState": signed}


def _capabilities(params: Json) -> frozenset[str]:
    meta = params.get("_meta")
    declared = meta.get(CLIENT_CAPABILITIES_META_KEY) if isinstance(meta, dict) else None
    if not isinstance(declared, dict):
        return frozenset()
    elicitation = declared.get("elicitation")
    # Without modes it means forms; a client may show addresses alone.
    has_forms = isinstance(elicitation, dict) and ("form" in elicitation or "url" not in elicitation)
    others = {name for name in ("sampling", "roots") if declared.get(name) is not None}
    return frozenset({*others, *(["elicitation"] if has_forms else [])})


def _binding(server: str, tool: str, arguments: Json) -> str:
    """Names the call that a state belongs to."""
    parts = orjson.dumps([server, tool, arguments, caller.current().client], option=orjson.OPT_SORT_KEYS)
    return hashlib.sha256(parts).hexdigest()


def _opened(text: str, binding: str) -> Json:
    try:
        made_for, state = signing.loads(text, salt=_SALT, max_age=SESSION_IDLE_SECONDS)
    except (signing.BadSignature, ValueError):
        made_for, state = "", None
    if made_for != binding or not isinstance(state, dict):
        raise RpcError(
            INVALID_PARAMS,
            "The requestState was changed, is too old, or belongs to another call. Call the tool again without it.",
            {"reason": "invalid_request_state"},
        )
    return state
