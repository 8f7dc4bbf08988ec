"""The server of platforms without gunicorn answers pages and agents."""

import subprocess
import sys
from pathlib import Path

import httpx

from tests.papersite.test_commands import found_by_an_agent, free_port, lines_until_served
from tests.server import ROOT, environment


def test_waitress_serves_pages_and_agents(library: Path, tmp_path: Path) -> None:
    port = free_port()
    command = [
        sys.executable,
        "-c",
        f"from papersite.server.serving import serve_with_waitress; serve_with_waitress('127.0.0.1:{port}')",
    ]
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        env=environment(tmp_path, PAPERSITE_SNAPSHOT=str(library)),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        lines_until_served(process)
        site = f"http://127.0.0.1:{port}"
        assert "papers" in httpx.get(f"{site}/", trust_env=False, timeout=30).text
        assert found_by_an_agent(f"{site}/mcp", "attention") >= 0
        assert httpx.get(f"{site}/readyz", trust_env=False, timeout=30).status_code == 200
    finally:
        process.terminate()
        process.communicate(timeout=30)
