"""The demo library, which a site without papers of its own shows."""

import hashlib
from contextlib import closing
from pathlib import Path

from django.conf import settings
from django.core.management import call_command

import papers
from papercore.snapshot.file import BadSnapshot, open_read_only, read_facts
from papercore.snapshot.layout import DATABASE

INPUTS = Path(papers.__file__).parent / "demo"
_BUILT_FROM = "built-from"


def is_served() -> bool:
    return Path(settings.SNAPSHOT) == Path(settings.DEMO_SNAPSHOT)


def build_demo_library() -> None:
    """Build it if it is missing or its inputs have changed. A library that its user has changed is left alone."""
    if not is_served():
        return
    folder = Path(settings.DATA) / "demo"
    mark, inputs = Path(settings.DATA) / f"demo-{_BUILT_FROM}", fingerprint()
    built_from, _, built = mark.read_text(encoding="utf-8").partition("\n") if mark.exists() else ("", "", "")
    present = _build_id(folder / DATABASE)
    if present and (built_from == inputs or (built and built != present)):
        call_command("build_index", if_needed=True)
        return
    files = sorted([*INPUTS.glob("summaries/*.json"), *INPUTS.glob("*.bib")])
    texts = ["--markdown", str(INPUTS / "markdown"), "--translations", str(INPUTS / "translations")]
    call_command("build_snapshot", *map(str, files), "--out", str(folder), *texts)
    mark.write_text(f"{inputs}\n{_build_id(folder / DATABASE)}", encoding="utf-8")


def _build_id(database: Path) -> str:
    """Empty if there is no library, or none that can be read."""
    try:
        with closing(open_read_only(database)) as connection:
            return read_facts(connection, database.stat().st_size).build_id
    except (BadSnapshot, OSError):
        return ""


def fingerprint() -> str:
    """Of names and contents: an installer may give files any time."""
    digest = hashlib.sha256()
    for path in sorted(path for path in INPUTS.rglob("*") if path.is_file()):
        digest.update(path.relative_to(INPUTS).as_posix().encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()
