"""A typed function becomes a tool: its schemas, limits and annotations."""

import re

import pytest

from mcpapi.listing.servers import SERVERS
from mcpapi.listing.tool import read_tool
from papercore.version import VERSION
from tests.mcpapi.clients import ROOT
from tests.mcpapi.sample import SAMPLE, Echo


def test_a_function_becomes_a_listing() -> None:
    assert SAMPLE.tools[0].listing() == {
        "name": "echo",
        "title": "Say a word",
        "description": "Say a word.\n\nUse it when something must be said.",
        "inputSchema": {
            "type": "object",
            "properties": {
                "word": {"type": "string", "description": "What to say."},
                "times": {"type": "integer", "maximum": 3, "default": 1},
                "title": {"anyOf": [{"type": "string", "enum": ["Mr", "Ms"]}, {"type": "null"}]},
            },
            "required": ["word"],
            "additionalProperties": False,
        },
        "outputSchema": {
            "type": "object",
            "description": "word, title",
        },
        "annotations": {"readOnlyHint": True, "openWorldHint": False},
    }


def test_a_tool_that_writes_says_so_under_its_own_name() -> None:
    tool = SAMPLE.tool_by_name["write_note"]
    assert tool.annotations == {
        "readOnlyHint": False,
        "destructiveHint": False,
        "openWorldHint": False,
    }


def test_a_function_without_a_docstring_is_no_tool() -> None:
    def mute() -> Echo:
        return Echo(word="")

    with pytest.raises(ValueError, match="mute needs a docstring"):
        read_tool(mute, "Mute")


def test_a_function_that_returns_no_model_is_no_tool() -> None:
    def bare() -> int:
        """Return a number."""
        return 1

    with pytest.raises(TypeError, match="bare must be annotated"):
        read_tool(bare, "Bare")  # type: ignore[arg-type]  # what is tested


def test_every_server_is_served_under_its_own_name() -> None:
    assert all(name == server.name for name, server in SERVERS.items())


def test_the_version_that_servers_tell_is_the_newest_of_the_changelog() -> None:
    newest = re.search(r"^## \[(\d+\.\d+\.\d+)\]", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert newest is not None
    assert newest[1] == VERSION
    assert all(server.info["version"] == VERSION for server in SERVERS.values())
