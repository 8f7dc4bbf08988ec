"""What we say about the protocol ourselves, beside the SDK: the same names, the same verdicts."""

from typing import Any  # params as a client sends them

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp import types
from mcp.shared import inbound
from mcp.types import methods, version
from pydantic import ValidationError

from mcpapi.client_requests import validate_client_request
from mcpapi.errors import RpcError
from mcpapi.listing.servers import PAPERS
from mcpapi.protocol import dispatch
from mcpapi.protocol import names as protocol
from mcpapi.protocol.messages import RpcRequest
from mcpapi.routing_headers import check_modern_version, check_routing
from tests.mcpapi.test_properties import headers, json_values

SERVED = sorted(dispatch.methods(PAPERS))
VERSIONS = [*protocol.HANDSHAKE_PROTOCOL_VERSIONS, *protocol.MODERN_PROTOCOL_VERSIONS]
texts = st.text(max_size=3)
objects = st.dictionaries(texts, json_values, max_size=2)


def some_of(**fields: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """An object with some of these fields, each as it should be or null; or something else."""
    return st.fixed_dictionaries({}, optional={name: field | st.none() for name, field in fields.items()}) | json_values


icons = some_of(src=texts, mimeType=texts, sizes=st.lists(texts, max_size=2), theme=st.sampled_from(["light", "x"]))
implementations = some_of(name=texts, version=texts, title=texts, icons=st.lists(icons, max_size=1), websiteUrl=texts)
tasks = some_of(
    cancel=objects,
    list=objects,
    requests=some_of(elicitation=some_of(create=objects), sampling=some_of(createMessage=objects)),
)
capabilities = some_of(
    elicitation=some_of(form=objects, url=objects),
    experimental=st.dictionaries(texts, objects, max_size=1),
    extensions=st.dictionaries(texts, objects, max_size=1),
    roots=some_of(listChanged=st.booleans()),
    sampling=some_of(context=objects, tools=objects),
    tasks=tasks,
)
metas = some_of(
    **{
        protocol.CLIENT_CAPABILITIES_META_KEY: capabilities,
        types.CLIENT_INFO_META_KEY: implementations,
        types.LOG_LEVEL_META_KEY: st.sampled_from(["info", "x"]),
        protocol.PROTOCOL_VERSION_META_KEY: st.sampled_from(VERSIONS),
        "progressToken": st.integers() | texts,
    }
)
elicited = some_of(action=st.sampled_from(["accept", "cancel", "x"]), content=st.dictionaries(texts, json_values))
params = some_of(
    _meta=metas,
    arguments=objects,
    capabilities=capabilities,
    clientInfo=implementations,
    cursor=texts,
    inputResponses=st.dictionaries(texts, elicited, max_size=2),
    name=texts,
    protocolVersion=texts,
    requestState=texts,
    task=some_of(ttl=st.integers()),
    uri=texts,
)


def verdict(validate: Any, *request: Any) -> str | None:  # Any: either of the two functions
    try:
        validate(*request)
    except KeyError:
        return "no such method"
    except ValidationError as error:
        return ".".join(map(str, error.errors()[0]["loc"][:2]))
    return None


@given(st.sampled_from(SERVED), st.sampled_from(VERSIONS), params.filter(lambda value: not isinstance(value, list)))
def test_requests_are_well_formed_where_they_are_for_the_sdk(method: str, version: str, params: Any) -> None:
    given = params if isinstance(params, dict) else None
    theirs = verdict(methods.validate_client_request, method, version, given)
    assert verdict(validate_client_request, method, version, given) == theirs


@given(st.sampled_from([*SERVED, "prompts/get"]), params.filter(lambda value: isinstance(value, dict)), headers)
def test_headers_are_refused_as_the_sdk_refuses_them(method: str, params: Any, headers: dict[str, str]) -> None:
    theirs = inbound.classify_inbound_request({"method": method, "params": params}, headers=headers)
    refusal = theirs if isinstance(theirs, inbound.InboundLadderRejection) else None
    assert refused(RpcRequest(1, method, params), headers) == (
        refusal and (refusal.code, refusal.message, refusal.data)
    )


@pytest.mark.parametrize(
    "name", ["echo", "=?base64?Y2Fmw6k=?=", "=?base64?Y2Fmw6l=?=", "=?base64?_w==?=", "=?base64?/w==?="]
)
def test_names_in_base64_are_read_as_the_sdk_reads_them(name: str) -> None:
    meta = {protocol.PROTOCOL_VERSION_META_KEY: "2026-07-28", protocol.CLIENT_CAPABILITIES_META_KEY: {}}
    sent = {"mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": name}
    named = RpcRequest(1, "tools/call", {"_meta": meta, "name": inbound.decode_header_value(name) or "echo"})
    assert (refused(named, sent) is None) == (inbound.decode_header_value(name) is not None)


def refused(request: RpcRequest, headers: dict[str, str]) -> tuple[int, str, object] | None:
    try:
        check_routing(request, headers)
    except RpcError as error:
        return error.code, error.message, error.data
    return None


def test_an_unknown_version_is_refused_as_the_sdk_refuses_it() -> None:
    theirs = inbound.unsupported_protocol_version_rejection("2099-01-01")
    assert theirs is not None
    with pytest.raises(RpcError) as caught:
        check_modern_version("2099-01-01")
    assert (caught.value.code, caught.value.message, caught.value.data) == (theirs.code, theirs.message, theirs.data)


def test_every_name_is_the_sdks() -> None:
    ours = {name: value for name, value in vars(protocol).items() if name.isupper()}
    assert ours.pop("NAMED_BY") == inbound.NAME_BEARING_METHODS
    statuses = ours.pop("ERROR_CODE_HTTP_STATUS")
    assert statuses.items() <= inbound.ERROR_CODE_HTTP_STATUS.items()
    sdk = {**vars(inbound), **vars(methods), **vars(version), **vars(types)}
    assert ours == {name: sdk[name] for name in ours}
