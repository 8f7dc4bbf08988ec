"""Takes the files that somebody sent: their kind by their content, archives unpacked, names made harmless."""

import json
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import IO, Literal

from ingest.reading.archive import unpack
from ingest.reading.confined import read_identifier_list
from papercore import limits
from papercore.bibliography.identifiers import Identifier
from papercore.processes.children import ChildFailed
from papercore.text import one_line

FileKind = Literal[".pdf", ".bib", ".ris", ".nbib", ".json", ".jsonl", ".txt", ".zip"]
KINDS = ".bib, .ris, .nbib, .json, .jsonl, .pdf, .txt, .zip"

_HEAD_BYTES = 65_536
_PDF_MARK_BYTES = 1024
_NAME_CHARS = 120
_UNSAFE = re.compile(r'[<>:"/\\|?*]')
_BIB = re.compile(r"^[ \t]*@[A-Za-z]{2,30}[ \t]*[{(]", re.MULTILINE)
_RIS = re.compile(r"^[ \t]{0,4}TY  - ", re.MULTILINE)
_NBIB = re.compile(r"^PMID- ", re.MULTILINE)


@dataclass
class SentFiles:
    """Files as somebody sent them: kept as they are while the sender waits, opened one by one in the work on them."""

    folder: Path
    files: list[tuple[str, IO[bytes]]] = field(default_factory=list)

    def add(self, name: str, stream: IO[bytes]) -> None:
        self.files.append((name, stream))

    def keep(self) -> None:
        self.folder.mkdir()
        for number, (_, stream) in enumerate(self.files):
            with self._path(number).open("wb") as file:
                shutil.copyfileobj(stream, file)

    def opened(self) -> Iterator[tuple[str, IO[bytes]]]:
        for number, (name, _) in enumerate(self.files):
            with self._path(number).open("rb") as file:
                yield name, file
            self._path(number).unlink()

    def _path(self, number: int) -> Path:
        return self.folder / f"{number:03}"


@dataclass
class ReceivedFiles:
    """The files that can be read, each in a folder of its own; identifiers; and what was left out, in words."""

    folder: Path
    paths: list[Path] = field(default_factory=list)
    identifiers: list[Identifier] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    _bytes: int = 0

    def add(self, name: str, stream: IO[bytes]) -> None:
        """One file; of an archive, the files in it."""
        shown = safe_name(name)
        head = stream.read(_HEAD_BYTES)
        kind = kind_of(head, shown)
        if kind == ".zip":
            stream.seek(0)
            self._unpack(shown, stream)
        else:
            self._keep(shown, kind, head, stream.read)

    def _keep(self, name: str, kind: FileKind | None, head: bytes, read: Callable[[int], bytes]) -> None:
        if not head:
            self.problems.append(f"{name}: it is empty")
        elif kind is None or kind == ".zip":
            self.problems.append(f"{name}: not a kind of file that is read ({KINDS})")
        elif len(self.paths) >= limits.UPLOAD_FILES:
            self.problems.append(f"{name}: left out, more than {limits.UPLOAD_FILES} files")
        elif kind == ".txt":
            self._add_identifiers(name, head + read(limits.IDENTIFIER_LIST_CHARS))
        else:
            self._write(name, kind, head, read)

    def _write(self, name: str, kind: FileKind, head: bytes, read: Callable[[int], bytes]) -> None:
        place = self.folder / f"{len(self.paths):03}"
        place.mkdir()
        stem = (name.rpartition(".")[0] or name).encode()[:200].decode("utf-8", "ignore")
        target = place / f"{stem or 'file'}{kind}"
        with target.open("wb") as file:
            part = head
            while part:
                self._bytes += len(part)
                if self._bytes > limits.UNPACKED_BYTES:
                    break
                file.write(part)
                part = read(_HEAD_BYTES)
        if part:
            target.unlink()
            self.problems.append(f"{name}: left out, more than {limits.UNPACKED_BYTES:,} bytes in all")
        else:
            self.paths.append(target)

    def _add_identifiers(self, name: str, data: bytes) -> None:
        try:
            listed = read_identifier_list(data)
        except ChildFailed as error:
            self.problems.append(f"{name}: {error}")
            return
        self.identifiers = list(dict.fromkeys([*self.identifiers, *listed.identifiers]))[: limits.IDENTIFIERS]
        self.problems += [
            f"{name}: {word} is neither a DOI, an arXiv id, a PMID nor the address of a paper"
            for word in listed.unknown[: limits.PROBLEMS]
        ]
        if listed.cut:
            self.problems.append(f"{name}: only its first {limits.IDENTIFIERS:,} identifiers are taken")
        if not listed.identifiers and not listed.unknown:
            self.problems.append(f"{name}: no identifier in it")

    def _unpack(self, name: str, stream: IO[bytes]) -> None:
        with tempfile.TemporaryDirectory(dir=self.folder) as place:
            archive, unpacked = Path(place) / "archive.zip", Path(place) / "unpacked"
            unpacked.mkdir()
            with archive.open("wb") as file:
                shutil.copyfileobj(stream, file)
            try:
                for member, path in unpack(archive, unpacked, limits.UNPACKED_BYTES - self._bytes):
                    shown = safe_name(member)
                    with path.open("rb") as file:
                        head = file.read(_HEAD_BYTES)
                        self._keep(shown, kind_of(head, shown), head, file.read)
                    path.unlink()
            except ChildFailed as error:
                self.problems.append(f"{name}: {error}")


def safe_name(name: str) -> str:
    """The last part of a file's name, on one line, as it may be shown and written."""
    last = one_line(PurePosixPath(name.replace("\\", "/")).name)
    return _UNSAFE.sub("_", last).lstrip(".")[-_NAME_CHARS:] or "file"


def kind_of(head: bytes, name: str) -> FileKind | None:
    """What the first bytes of a file show it to be; its name tells apart only what its content cannot."""
    if b"%PDF-" in head[:_PDF_MARK_BYTES]:
        return ".pdf"
    if head.startswith(b"PK\x03\x04"):
        return ".zip"
    if b"\0" in head[:_PDF_MARK_BYTES] and not head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return None
    encoding = "utf-16" if head.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
    text = head.decode(encoding, "replace").lstrip()
    if text.startswith(("[", "{")):
        return ".jsonl" if name.lower().endswith(".jsonl") or _has_json_lines(text) else ".json"
    patterns: tuple[tuple[FileKind, re.Pattern[str]], ...] = ((".bib", _BIB), (".ris", _RIS), (".nbib", _NBIB))
    found = next((kind for kind, pattern in patterns if pattern.search(text)), None)
    if found or text.startswith("<"):  # a page of the web is no list of identifiers
        return found
    return ".txt" if name.lower().endswith((".txt", ".csv")) or "." not in name else None


def _has_json_lines(text: str) -> bool:
    first, _, rest = text.partition("\n")
    try:
        return isinstance(json.loads(first), dict) and rest.lstrip().startswith("{")
    except (ValueError, RecursionError):
        return False
