"""System checks of the snapshot, its assets and the search model."""

from pathlib import Path

from django.conf import settings
from django.core import checks
from django.core.checks import CheckMessage, register

from papercore.snapshot.file import ASSETS, BadSnapshot, check, open_read_only, refuse_unfinished_wal
from papercore.snapshot.versions import FileIdentity
from papers.snapshot.served import served_location

BUILD_HINT = "Build one with 'papersite build-snapshot' or 'papersite demo --no-serve', or set PAPERSITE_SNAPSHOT."


@register
def check_snapshot(**_: object) -> list[CheckMessage]:
    """Only warnings: the site starts without a snapshot and says so, and the commands that build one must run."""
    path = Path(settings.SNAPSHOT)
    try:
        FileIdentity.of(path)
    except BadSnapshot as error:
        return [_warning(error, BUILD_HINT, "papers.W002" if path.exists() else "papers.W001")]
    try:
        refuse_unfinished_wal(path)
    except BadSnapshot as error:
        return [_warning(error, "Publish a snapshot only when its builder has closed it.", "papers.W004")]
    try:
        connection = open_read_only(path)
    except BadSnapshot as error:
        return [_warning(error, BUILD_HINT, "papers.W002")]
    try:
        check(path, connection)
    except BadSnapshot as error:
        return [_warning(error, BUILD_HINT, "papers.W003")]
    finally:
        connection.close()
    return []


def _warning(error: BadSnapshot, hint: str, identifier: str) -> CheckMessage:
    return checks.Warning(str(error), hint=hint, id=identifier)


@register
def check_assets(**_: object) -> list[CheckMessage]:
    snapshot = served_location()
    if snapshot.asset_folder is None or snapshot.asset_folder.is_dir() or not snapshot.database.exists():
        return []
    return [
        checks.Warning(
            "The snapshot's asset folder is missing: summaries and sources cannot be read.",
            hint=f"Put the folder `{ASSETS}` beside the snapshot, or set PAPERSITE_ASSETS.",
            id="papers.W005",
        )
    ]


@register
def check_search_model(**_: object) -> list[CheckMessage]:
    folder = Path(settings.SEARCH_MODEL)
    if not settings.SEARCH_MODEL or ((folder / "tokenizer.json").is_file() and any(folder.rglob("*.onnx"))):
        return []
    return [
        checks.Error(
            "PAPERSITE_SEARCH_MODEL names no folder with a sentence model: an .onnx file and tokenizer.json.",
            hint="Install one with 'papersite install-model', correct the path, or leave the variable empty: "
            "word vectors are always there.",
            id="papers.E001",
        )
    ]
