"""The official client answers a question with verified quotes, and a connector's two tools do their part."""

import json

import pytest

from mcpapi.listing.servers import CONNECTOR
from tests.mcpapi.clients import ConnectedClient
from tests.mcpapi.site import Site


def test_a_question_is_answered_with_verified_quotes(connected: ConnectedClient) -> None:
    """As the instructions lead an agent: search_passages, get_passage, verify_quotes."""
    (hit, *_) = connected.call("search_passages", query="how do heads attend to positions?").payload["passages"]
    passage = connected.call("get_passage", address=hit["address"], before=1, after=0).payload
    assert passage["markdown"] == hit["quote"]
    right = {"quote": passage["markdown"].upper(), "where": hit["address"]}
    wrong = {"quote": "Heads attend to nothing.", "where": hit["address"]}
    checked = connected.call("verify_quotes", quotes=[right, wrong]).payload
    assert [quote["found"] for quote in checked["quotes"]] == [True, False]
    assert checked["quotes"][0]["place"]["address"] == passage["place"]["address"]
    assert not checked["all_found"]


def test_an_address_of_another_text_is_an_error(connected: ConnectedClient) -> None:
    assert connected.call("get_passage", address="123/source/1-000000").error == "passage_not_found"


def test_outline_and_passages_are_resources(connected: ConnectedClient) -> None:
    mime_type, text = connected.read("paper://123/outline")
    assert (mime_type, json.loads(text)["text"]) == ("application/json", "source")
    assert json.loads(connected.read("paper://123/passage/1")[1])["markdown"].startswith("Recurrence is gone.")


def test_a_source_is_read_window_by_window(connected: ConnectedClient) -> None:
    first = connected.call("get_paper_source", paper_id="456", max_chars=100).payload
    second = connected.call("get_paper_source", paper_id="456", max_chars=100, offset=first["next_offset"]).payload
    assert (first["truncated"], second["next_offset"]) == (True, 200)


class TestConnector:
    def ask(self, site: Site, name: str, **arguments: object) -> dict[str, object]:
        answer = site.at("/mcp/connector").legacy("tools/call", {"name": name, "arguments": arguments})
        content: dict[str, object] = answer.result["structuredContent"]
        return content

    def test_it_has_the_two_tools_that_chat_clients_expect(self) -> None:
        assert [tool.name for tool in CONNECTOR.tools] == ["search", "fetch"]

    def test_search_gives_ids_that_fetch_opens(self, site: Site) -> None:
        results = self.ask(site, "search", query="how do heads attend to positions")["results"]
        assert isinstance(results, list)
        assert set(results[0]) >= {"id", "title", "url"}
        assert results[0]["url"].startswith("http://127.0.0.1")
        document = self.ask(site, "fetch", id=results[0]["id"])
        assert set(document) == {"id", "title", "text", "url", "metadata"}
        assert (document["id"], document["url"]) == (results[0]["id"], results[0]["url"])
        assert results[0]["text"] in str(document["text"])

    def test_a_paper_without_texts_is_found_by_its_title(self, site: Site) -> None:
        results = self.ask(site, "search", query="Notes without a Date")["results"]
        assert isinstance(results, list)
        assert "undated" in {str(result["id"]).partition("/")[0] for result in results}

    @pytest.mark.parametrize("paper", ["123", "10.5555/3295222.3295349"])
    def test_a_whole_paper_can_be_fetched(self, site: Site, paper: str) -> None:
        document = self.ask(site, "fetch", id=paper)
        assert str(document["text"]).startswith("# Attention Is All You Need")
        assert document["id"] == "123"

    def test_an_unknown_id_is_an_error(self, site: Site) -> None:
        assert self.ask(site, "fetch", id="nothing")["error"] == "paper_not_found"
