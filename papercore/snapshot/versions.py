"""The versions of a snapshot file: a replaced one is taken over without a restart, a damaged one is noticed."""

import logging
import threading
import time
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from msgspec import Struct

from papercore import limits
from papercore.snapshot.file import (
    LARGE_BLOCK_BYTES,
    PROBLEMS,
    BadSnapshot,
    ChecksumState,
    Connection,
    SnapshotFacts,
    Verdict,
    checksum_state,
    open_read_only,
    read_facts,
    refuse_unfinished_wal,
    verify,
)

# How long a new snapshot is read through while a server starts, which takes longer than this anyway.
SNAPSHOT_START_SECONDS = 0.6
# How long a large snapshot is read through in the background: a hundred gigabytes from a slow disk.
SNAPSHOT_CHECK_SECONDS = 600
# For how long workers rely on a check made before they were forked; later ones read the file themselves.
EARLY_VERDICT_SECONDS = 60
# How often an unexpected error may make a worker read the snapshot through again: few errors come from damage.
SECONDS_BETWEEN_SNAPSHOT_CHECKS = 10
logger = logging.getLogger(__name__)


class FileIdentity(Struct, frozen=True):
    """Tells one version of a file from the next."""

    inode: int
    modified_ns: int
    size: int

    @classmethod
    def of(cls, path: Path) -> "FileIdentity":
        try:
            stat = path.stat()
        except FileNotFoundError:
            raise BadSnapshot("The snapshot file is missing: build one, or set PAPERSITE_SNAPSHOT.") from None
        except OSError as error:
            raise BadSnapshot(f"The snapshot file cannot be read: {error.strerror}.") from None
        return cls(stat.st_ino, stat.st_mtime_ns, stat.st_size)


@dataclass(frozen=True)
class GoodFile:
    """A version of the file that can be read. Its connection keeps it readable after the file was replaced."""

    identity: FileIdentity
    facts: SnapshotFacts
    anchor: Connection = field(compare=False, repr=False)
    # Another one for each version, for caches of what it holds.
    serial: int = field(default_factory=count(1).__next__)


@dataclass(frozen=True)
class EarlyVerdict:
    """What was found out about a file before it is served. It counts for a while: files decay."""

    identity: FileIdentity
    verdict: Verdict
    reached_at: float = field(default_factory=time.monotonic)

    def counts_for(self, identity: FileIdentity) -> bool:
        return self.identity == identity and time.monotonic() - self.reached_at < EARLY_VERDICT_SECONDS


class SnapshotFile:
    """The file at a path: its last good version, and what is wrong with the current one, if anything."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.good: GoodFile | None = None
        self.problem: str | None = None
        self._checked: FileIdentity | None = None
        self._early: EarlyVerdict | None = None
        # A large file, which is served while it is read through in the background.
        self._unverified: FileIdentity | None = None
        self._verified_again_at = float("-inf")
        self._lock = threading.Lock()

    @property
    def verifying(self) -> bool:
        return self._unverified is not None

    @property
    def served_damaged(self) -> bool:
        """Whether the problem is in the very file that is served, because there is no better one."""
        good, checked = self.good, self._checked
        return bool(self.problem and good and checked and good.identity.inode == checked.inode)

    def check_ahead(self) -> None:
        """Compare the file with its checksum before it is served: processes that are forked later need not do so."""
        identity = _identity(self.path)
        if not identity:
            return
        state = checksum_state(self.path, SNAPSHOT_START_SECONDS, LARGE_BLOCK_BYTES)
        verdicts: dict[ChecksumState, Verdict] = {"fits": "sound", "unfinished": "unfinished"}
        if state in verdicts and _identity(self.path) == identity:
            self._early = EarlyVerdict(identity, verdicts[state])

    def refresh(self) -> None:
        """Switch to the file on disk if it changed and is good; otherwise keep serving the last good one."""
        try:
            identity = FileIdentity.of(self.path)
            if identity == self._checked:
                return
            with self._lock:
                if identity != self._checked:
                    self._take_over(identity)
        except BadSnapshot as error:
            self._checked = None
            self._note(str(error))

    def _take_over(self, identity: FileIdentity) -> None:
        self._unverified = None
        verdict: Verdict | None = None
        try:
            good, verdict = self._open(identity)
            problem = PROBLEMS.get(verdict)
            if problem and self.good and self.good.identity.inode != identity.inode:
                good.anchor.close()
                raise BadSnapshot(problem)
        except BadSnapshot as error:
            self._note(str(error))
        else:
            self.good = good
            self._note(problem)
        # Before the check in the background, which may be over at once and speaks only of the file that is served.
        self._checked = identity
        if verdict == "unfinished":
            self._verify_aside(identity)

    def _open(self, identity: FileIdentity) -> tuple[GoodFile, Verdict]:
        """Open the file if it can be served; its verdict may still be that it was changed, or takes longer to read."""
        refuse_unfinished_wal(self.path)
        anchor = open_read_only(self.path)
        try:
            facts = read_facts(anchor, identity.size)
            early = self._early if self._early and self._early.counts_for(identity) else None
            verdict = early.verdict if early else verify(self.path, anchor, limits.QUERY_SECONDS)
            if verdict == "damaged":
                raise BadSnapshot(PROBLEMS[verdict])
        except BadSnapshot:
            anchor.close()
            raise
        return GoodFile(identity, facts, anchor), verdict

    def verify_again(self) -> None:
        """After an error that damage may have caused: read the served file again, at once as far as a second gets."""
        with self._lock:
            now, identity = time.monotonic(), self._checked
            due = now - self._verified_again_at >= SECONDS_BETWEEN_SNAPSHOT_CHECKS
            is_served = self.good is not None and self.good.identity == identity
            if identity and is_served and due and self.problem is None and not self.verifying:
                self._verified_again_at = now
                if self._verify(identity, limits.QUERY_SECONDS) == "unfinished":
                    self._verify_aside(identity)

    def _verify_aside(self, identity: FileIdentity) -> None:
        def run() -> None:
            if self._verify(identity, SNAPSHOT_CHECK_SECONDS) == "unfinished":
                logger.warning("The snapshot is too large to be checked in %s s.", SNAPSHOT_CHECK_SECONDS)
            if self._unverified == identity:
                self._unverified = None

        self._unverified = identity
        threading.Thread(target=run, daemon=True).start()

    def _verify(self, identity: FileIdentity, seconds: float) -> Verdict:
        try:
            connection = open_read_only(self.path)
            verdict = verify(self.path, connection, seconds)
            connection.close()
        except BadSnapshot:
            verdict = "damaged"
        # What was read may be the file's successor.
        if verdict in PROBLEMS and self._checked == identity and _identity(self.path) == identity:
            self._note(PROBLEMS[verdict])
        return verdict

    def _note(self, problem: str | None) -> None:
        if problem and problem != self.problem:
            logger.error("%s", problem)
        self.problem = problem

    def connect(self) -> tuple[GoodFile, Connection]:
        """A connection to the last good version: a new one, or the shared one once the file was replaced."""
        self.refresh()
        good = self.good
        if good is None:
            raise BadSnapshot(self.problem or "The snapshot cannot be read.")
        try:
            connection = open_read_only(self.path)
            if FileIdentity.of(self.path) == good.identity:
                return good, connection
            connection.close()
        except BadSnapshot:
            pass
        return good, good.anchor


def _identity(path: Path) -> FileIdentity | None:
    try:
        return FileIdentity.of(path)
    except BadSnapshot:
        return None
