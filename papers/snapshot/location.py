"""Where a snapshot and its assets are: the ones that are served, or those that a command is given."""

from pathlib import Path

from django.conf import settings
from msgspec import Struct

from papercore.snapshot.layout import assets_beside, database_in


class SnapshotLocation(Struct, frozen=True):
    """`assets` is a folder or a URL."""

    database: Path
    assets: str

    @property
    def asset_folder(self) -> Path | None:
        return None if "://" in self.assets else Path(self.assets)


def served_location() -> SnapshotLocation:
    return SnapshotLocation(Path(settings.SNAPSHOT), str(settings.ASSETS))


def location_of(path: Path) -> SnapshotLocation:
    """The snapshot in a folder, or a snapshot file with its assets beside it."""
    database = database_in(path)
    return SnapshotLocation(database, str(assets_beside(database)))
