"""Checkpoints as forms in the client: with the official client's callback, and with states that must not count."""

import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any  # JSON as it comes: the tests look into it freely

import pytest
from django.core.servers.basehttp import ThreadedWSGIServer
from mcp.types import ElicitResult
from pytest_django import Settings

from mcpapi.models import create_token
from mcpapi.protocol import calls
from papersite.wsgi import application
from searches.models import DecisionRecord, SearchSession
from tests.mcpapi.clients import connect_http, connect_stdio
from tests.mcpapi.conftest import _QuietHandler
from tests.mcpapi.site import CAPABILITIES_KEY, MODERN, VERSION_KEY, Answer, Site, request
from tests.searches.conftest import finish_work

QUESTION = "transformer attention memory"
Content = dict[str, Any]


@pytest.fixture
def site(database: Path) -> Iterator[Site]:
    server = ThreadedWSGIServer(("127.0.0.1", 0), _QuietHandler)
    server.set_app(application)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    yield Site(server.server_port)
    server.shutdown()
    thread.join(10)
    server.server_close()


class Person:
    """Whoever sits at the client: fills in the forms one after the other, and keeps what was shown."""

    def __init__(self, *fills: Callable[[Content], Content] | Content | str) -> None:
        self.fills = list(fills)
        self.shown: list[Any] = []

    async def __call__(self, _context: object, params: Any) -> ElicitResult:
        self.shown.append(params)
        fill = self.fills.pop(0)
        if fill == "decline":
            return ElicitResult(action="decline")
        defaults = {
            name: field["default"]
            for name, field in params.requested_schema["properties"].items()
            if "default" in field
        }
        filled = fill(params.requested_schema["properties"]) if callable(fill) else fill
        assert isinstance(filled, dict)
        return ElicitResult(action="accept", content={**defaults, **filled})


def first_irrelevant(fields: Content) -> Content:
    return {"action": "approve", "irrelevant": [fields["irrelevant"]["items"]["anyOf"][0]["const"]]}


def test_a_person_decides_a_whole_search_in_the_client_over_http(site: Site) -> None:
    person = Person({"action": "approve"}, first_irrelevant)
    with connect_http(site.url, "modern", elicitation_callback=person) as connected:
        state = connected.ask("call_tool", "start_search", {"query": QUESTION}).structured_content
    assert state["is_complete"]
    strategy, review = person.shown
    assert QUESTION in strategy.message
    assert strategy.requested_schema["properties"]["sources"]["default"] == ["snapshot"]
    titles = [choice["title"] for choice in review.requested_schema["properties"]["relevant"]["items"]["anyOf"]]
    assert titles[0].startswith("1. ")
    assert titles[0].removeprefix("1. ") in review.message
    assert state["result"]["paper_count"] == len(titles) - 1
    decided = DecisionRecord.objects.order_by("id").values_list("kind", "action", "decided_by")
    assert list(decided) == [
        ("strategy_confirmation", "approve", "person"),
        ("result_review", "approve", "person"),
    ]


def test_a_person_edits_the_strategy_and_searches_again_over_stdio(migrated: Path, tmp_path: Path) -> None:
    shutil.copy(migrated, tmp_path / "site.sqlite3")
    address = f"sqlite:///{tmp_path / 'site.sqlite3'}"
    person = Person(
        {"action": "approve", "topic": "memory cells", "concepts": "memory", "year_to": 2000},
        {"action": "edit", "note": "only since 1990"},
        {"action": "approve"},
        {"action": "approve"},
    )
    with connect_stdio("modern", options={"elicitation_callback": person}, PAPERSITE_DATABASE_URL=address) as connected:
        state = connected.ask("call_tool", "start_search", {"query": QUESTION}).structured_content
        assert state["is_complete"]
        assert "Long Short-Term Memory" in person.shown[1].message
        assert person.shown[2].requested_schema["properties"]["year_from"]["default"] == 1990
        text = connected.ask("call_tool", "export_results", {"session_id": state["session_id"]}).content[0].text
    assert "Attention Is All You Need" not in text


@pytest.mark.parametrize("era", ["legacy", "modern"])
def test_clients_without_forms_get_what_they_got(site: Site, era: str) -> None:
    with connect_http(site.url, era) as connected:
        state = connected.ask("call_tool", "start_search", {"query": QUESTION}).structured_content
    assert state["current_checkpoint_kind"] == "strategy_confirmation"


