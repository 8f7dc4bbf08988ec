"""Files that somebody sent: taken by what they hold, and never trusted."""

import io
import zipfile
from pathlib import Path

import pytest

from papercore import limits
from papers.library.received_files import ReceivedFiles, kind_of, safe_name
from tests.hostile.corpus import CORPUS

BIB = b"@article{a, title={Cats}, year={1999}}"


@pytest.fixture
def received(tmp_path: Path) -> ReceivedFiles:
    folder = tmp_path / "files"
    folder.mkdir()
    return ReceivedFiles(folder)


def archive(*members: tuple[str, bytes]) -> io.BytesIO:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in members:
            file.writestr(name, content)
    stream.seek(0)
    return stream


@pytest.mark.parametrize(
    ("content", "name", "kind"),
    [
        (b"%PDF-1.7\n", "a.bib", ".pdf"),
        (b"junk\n%PDF-1.4", "a.pdf", ".pdf"),
        (BIB, "a.txt", ".bib"),
        (b"\xef\xbb\xbf  @Book {x,", "", ".bib"),
        (b"TY  - JOUR\nTI  - Cats\n", "a.ris", ".ris"),
        (b"PMID- 123\nTI  - Cats\n", "a.nbib", ".nbib"),
        (b'[{"title": "Cats"}]', "a.json", ".json"),
        (b'{"title": "Cats"}\n{"title": "Dogs"}\n', "a.json", ".jsonl"),
        (b"10.1000/abc\n", "ids.txt", ".txt"),
        (b"10.1000/abc\n", "", ".txt"),
        (b"PK\x03\x04", "a.pdf", ".zip"),
        (b"<html>@x{</html>", "a.pdf", None),
        (b"\x7fELF\0\0", "a.pdf", None),
        (b"MZ\0\0", "a.txt", None),
        (b"<svg onload=alert(1)>", "a.svg", None),
        (b"plain words", "a.exe", None),
    ],
)
def test_the_kind_of_a_file_is_that_of_its_content(content: bytes, name: str, kind: str | None) -> None:
    assert kind_of(content, name) == kind


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("../../etc/passwd", "passwd"),
        ("C:\\Users\\me\\a.bib", "a.bib"),
        (".htaccess", "htaccess"),
        ("", "file"),
        ("..", "file"),
        ("a\nb\0c.bib", "a bc.bib"),
        ("x" * 500 + ".pdf", ("x" * 116) + ".pdf"),
    ],
)
def test_a_name_is_one_harmless_part(name: str, safe: str) -> None:
    assert safe_name(name) == safe


def test_files_of_one_name_are_kept_apart(received: ReceivedFiles) -> None:
    for _ in range(2):
        received.add("a.bib", io.BytesIO(BIB))
    assert [path.relative_to(received.folder).as_posix() for path in received.paths] == ["000/a.bib", "001/a.bib"]
    assert received.problems == []


def test_an_archive_is_unpacked_below_its_folder_whatever_its_names(received: ReceivedFiles) -> None:
    names = ("../../../evil.bib", "/abs/b.bib", "c:\\d\\e.bib", "__MACOSX/f.bib", ".hidden.bib", "folder/g.html")
    received.add("a.zip", archive(*((name, BIB) for name in names[:-1]), (names[-1], b"<html>")))
    assert [path.name for path in received.paths] == ["evil.bib", "b.bib", "e.bib"]
    assert all(path.is_relative_to(received.folder) and path.is_file() for path in received.paths)
    assert len(received.problems) == 1
    assert received.problems[0].startswith("g.html: not a kind of file")


def test_a_bomb_is_not_unpacked(received: ReceivedFiles, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "UNPACKED_BYTES", 1_000_000)
    received.add("bomb.zip", archive(("a.bib", BIB + b" " * 5_000_000), ("b.bib", BIB)))
    assert received.paths == []
    assert sum(file.stat().st_size for file in received.folder.rglob("*") if file.is_file()) == 0
    assert "bomb.zip: there are more than 1,000,000 bytes in it" in received.problems[0]


def test_an_archive_in_an_archive_stays_packed(received: ReceivedFiles) -> None:
    received.add("a.zip", archive(("b.zip", archive(("c.bib", BIB)).getvalue())))
    assert received.paths == []
    assert received.problems[0].startswith("b.zip: not a kind")


@pytest.mark.parametrize(
    "content", [b"PK\x03\x04", b"PK\x03\x04" + b"\0" * 500, archive(("a.bib", BIB)).getvalue()[:-30]]
)
def test_a_damaged_archive_is_one_line(received: ReceivedFiles, content: bytes) -> None:
    received.add("a.zip", io.BytesIO(content))
    assert received.problems == ["a.zip: the archive is damaged"]


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_only_what_is_stored_or_deflated_is_unpacked(received: ReceivedFiles, method: int) -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as file:
        file.writestr("a.bib", BIB + b" " * 50_000_000)
    stream.seek(0)
    received.add("a.zip", stream)
    assert received.problems == ["a.zip: it is packed in a way that is not read: use an ordinary zip (deflate)"]


def test_an_archive_of_very_many_entries_is_refused_by_its_end_record(received: ReceivedFiles) -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as file:
        for number in range(limits.ARCHIVE_MEMBERS + 1):
            file.writestr(f"{number}/", b"")
    stream.seek(0)
    received.add("a.zip", stream)
    assert received.problems == ["a.zip: there are more than 1,000 files in it"]


def test_a_second_end_record_is_not_followed(received: ReceivedFiles) -> None:
    received.add("a.zip", io.BytesIO(CORPUS["zip: many told twice.zip"]()))
    assert received.problems == [
        "a.zip: it is packed for very many or large files (Zip64): use an ordinary zip",
    ]


def test_only_so_many_files_are_taken(received: ReceivedFiles, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "UPLOAD_FILES", 2)
    for number in range(3):
        received.add(f"{number}.bib", io.BytesIO(BIB))
    assert len(received.paths) == 2
    assert received.problems == ["2.bib: left out, more than 2 files"]


def test_pasted_text_is_a_bibliography_or_identifiers(received: ReceivedFiles) -> None:
    received.add("pasted", io.BytesIO(BIB))
    received.add("pasted", io.BytesIO(b"doi: 10.1000/ABC and more"))
    assert [path.name for path in received.paths] == ["pasted.bib"]
    assert [str(identifier) for identifier in received.identifiers] == ["doi:10.1000/abc"]
    assert len(received.problems) == 2
