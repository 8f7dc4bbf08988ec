"""The versions of a library before its last updates, for undo: the database, and the assets that were replaced.

An update writes its record here before it touches the library. So the next one can tell whether it was ended in the
middle, and put back what it had replaced.
"""

import os
import shutil
from collections.abc import Sequence
from pathlib import Path

from pydantic import ValidationError

from ingest.publishing.publish import VERSIONS, keep_as_unused
from ingest.report import UpdateRecord
from papercore.processes.files import sync
from papercore.snapshot.layout import ASSETS, DATABASE

_RECORD = "update.json"


class Version:
    """The library as it was before one update."""

    def __init__(self, folder: Path, record: UpdateRecord) -> None:
        self.folder = folder
        self.record = record

    @property
    def database(self) -> Path:
        return self.folder / DATABASE

    @property
    def assets(self) -> Path:
        return self.folder / ASSETS

    def replaced(self) -> list[str]:
        """The assets that the update replaced, as they were before."""
        return [path.relative_to(self.assets).as_posix() for path in self.assets.rglob("*") if path.is_file()]


def versions_of(library: Path) -> list[Version]:
    """Oldest first. A folder whose record cannot be read is none."""
    found = []
    for folder in sorted((library / VERSIONS).glob("[0-9]*")):
        try:
            record = UpdateRecord.model_validate_json((folder / _RECORD).read_bytes())
        except (OSError, ValidationError):
            continue
        found.append(Version(folder, record))
    return found


def prepare_version(folder: Path, library: Path, record: UpdateRecord, replaced: Sequence[str]) -> None:
    """Write the record, and keep the assets that the update replaces, in a folder that is not a version yet."""
    folder.mkdir()
    for key in replaced:
        target = folder / ASSETS / key
        target.parent.mkdir(parents=True, exist_ok=True)
        link_or_copy(library / ASSETS / key, target)
    (folder / ASSETS).mkdir(exist_ok=True)
    with (folder / _RECORD).open("wb") as file:
        file.write(record.model_dump_json().encode())
        file.flush()
        os.fsync(file.fileno())


def add_version(prepared: Path, library: Path) -> Version:
    """From here on, an update that does not end is noticed by the next."""
    root = library / VERSIONS
    root.mkdir(exist_ok=True)
    numbers = [int(folder.name) for folder in root.glob("[0-9]*") if folder.name.isdecimal()]
    target = root / f"{max(numbers, default=0) + 1:06}"
    prepared.rename(target)
    sync(root)
    return Version(target, UpdateRecord.model_validate_json((target / _RECORD).read_bytes()))


def put_back(version: Version, library: Path) -> None:
    """Make the assets what they were before the update; the database is already, or still, the one from then."""
    for key in version.replaced():
        (version.assets / key).replace(library / ASSETS / key)
    # A server may still answer from the version that goes.
    keep_as_unused(library, version.record.created)
    shutil.rmtree(version.folder, ignore_errors=True)


def put_back_unfinished(library: Path, build_id: str) -> None:
    """Put back what an update that was ended in the middle had replaced."""
    for version in versions_of(library)[-1:]:
        if version.record.build_before == build_id:
            put_back(version, library)


def drop_old_versions(library: Path, kept: int) -> None:
    """Keep the newest; the assets that only the others used go with them."""
    versions = versions_of(library)
    for number, version in enumerate(versions[: max(0, len(versions) - kept)]):
        used_again = {key for later in versions[number + 1 :] for key in later.record.written}
        for key in set(version.record.unused) - used_again:
            (library / ASSETS / key).unlink(missing_ok=True)
        shutil.rmtree(version.folder, ignore_errors=True)


def link_or_copy(source: Path, target: Path) -> None:
    """The same file under another name; a copy on a disk without such links."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copyfile(source, target)
