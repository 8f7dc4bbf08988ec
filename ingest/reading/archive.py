"""Unpacks a .zip in a child process: stored and deflated files, only so many and so much, into a folder of its own."""

import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path, PurePosixPath

from msgspec import convert

from papercore import limits
from papercore.processes.children import ChildLimits, ChildProcess, Unanswerable

UNPACK_LIMITS = ChildLimits(seconds=60, wait_seconds=60, memory_bytes=1_000_000_000, file_bytes=limits.UNPACKED_BYTES)
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
# The record at the end of an archive: its mark, two numbers of disks, entries here and in all, bytes of their list.
_END = struct.Struct("<4s4H2L")
_END_MARK = b"PK\x05\x06"
# Right before it may be what leads to another record, which then counts: for more than 65,535 files, or four gigabytes.
_ZIP64_LOCATOR = 20
_ZIP64_MARK = b"PK\x06\x07"
# Both records, and the longest comment behind them.
_TAIL_BYTES = 70_000
# A list of names: each entry takes 46 bytes and its name.
_LIST_BYTES = limits.ARCHIVE_MEMBERS * 500
_PIECE_BYTES = 1_000_000


def unpack(archive: Path, folder: Path, most_bytes: int, kinds: tuple[str, ...] = ("",)) -> Iterator[tuple[str, Path]]:
    """Each file in the archive whose name ends with one of the kinds: its name there, and where it is now.

    ChildFailed says why there are no more.
    """
    message = f"{archive.absolute()}\n{folder.absolute()}\n{most_bytes}\n{' '.join(kinds)}".encode()
    with closing(ChildProcess("ingest.reading.archive:answers", UNPACK_LIMITS, [archive], folder)) as child:
        for part in child.answers(message):
            name, number = convert(part, tuple[str, int])
            yield name, folder / str(number)


def answers(message: bytes) -> Iterator[object]:
    """What the child answers: the name of each file in the archive, and the number that is its name in the folder."""
    names = message.decode().split("\n")
    archive, folder, most_bytes, kinds = Path(names[0]), Path(names[1]), int(names[2]), tuple(names[3].split(" "))
    _refuse_long_lists(archive)
    left = most_bytes
    try:
        with zipfile.ZipFile(archive) as opened:
            for number, member in enumerate(opened.infolist()[: limits.ARCHIVE_MEMBERS]):
                if not (_is_wanted(member) and member.filename.lower().endswith(kinds)):
                    continue
                if member.compress_type not in _METHODS:
                    raise Unanswerable("it is packed in a way that is not read: use an ordinary zip (deflate)")
                left -= _unpack(opened, member, folder / str(number), left)
                if left < 0:
                    raise Unanswerable(f"there are more than {most_bytes:,} bytes in it")
                yield [member.filename, number]
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError, OSError, ValueError) as error:
        if isinstance(error, Unanswerable):
            raise
        raise Unanswerable("it is encrypted" if "password" in str(error) else "the archive is damaged") from error


def _refuse_long_lists(archive: Path) -> None:
    """By the record at the end, before anything else is read: a list of 600,000 names takes long to read."""
    with archive.open("rb") as file:
        size = file.seek(0, 2)
        file.seek(max(0, size - _TAIL_BYTES))
        tail = file.read()
    place = tail.rfind(_END_MARK)
    if place < 0 or len(tail) < place + _END.size:
        raise Unanswerable("the archive is damaged")
    if tail[max(0, place - _ZIP64_LOCATOR) : place].startswith(_ZIP64_MARK):
        raise Unanswerable("it is packed for very many or large files (Zip64): use an ordinary zip")
    _, _, _, _, entries, list_bytes, _ = _END.unpack_from(tail, place)
    if entries > limits.ARCHIVE_MEMBERS or list_bytes > _LIST_BYTES:
        raise Unanswerable(f"there are more than {limits.ARCHIVE_MEMBERS:,} files in it")


def _is_wanted(member: zipfile.ZipInfo) -> bool:
    """Without the notes that systems leave in archives."""
    parts = PurePosixPath(member.filename.replace("\\", "/")).parts
    return not member.is_dir() and bool(parts) and "__MACOSX" not in parts and not parts[-1].startswith(".")


def _unpack(opened: zipfile.ZipFile, member: zipfile.ZipInfo, target: Path, most: int) -> int:
    """The bytes written; what is read counts, whatever the archive says of its size. One more than allowed, at most."""
    written = 0
    with opened.open(member) as packed, target.open("wb") as file:
        while written <= most and (piece := packed.read(min(_PIECE_BYTES, most + 1 - written))):
            written += file.write(piece)
    return written