def test_a_form_that_is_declined_decides_nothing_and_reading_shows_no_form(site: Site) -> None:
    person = Person("decline")
    with connect_http(site.url, "modern", elicitation_callback=person) as connected:
        state = connected.ask("call_tool", "start_search", {"query": QUESTION}).structured_content
        assert state["has_pending_checkpoint"]
        read = connected.ask("call_tool", "get_session", {"session_id": state["session_id"]}).structured_content
    assert read["checkpoint"] == state["checkpoint"]
    assert len(person.shown) == 1


def test_a_form_that_cannot_be_used_is_shown_again_with_the_reason(site: Site) -> None:
    person = Person({"action": "perhaps"}, {"action": "edit", "language": "no code"}, "decline")
    with connect_http(site.url, "modern", elicitation_callback=person) as connected:
        connected.ask("call_tool", "start_search", {"query": QUESTION})
    assert [shown.message.split("\n")[0] for shown in person.shown[1:]] == [
        "Not accepted: Choose one: approve, edit or reject.",
        "Not accepted: Language: choose from the list.",
    ]
    assert not DecisionRecord.objects.exists()


APPROVAL = {"decision": {"action": "accept", "content": {"action": "approve"}}}


def call(site: Site, arguments: Content, token: str = "", **params: object) -> Answer:
    meta = {VERSION_KEY: MODERN, CAPABILITIES_KEY: {"elicitation": {}}}
    body = request("tools/call", {"name": "start_search", "arguments": arguments, "_meta": meta, **params})
    names = {"MCP-Protocol-Version": MODERN, "Mcp-Method": "tools/call", "Mcp-Name": "start_search"}
    headers = {**names, **({"Authorization": f"Bearer {token}"} if token else {})}
    return site.post(body, *headers.items())


def test_a_state_that_was_changed_or_belongs_to_another_call_is_refused(site: Site) -> None:
    arguments = {"query": QUESTION}
    asked = call(site, arguments).result
    assert asked["resultType"] == "input_required"
    state = asked["requestState"]
    for changed, other in ((state + "x", arguments), (state[:-1], arguments), (state, {"query": "another"})):
        refused = call(site, other, inputResponses=APPROVAL, requestState=changed)
        assert (refused.status, refused.code) == (400, -32602)
        assert refused.json["error"]["data"] == {"reason": "invalid_request_state"}
    assert SearchSession.objects.count() == 1
    assert not DecisionRecord.objects.exists()


def test_a_state_of_another_caller_is_refused(site: Site, settings: Settings) -> None:
    settings.MCP_AUTH = "required"
    mine, yours = create_token("mine"), create_token("yours")
    state = call(site, {"query": QUESTION}, mine).result["requestState"]
    assert call(site, {"query": QUESTION}, yours, inputResponses=APPROVAL, requestState=state).code == -32602
    went_on = call(site, {"query": QUESTION}, mine, inputResponses=APPROVAL, requestState=state)
    assert went_on.result["resultType"] == "input_required"


def test_a_state_that_is_too_old_is_refused(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    state = call(site, {"query": QUESTION}).result["requestState"]
    monkeypatch.setattr(calls, "STATE_SECONDS", -1)
    assert call(site, {"query": QUESTION}, inputResponses=APPROVAL, requestState=state).code == -32602


def test_a_form_that_was_answered_elsewhere_decides_nothing_more(site: Site) -> None:
    arguments = {"query": QUESTION}
    state = call(site, arguments).result["requestState"]
    review = call(site, arguments, inputResponses=APPROVAL, requestState=state).result
    assert review["resultType"] == "input_required"
    # The same answer again is harmless, another one too late.
    again = call(site, arguments, inputResponses=APPROVAL, requestState=state).result
    assert again["resultType"] == "input_required"
    rejection = {"decision": {"action": "accept", "content": {"action": "reject", "note": "no"}}}
    late = call(site, arguments, inputResponses=rejection, requestState=state).result
    assert (late["isError"], late["structuredContent"]["error"]) == (True, "checkpoint_busy")
    assert DecisionRecord.objects.count() == 1
    finish_work()


def test_an_answer_without_the_question_is_asked_for_again(site: Site) -> None:
    asked = call(site, {"query": QUESTION}).result
    other = {"something": {"action": "accept", "content": {}}}
    again = call(site, {"query": QUESTION}, inputResponses=other, requestState=asked["requestState"]).result
    assert again["inputRequests"] == asked["inputRequests"]
    assert SearchSession.objects.count() == 1
