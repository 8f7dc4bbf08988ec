"""Watches folders and brings their changes into a library, update by update."""

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from threading import Event
from typing import Protocol, TypeVar

from ingest import BuildError, LibraryBusy, UnusableInput, UpdateReport
from ingest.entries.report import TaskProgress
from ingest.watching.scan import Scan, Settling, Stamps, WatchMemory, identity_of, scan_folders

# Folders that are watched: the longest time between two looks.
WATCH_LONGEST_SECONDS = 60.0
# On a slow disk, a watcher pauses so many times as long as a look took.
WATCH_PAUSE_PER_SCAN = 5.0
# Files of one update: a first import is searchable in steps, and one that is ended has lost little.
WATCH_FILES_AT_ONCE = 200
# How long a watcher waits before it repeats what failed.
WATCH_RETRY_SECONDS = 60.0
T = TypeVar("T")


class LibraryUpdate(Protocol):
    """Brings in what files say now, in place of what they said, and withdraws what files said that are gone."""

    def __call__(
        self, library: Path, add: Sequence[Path], gone: Sequence[Path], *, progress: TaskProgress
    ) -> UpdateReport: ...


class WatchListener(Protocol):
    """Is told what happens."""

    def updated(self, report: UpdateReport) -> None: ...

    def say(self, message: str) -> None: ...


class WatchEnded(Exception):
    """The end was asked for while an update was prepared; nothing of that update is in the library."""


class Watcher:
    """Knows what was read of each file; `look` compares that with the folders and updates the library."""

    def __init__(
        self,
        library: Path,
        folders: Sequence[Path],
        update: LibraryUpdate,
        listener: WatchListener,
        progress: TaskProgress,
        end: Event,
    ) -> None:
        self._library = library.absolute()
        named = list(dict.fromkeys(folder.absolute() for folder in folders))
        # Without those that are inside of another.
        self._folders = [folder for folder in named if not any(other in folder.parents for other in named)]
        self._update = update
        self._listener = listener
        self._progress = _EndingProgress(progress, end)
        self._end = end
        self._memory = WatchMemory.read(self._library)
        self._settling = Settling()
        # Stamps of files that could not be used: they are tried again when they change.
        self._failed: dict[Path, str] = {}
        self._said: dict[str, set[str]] = {}
        self._retry_at = 0.0

    def run(self, seconds: float) -> None:
        """Watch until the end is asked for. BuildError if there is too much to watch."""
        while not self._end.is_set():
            started = time.monotonic()
            try:
                self.look()
            except WatchEnded:
                return
            took = time.monotonic() - started
            self._end.wait(min(max(seconds, took * WATCH_PAUSE_PER_SCAN), WATCH_LONGEST_SECONDS))

    def look(self) -> None:
        """Look through the folders once, and bring in what has settled."""
        if not self._memory.is_stored(self._library):
            # Nothing was read yet, or the library was built anew.
            self._memory = WatchMemory()
        scan = scan_folders(self._folders, self._library)
        self._hide_unmounted(scan)
        self._say_new("places", scan.unreadable.values())
        known = self._memory.files | self._failed
        changed = {path: stamp for path, stamp in scan.stamps.items() if known.get(path) != stamp}
        watched = [path for path in self._memory.files if any(path.is_relative_to(root) for root in self._folders)]
        gone = [path for path in watched if path not in scan.stamps and not scan.is_hidden(path)]
        settled = self._settling.settled(changed | dict.fromkeys(gone))
        if settled and time.monotonic() >= self._retry_at:
            for part in _parts(settled):
                self._apply(part)

    def _hide_unmounted(self, scan: Scan) -> None:
        """A folder that is empty and another than before is the place of a disk that is not mounted."""
        for folder in self._folders:
            identity = identity_of(folder)
            is_empty = not any(path.is_relative_to(folder) for path in scan.stamps)
            if is_empty and identity != self._memory.folders.get(folder, identity):
                scan.unreadable[folder] = f"{folder} is empty: is its disk mounted? The papers of its files stay."
            elif not is_empty:
                self._memory.folders[folder] = identity

    def _apply(self, part: Stamps) -> None:
        """One update. A file that cannot be used is left out, and what it gave before stays."""
        changed = {path: stamp for path, stamp in part.items() if stamp is not None}
        gone = [path for path, stamp in part.items() if stamp is None]
        try:
            self._bring_in(changed, gone)
        except UnusableInput as error:
            self._listener.say(str(error))
            self._failed |= {path: changed.pop(path) for path in error.paths if path in changed}
            if changed or gone:
                self._apply({**changed, **dict.fromkeys(gone)})
        except LibraryBusy as error:
            self._say_new("updates", [str(error)])
        except (BuildError, OSError) as error:
            self._say_new("updates", [f"{error} It is tried again."])
            self._retry_at = time.monotonic() + WATCH_RETRY_SECONDS

    def _bring_in(self, changed: Mapping[Path, str], gone: Sequence[Path]) -> None:
        add = sorted(changed, key=lambda path: (path.suffix.lower() == ".pdf", path))
        report = self._update(self._library, add, gone, progress=self._progress)
        self._listener.updated(report)
        self._say_new("updates", [])
        for problem in report.problems:
            if Path(problem.place) in report.unusable:
                self._listener.say(problem.message)
        for path, stamp in changed.items():
            remembered = self._failed if path in report.unusable else self._memory.files
            remembered[path] = stamp
        for path in gone:
            self._memory.files.pop(path, None)
        for path in changed.keys() - set(report.unusable):
            self._failed.pop(path, None)
        self._memory.write(self._library)

    def _say_new(self, topic: str, messages: Iterable[str]) -> None:
        """Say what was not said the last time."""
        now = set(messages)
        for message in sorted(now - self._said.get(topic, set())):
            self._listener.say(message)
        self._said[topic] = now


class _EndingProgress:
    """Ends an update where its loops are, all of which are before the library is touched."""

    def __init__(self, progress: TaskProgress, end: Event) -> None:
        self._progress = progress
        self._end = end

    def say(self, message: str) -> None:
        self._progress.say(message)

    def stage(self, message: str) -> None:
        self._progress.stage(message)

    def track(self, label: str, items: Iterable[T], total: int | None = None) -> Iterator[T]:
        for item in self._progress.track(label, items, total):
            if self._end.is_set():
                raise WatchEnded
            yield item


def _parts(settled: Stamps) -> Iterator[dict[Path, str | None]]:
    """The files of each update."""
    gone = {path: stamp for path, stamp in settled.items() if stamp is None}
    others = sorted(
        (path for path in settled if path not in gone), key=lambda path: (path.suffix.lower() == ".pdf", path)
    )
    size = WATCH_FILES_AT_ONCE
    parts = [{path: settled[path] for path in others[start : start + size]} for start in range(0, len(others), size)]
    # Last, because a file that was moved is gone at one place and new at another.
    last = parts.pop() if parts else {}
    yield from parts
    if last or gone:
        yield {**last, **gone}
