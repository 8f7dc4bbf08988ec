"""What is loaded when the site starts, in a process of its own."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# Nothing that answers MCP or shows a list needs these.
RARELY_NEEDED = (
    "mcp mcp_types starlette httpx rich click tqdm ingest papers.library paper_search.workflow.engine "
    "paper_search.skills.question.reading ninja markdown_it latex2mathml pygments snowballstemmer tokenizers"
)


def run(code: str, data: Path) -> None:
    settings = {name: value for name, value in os.environ.items() if not name.startswith(("DJANGO", "PAPER"))}
    done = subprocess.run(
        [sys.executable, "-c", f"import sys, papersite.wsgi\n{code}"],
        cwd=ROOT,
        env={**settings, "PAPERSITE_DEBUG": "on", "PAPERSITE_DATA": str(data)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_what_few_requests_need_is_not_loaded_at_the_start(tmp_path: Path) -> None:
    run(f"assert not {{*{RARELY_NEEDED.split()!r}}} & sys.modules.keys()", tmp_path)
