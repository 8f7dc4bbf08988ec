"""The bundle for desktop clients: what it declares is what it serves."""

import json
import os
import shutil
import subprocess
import sys
import zipfile
from io import StringIO
from pathlib import Path

import anyio
import pytest
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

from mcpapi.listing.servers import PAPERS
from papersite.command.commands import call_command
from tests.server import ROOT

VALIDATOR = os.environ.get("PAPERSITE_TEST_MCPB") or shutil.which("mcpb")


def unpacked(folder: Path, *options: str) -> dict[str, object]:
    call_command("bundle", "--out", str(folder / "papersite.mcpb"), *options, stdout=StringIO())
    with zipfile.ZipFile(folder / "papersite.mcpb") as archive:
        archive.extractall(folder)
    found: dict[str, object] = json.loads((folder / "manifest.json").read_text())
    return found


def test_the_manifest_has_the_tools_of_the_registry(tmp_path: Path) -> None:
    manifest = unpacked(tmp_path)
    tools = manifest["tools"]
    assert isinstance(tools, list)
    assert [tool["name"] for tool in tools] == [tool.name for tool in PAPERS.listed]
    assert all(tool["description"] for tool in tools)
    assert (tmp_path / "server" / "main.py").is_file()


def test_a_wheel_in_the_bundle_is_what_starts(tmp_path: Path) -> None:
    wheel = tmp_path / "papersite-1-py3-none-any.whl"
    wheel.write_bytes(b"a wheel")
    (tmp_path / "paper_search-1-py3-none-any.whl").write_bytes(b"the library")
    manifest = json.dumps(unpacked(tmp_path, "--wheel", str(wheel)))
    assert "${__dirname}/papersite-1-py3-none-any.whl" in manifest
    with zipfile.ZipFile(tmp_path / "papersite.mcpb") as bundle:
        assert bundle.read("paper_search-1-py3-none-any.whl") == b"the library"


@pytest.mark.skipif(not VALIDATOR, reason="there is no mcpb (npm install @anthropic-ai/mcpb)")
def test_the_official_validator_accepts_it(tmp_path: Path) -> None:
    unpacked(tmp_path)
    result = subprocess.run(
        [str(VALIDATOR), "validate", str(tmp_path / "manifest.json")], capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stdout + result.stderr


def test_the_official_client_drives_what_the_manifest_starts(tmp_path: Path, library: Path) -> None:
    """As a client does whose user named a library and left the rest empty."""
    server = unpacked(tmp_path, "--python", sys.executable)["server"]
    assert isinstance(server, dict)
    start = server["mcp_config"]
    chosen = {"${user_config.library}": str(library.parent)}
    env = {name: chosen.get(value, value) for name, value in start["env"].items()}
    env |= {"PAPERSITE_DATA": str(tmp_path / "data"), "PYTHONPATH": str(ROOT), "PATH": os.environ["PATH"]}
    found = anyio.run(_ask, StdioServerParameters(command=start["command"], args=start["args"], env=env, cwd=tmp_path))
    assert found == (len(PAPERS.listed), False)


async def _ask(parameters: StdioServerParameters) -> tuple[int, bool]:
    with anyio.fail_after(100):
        async with stdio_client(parameters) as (reading, writing), ClientSession(reading, writing) as session:
            await session.initialize()
            tools = await session.list_tools()
            answer = await session.call_tool("get_database_stats", {})
            return len(tools.tools), bool(answer.is_error)


def test_the_registrys_entry_starts_the_same(tmp_path: Path) -> None:
    out = StringIO()
    call_command("bundle", "--registry", "io.github.someone/papersite", stdout=out)
    entry = json.loads(out.getvalue())
    (package,) = entry["packages"]
    assert (package["identifier"], package["packageArguments"][0]["value"]) == ("papersite", "mcp")
    assert len(entry["description"]) <= 100
