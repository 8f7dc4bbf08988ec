"""The image gets what the product needs, and the build may see it."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = {"papersite", "mcpapi", "searches", "papers", "specs", "paper_search", "ingest", "papercore"}


def test_the_image_holds_every_package_and_the_build_may_see_it() -> None:
    copies = re.findall(r"^COPY (?!--from)(.+) \S+$", (ROOT / "Dockerfile").read_text(encoding="utf-8"), re.MULTILINE)
    copied = {name for line in copies for name in line.split()}
    visible = {line.removeprefix("!") for line in (ROOT / ".dockerignore").read_text().splitlines() if line[:1] == "!"}
    assert copied >= PACKAGES
    assert copied == visible
    assert [name for name in copied if not (ROOT / name).exists()] == []
