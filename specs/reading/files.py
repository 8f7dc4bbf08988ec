"""Where the specs of a project are, and reading their files: regular files only, no links followed, sizes capped."""

import os
import re
import time
from functools import lru_cache
from pathlib import Path

from django.conf import settings
from msgspec import Struct

from papercore import limits
from papercore.processes.files import NotRegular, open_regular

# A file may change again within the clock tick of its last change, and keep its stamp.
CLOCK_TICK_NS = 100_000_000


class UnreadableFile(Exception):
    """The file cannot be served; the message says why, without a path."""


class Stamp(Struct, frozen=True):
    """Changes whenever the file does."""

    modified_ns: int
    size: int
    inode: int

    def is_settled(self) -> bool:
        """Whether a later change will get another stamp, so that what was read may be kept under this one."""
        return time.time_ns() - self.modified_ns > CLOCK_TICK_NS


# Spec Kit's folders of features, and what they hold beside the spec.
FEATURE = re.compile(r"(?:.*/)?\d{3,}-[^/]+/")
FEATURE_DOCUMENTS = ("plan.md", "tasks.md")
CONSTITUTIONS = (".specify/memory/constitution.md", "memory/constitution.md")


class SpecFile(Struct, frozen=True):
    """A file named `spec.md`; `id` is its folder relative to where the search began, with slashes.

    A feature's plan and tasks are `<folder>/plan` and `<folder>/tasks`.
    """

    id: str
    path: Path
    stamp: Stamp


def find_specs(root: Path) -> list[SpecFile]:
    """Every `<id>/spec.md` below the folder, sorted by id; none if the folder does not exist."""
    found: list[SpecFile] = []
    folders = [(str(root), "")]
    while folders:
        folder, prefix = folders.pop()
        try:
            with os.scandir(folder) as listing:
                entries = [entry for entry in listing if not entry.name.startswith(".")]
        except OSError:  # deleted, or not ours to read
            continue
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                folders.append((entry.path, f"{prefix}{entry.name}/"))
            elif entry.name == "spec.md" and prefix:
                found.append(SpecFile(prefix[:-1], Path(entry.path), _stamp(entry.stat(follow_symlinks=False))))
            elif entry.name in FEATURE_DOCUMENTS and FEATURE.fullmatch(prefix):
                document_id = f"{prefix}{entry.name.removesuffix('.md')}"
                found.append(SpecFile(document_id, Path(entry.path), _stamp(entry.stat(follow_symlinks=False))))
    return sorted(found, key=lambda file: file.id)


def find_constitution(folder: Path) -> SpecFile | None:
    """The principles of a Spec Kit project."""
    for name in CONSTITUTIONS:
        if stamp := read_stamp(folder / name):
            return SpecFile("constitution", folder / name, stamp)
    return None


def read_stamp(path: Path) -> Stamp | None:
    """The stamp of a file; None if there is no such file."""
    try:
        return _stamp(path.stat(follow_symlinks=False))
    except OSError:
        return None


def _stamp(status: os.stat_result) -> Stamp:
    return Stamp(status.st_mtime_ns, status.st_size, status.st_ino)


def read_text(path: Path) -> tuple[str, int | None]:
    """The file's text, and the line of the first invalid bytes, if there are any."""
    data = _read_bytes(path)
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", errors="replace"), None
    try:
        return data.decode("utf-8"), None
    except UnicodeDecodeError as error:
        return data.decode("utf-8", errors="replace"), data.count(b"\n", 0, error.start) + 1


def _read_bytes(path: Path) -> bytes:
    try:
        # A link could lead out of the folder, and a pipe would block.
        with os.fdopen(open_regular(path), "rb") as file:
            if os.fstat(file.fileno()).st_size > limits.SPEC_BYTES:
                raise UnreadableFile(f"It is larger than {limits.SPEC_BYTES:,} bytes.")
            return file.read(limits.SPEC_BYTES)
    except NotRegular:
        raise UnreadableFile("It is not a regular file.") from None
    except OSError as error:
        if path.is_symlink():
            raise UnreadableFile("It is a link, and links are not followed.") from None
        raise UnreadableFile(f"It cannot be read: {os.strerror(error.errno or 0)}.") from None


CONFIG = "config.yaml"
_STORE = re.compile(r"^store:[ \t]*[\"']?(?P<store>[\w.-]{1,100})", re.MULTILINE)
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
    """Git keeps no empty folders, so a new one may hold its configuration alone."""
    return (folder / "specs").is_dir() or (folder / "changes").is_dir() or (folder / CONFIG).is_file()


def named_store(project: Project) -> str:
    """The store that a project without specs of its own names as the place of its specs; empty if it names none."""
    for home in project.homes:
        try:
            text, _ = read_text(home / CONFIG)
        except UnreadableFile:
            continue
        if named := _STORE.search(text):
            return named["store"]
    return ""


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
