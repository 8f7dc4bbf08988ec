"""The stdio transport: nothing but JSON-RPC on stdout, and the same snapshot rules as over HTTP."""

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.mcpapi.clients import ROOT, connect_stdio
from tests.mcpapi.site import initialize, request
from tests.snapshot import PAPERS, build


def test_stdout_carries_json_rpc_alone_whatever_settings_and_logging_do() -> None:
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "tests.mcpapi.noisy_settings"}
    command = [sys.executable, "manage.py", "mcp_stdio"]
    with subprocess.Popen(
        command, cwd=ROOT, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdin
        assert process.stdout
        lines = []
        for message in (initialize(), request("tools/call", {"name": "get_database_stats"}), request("nothing")):
            process.stdin.write(json.dumps(message).encode() + b"\n")
            process.stdin.flush()
            lines.append(process.stdout.readline())
        rest, errors = process.communicate(timeout=30)
    assert [json.loads(line)["jsonrpc"] for line in lines] == ["2.0"] * 3
    assert rest == b""
    assert process.returncode == 0
    assert b"settings are read" in errors
    assert b"below Python" in errors
    assert b"DEBUG" not in b"".join(lines)


def test_a_replaced_snapshot_is_taken_over_between_two_messages(own_library: Path) -> None:
    with connect_stdio("modern") as connected:
        assert connected.call("get_database_stats").payload["papers"] == len(PAPERS)
        build(own_library.parent, PAPERS[:2], build_id="f" * 32)
        assert connected.call("get_database_stats").payload["papers"] == 2


def test_an_unknown_server_is_refused_with_those_there_are() -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", "mcp_stdio", "nothing"], cwd=ROOT, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 2
    assert "papers" in done.stderr
    assert done.stdout == ""


def test_a_library_that_is_missing_is_a_structured_error(tmp_path: Path) -> None:
    gone = str(tmp_path / "gone.db")
    with connect_stdio("legacy", PAPERSITE_SNAPSHOT=gone) as connected:
        outcome = connected.call("get_database_stats")
        assert outcome.error == "snapshot_unavailable"
        refused = connected.refusal("read_resource", "paper://123/metadata")
    assert (refused.code, refused.data["error"]) == (-32603, "snapshot_unavailable")
    assert gone not in str(outcome.payload)
