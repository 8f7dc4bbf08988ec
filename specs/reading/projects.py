"""Which folders of specs are served: reads the setting PAPERSITE_SPECS."""

import re
from functools import lru_cache
from pathlib import Path

from django.conf import settings
from msgspec import Struct

NAMED = re.compile(r"[A-Za-z0-9_.-]+=")


class Project(Struct, frozen=True):
    """A folder of specs. An unnamed one (`prefixed` false) has plain spec ids, a named one `<name>:<id>`."""

    name: str
    folder: Path
    prefixed: bool

    @property
    def homes(self) -> tuple[Path, ...]:
        """The folders that hold `specs` or `changes`: `openspec` inside the given one, the given one, or both."""
        found = tuple(home for home in (self.folder / "openspec", self.folder) if _is_openspec(home))
        return found or (self.folder,)

    @property
    def root(self) -> Path:
        """What the paths of its files are relative to."""
        return self.homes[0] if len(self.homes) == 1 else self.folder

    @property
    def spec_folders(self) -> tuple[Path, ...]:
        """Where the main specs are: `specs/`, or the folder itself if it is a folder of specs."""
        return tuple(home / "specs" if _is_openspec(home) else home for home in self.homes)

    @property
    def change_folders(self) -> tuple[Path, ...]:
        return tuple(home / "changes" for home in self.homes)

    def full_id(self, local_id: str) -> str:
        return f"{self.name}:{local_id}" if self.prefixed else local_id


def _is_openspec(folder: Path) -> bool:
    return (folder / "specs").is_dir() or (folder / "changes").is_dir()


def projects() -> tuple[Project, ...]:
    return read_setting(settings.SPECS)


@lru_cache(maxsize=16)
def read_setting(value: str) -> tuple[Project, ...]:
    """One folder, or `name=folder,name=folder`; none if specs are switched off."""
    if not value:
        return ()
    if not NAMED.match(value):
        folder = Path(value).expanduser().absolute()
        slug = re.sub(r"[^A-Za-z0-9_.-]+", "-", folder.name).strip("-.") or "specs"
        return (Project(slug, folder, prefixed=False),)
    parts = (part.strip().partition("=") for part in value.split(",") if part.strip())
    named = {name.strip(): Path(folder.strip()).expanduser().absolute() for name, _, folder in parts}
    return tuple(Project(name, folder, prefixed=True) for name, folder in named.items())
