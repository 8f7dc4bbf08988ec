"""The installed command on a platform without fcntl, fork, POSIX flags and timers, as far as it can be simulated."""

import re
import subprocess
from pathlib import Path

import anyio
import httpx
import pytest
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

from tests.install.processes import environment, run
from tests.papersite.test_commands import found_by_an_agent, free_port, lines_until_served
from tests.platforms import WITHOUT_POSIX

pytestmark = pytest.mark.long
# A text file whose encoding is left to the platform is an error there.
PLATFORM = {"PYTHONPATH": str(WITHOUT_POSIX), "PYTHONWARNDEFAULTENCODING": "1"}


@pytest.fixture(scope="module")
def command(installed: Path) -> Path:
    return installed / "papersite"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory, command: Path) -> Path:
    """A home in which papersite was started there once; what it served was looked at."""
    folder, port = tmp_path_factory.mktemp("home"), free_port()
    with subprocess.Popen(
        [str(command), "--bind", f"127.0.0.1:{port}"],
        cwd=folder,
        env=environment(folder, **PLATFORM),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            lines_until_served(process)
            look_at(f"http://127.0.0.1:{port}")
        finally:
            process.terminate()
            said = process.communicate(timeout=60)[1]
    assert "Traceback" not in said, said
    return folder


def look_at(site: str) -> None:
    with httpx.Client(base_url=site, trust_env=False, timeout=60) as client:
        found = client.get("/api/papers", params={"query": "attention"}).json()["papers"]
        page = client.get(f"/papers/{found[0]['paper_id']}/")
        assert (page.status_code, page.headers["Server"]) == (200, "papersite")
        # Long enough for a process of its own.
        source = client.get(f"/papers/{found[0]['paper_id']}/source/")
        assert (source.status_code, "shown as typed" in source.text) == (200, False)
        assert client.get("/readyz").json()["status"] == "ok"
    assert found_by_an_agent(f"{site}/mcp", "attention") > 0


def test_the_platform_lacks_what_it_should(installed: Path, tmp_path: Path) -> None:
    script = "import os, signal; print([hasattr(os, 'fork'), hasattr(os, 'O_NOFOLLOW'), hasattr(signal, 'setitimer')])"
    assert run(installed / "python", tmp_path, "-c", script, **PLATFORM).stdout == "[False, False, False]\n"
    for module in ("fcntl", "resource"):
        refused = run(installed / "python", tmp_path, "-c", f"import {module}", **PLATFORM)
        assert "ModuleNotFoundError" in refused.stderr


def test_agents_are_answered_over_stdio(command: Path, home: Path) -> None:
    start = StdioServerParameters(command=str(command), args=["mcp"], env=environment(home, **PLATFORM), cwd=home)
    assert anyio.run(_search, start, "attention") > 0


async def _search(start: StdioServerParameters, query: str) -> int:
    with anyio.fail_after(100):
        async with stdio_client(start) as (reading, writing), ClientSession(reading, writing) as session:
            await session.initialize()
            answer = await session.call_tool("search_papers", {"query": query})
            assert answer.structured_content
            return int(answer.structured_content["total"])


def test_papers_are_added_to_a_library_and_the_parts_are_well(command: Path, home: Path, tmp_path: Path) -> None:
    for number in range(2):
        bib = tmp_path / f"{number}.bib"
        bib.write_text(f"@article{{k{number}, title={{Tides {number}}}, author={{Bø, Ann}}, year={{202{number}}}}}\n")
        result = run(command, home, "add", str(bib), **PLATFORM)
        assert result.returncode == 0, result.stderr
    checked = run(command, home, "manage", "check_snapshot", **PLATFORM)
    assert re.search(r"^papers +2$", checked.stdout, re.MULTILINE), checked.stdout + checked.stderr
    doctor = run(command, home, "doctor", **PLATFORM)
    assert doctor.returncode == 0, doctor.stdout + doctor.stderr
