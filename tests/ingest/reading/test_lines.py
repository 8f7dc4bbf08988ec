"""Lines of inputs: numbered, decoded, bounded."""

import json
from pathlib import Path

import pytest

from ingest import BuildError
from ingest.reading import lines
from tests.ingest.library import build


def test_a_line_that_is_too_long_is_skipped_as_a_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "LINE_BYTES", 100)
    path = tmp_path / "a.jsonl"
    path.write_text('{"title": "Short"}\n' + "x" * 350 + '\n{"title": "After"}\n')
    read = list(lines.read_lines(path))
    assert [line.problem for line in read] == ["", "longer than 100 bytes", ""]
    assert [line.number for line in read] == [1, 2, 3]
    assert read[2].text == '{"title": "After"}'


TITLE = "Œuvre d’Ærø – naïve"
BIB = f"@article{{k,\n  title = {{{TITLE}}}\n}}\n"
RIS = f"TY  - JOUR\r\nTI  - {TITLE}\r\nER  - \r\n"
CSL = json.dumps([{"type": "book", "title": TITLE}], ensure_ascii=False)
LINES = json.dumps({"title": TITLE}, ensure_ascii=False) + "\n"


@pytest.mark.parametrize(
    ("encoding", "name"),
    [("cp1252", "Windows-1252"), ("utf-16", "UTF-16"), ("utf-16-le", "UTF-16"), ("utf-16-be", "UTF-16")],
)
@pytest.mark.parametrize(("file", "text"), [("a.bib", BIB), ("a.ris", RIS), ("a.json", CSL), ("a.jsonl", LINES)])
def test_another_encoding_is_recognised_and_said_once(
    tmp_path: Path, file: str, text: str, encoding: str, name: str
) -> None:
    (tmp_path / file).write_bytes(text.encode(encoding))
    built = build(tmp_path / "out", tmp_path / file)
    assert built.column("SELECT title FROM paper") == [TITLE]
    assert [str(problem) for problem in built.report.problems] == [f"{tmp_path / file}:1: read as {name}"]
    assert built.report.skipped == 0


def test_latin_1_is_read_and_said_once_for_the_file(tmp_path: Path) -> None:
    entries = "".join(f"@misc{{k{number}, title = {{Schön {number}}}}}\n" for number in range(3))
    (tmp_path / "a.bib").write_bytes(entries.encode("latin-1"))
    built = build(tmp_path / "out", tmp_path / "a.bib")
    assert built.column("SELECT title FROM paper") == ["Schön 0", "Schön 1", "Schön 2"]
    assert built.report.notes == 1


def test_a_file_put_together_from_two_encodings_is_read(tmp_path: Path) -> None:
    (tmp_path / "a.bib").write_bytes(
        "@misc{a, title={Größe}}\n".encode() + "@misc{b, title={Größer}}\n".encode("cp1252")
    )
    assert build(tmp_path / "out", tmp_path / "a.bib").column("SELECT title FROM paper") == ["Größe", "Größer"]


@pytest.mark.parametrize("encoding", ["gb18030", "koi8-r", "shift-jis"])
def test_an_encoding_that_is_not_known_is_an_error_of_the_entry(tmp_path: Path, encoding: str) -> None:
    title = "Методы обучения" if encoding == "koi8-r" else "深度学習方法、一"
    content = b"@misc{good, title={Good}}\n" + f"@misc{{bad, title={{{title}}}}}\n".encode(encoding)
    (tmp_path / "a.bib").write_bytes(content)
    built = build(tmp_path / "out", tmp_path / "a.bib")
    assert built.column("SELECT title FROM paper") == ["Good"]
    assert [str(problem) for problem in built.report.problems] == [
        f"{tmp_path / 'a.bib'}:2: bad: neither UTF-8, UTF-16 nor Windows-1252: save the file as UTF-8"
    ]


def test_utf_16_that_is_cut_short_is_an_error_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "a.ris").write_bytes(RIS.encode("utf-16")[:-1])
    with pytest.raises(BuildError, match="broken UTF-16"):
        build(tmp_path / "out", tmp_path / "a.ris")
