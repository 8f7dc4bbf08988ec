"""The paper:// resources, the same over HTTP and stdio, in both eras."""

import json

import pytest

from papercore import limits
from papers import resources
from papers.resources import PaperResources
from tests.mcpapi.clients import ConnectedClient
from tests.snapshot import LONG_SOURCE, PAPERS


@pytest.mark.scenario("paper-mcp / Paper resources with template-aware summaries / Read summary resource with template")
def test_a_summary_is_read_by_its_template(connected: ConnectedClient) -> None:
    mime_type, text = connected.read("paper://123/summary/deep_read")
    assert mime_type == "application/json"
    assert json.loads(text)["summary"] == "## Method\n\nScaled $QK^T$."


def test_a_summary_without_a_template_is_the_preferred_one(connected: ConnectedClient) -> None:
    _, text = connected.read("paper://123/summary")
    assert json.loads(text)["template_tag"] == "simple"


@pytest.mark.scenario("paper-mcp / Paper resources with template-aware summaries / Read translation resource")
def test_a_translation_is_read_by_its_language(connected: ConnectedClient) -> None:
    assert connected.read("paper://123/translation/zh") == ("text/markdown", PAPERS[0].translations["zh"])


def test_metadata_is_what_the_tool_returns(connected: ConnectedClient) -> None:
    mime_type, text = connected.read("paper://123/metadata")
    assert mime_type == "application/json"
    assert json.loads(text) == connected.call("get_paper_metadata", paper_id="123").payload


@pytest.mark.scenario("paper-mcp / Content size limits / Resource truncates large content")
def test_a_long_source_is_cut_at_the_default_and_marked(connected: ConnectedClient) -> None:
    mime_type, text = connected.read("paper://456/source")
    left = len(LONG_SOURCE) - limits.TEXT_CHARS
    assert mime_type == "text/markdown"
    assert text == LONG_SOURCE[: limits.TEXT_CHARS] + f"\n\n[truncated: {left:,} more characters]"


@pytest.mark.parametrize(
    ("uri", "error"),
    [
        ("paper://999/metadata", "paper_not_found"),
        ("paper://123/summary/poster", "template_not_available"),
        ("paper://789/source", "source_not_available"),
        ("paper://123/translation/fr", "translation_not_available"),
        ("paper://undated/summary", "summary_not_available"),
        ("paper://123/translation", "resource_not_found"),
        ("paper://123/metadata/more", "resource_not_found"),
        ("paper://123/pdf", "resource_not_found"),
        ("file:///etc/passwd", "resource_not_found"),
        ("paper://a%2F..%2Fb/source", "paper_not_found"),
        ("paper://%00/source", "invalid_input"),
    ],
)
def test_what_is_missing_is_an_error_with_code_and_uri(connected: ConnectedClient, uri: str, error: str) -> None:
    refused = connected.refusal("read_resource", uri)
    legacy = connected.client.protocol_version != "2026-07-28"
    assert refused.code == (-32002 if legacy and error != "invalid_input" else -32602)
    assert (refused.data["error"], refused.data["uri"]) == (error, uri)


def test_the_forms_of_address_are_listed(connected: ConnectedClient) -> None:
    templates = connected.ask("list_resource_templates").resource_templates
    assert [(template.uri_template, template.mime_type) for template in templates] == [
        ("paper://{paper_id}/metadata", "application/json"),
        ("paper://{paper_id}/summary", "application/json"),
        ("paper://{paper_id}/summary/{template}", "application/json"),
        ("paper://{paper_id}/source", "text/markdown"),
        ("paper://{paper_id}/translation/{lang}", "text/markdown"),
        ("paper://{paper_id}/outline", "application/json"),
        ("paper://{paper_id}/passage/{n}", "application/json"),
        ("paper://{paper_id}/page/{n}", "image/png"),
        ("paper://{paper_id}/references", "application/json"),
    ]
    assert all(template.title and template.description for template in templates)


def test_the_list_names_what_each_paper_has_and_all_of_it_can_be_read(connected: ConnectedClient) -> None:
    resources = connected.ask("list_resources").resources
    uris = [resource.uri for resource in resources]
    assert uris[:5] == [
        f"paper://123/{path}" for path in ("metadata", "summary", "source", "translation/de", "translation/zh")
    ]
    assert "paper://undated/summary" not in uris
    assert all(connected.read(resource.uri)[0] == resource.mime_type for resource in resources)


def test_pages_follow_each_other_without_gap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resources, "RESOURCE_PAPERS", 2)
    provider, cursor, uris = PaperResources(), None, []
    for _ in range(3):
        page = provider.page(cursor)
        uris += [resource.uri for resource in page.resources if resource.uri.endswith("metadata")]
        cursor = page.next_cursor
    assert cursor is None
    assert uris == [f"paper://{paper.paper_id}/metadata" for paper in PAPERS]


@pytest.mark.parametrize("cursor", ["", "x", "2", "YWZ0ZXI9", "YWZ0ZXI9Lw==", "é", "\0"])
def test_a_made_up_cursor_is_invalid_params(connected: ConnectedClient, cursor: str) -> None:
    assert connected.refusal("list_resources", cursor=cursor).code == -32602
