"""A paper's files are found by name, key or title; files of no paper are reported."""

from pathlib import Path

import pytest

from ingest import BuildError, BuildFolders
from tests.ingest.library import LSTM, build, write_lines

PAPER = {**LSTM, "bibkey": "hochreiter1997", "arxiv_id": "9701.00001", "source_path": "C:\\papers\\lstm-scan.pdf"}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("lstm-scan.md", "x"),
        ("Hochreiter1997.md", "x"),
        ("9701.00001.md", "x"),
        ("10.1162_neco.1997.9.8.1735.md", "x"),
        ("Long Short-Term Memory.md", "x"),
        ("deep/er/scan0001.md", "\n# Long short-term  MEMORY\n\nText."),
    ],
)
def test_a_source_is_found_by_name_key_or_title(tmp_path: Path, name: str, text: str) -> None:
    path = tmp_path / "md" / name
    path.parent.mkdir(parents=True)
    path.write_text(text)
    built = build(
        tmp_path / "out", write_lines(tmp_path / "a.jsonl", PAPER), folders=BuildFolders(markdown=tmp_path / "md")
    )
    assert built.column("SELECT source_md_content_hash IS NOT NULL FROM paper") == [1]
    assert built.report.notes == 0


def test_a_file_that_belongs_to_no_paper_is_reported_but_is_no_failure(tmp_path: Path) -> None:
    (tmp_path / "md").mkdir()
    (tmp_path / "md" / "other.md").write_text("# Other\n")
    (tmp_path / "md" / "other.zh-TW.md").write_text("# Other\n")
    folders = BuildFolders(markdown=tmp_path / "md", translations=tmp_path / "md")
    built = build(tmp_path / "out", write_lines(tmp_path / "a.jsonl", LSTM), folders=folders)
    assert built.report.skipped == 0
    assert {Path(problem.place).name for problem in built.report.problems} == {"other.md", "other.zh-TW.md"}


def test_translations_are_found_by_the_name_of_the_source(tmp_path: Path) -> None:
    (tmp_path / "md").mkdir()
    (tmp_path / "tr").mkdir()
    (tmp_path / "md" / "scan.md").write_text("# Long Short-Term Memory\n\n![f](f.png)\n")
    (tmp_path / "md" / "f.png").write_bytes(b"\x89PNG")
    for lang in ("zh-TW", "DE"):
        (tmp_path / "tr" / f"scan.{lang}.md").write_text(f"{lang} ![f](f.png)\n")
    folders = BuildFolders(tmp_path / "md", tmp_path / "tr")
    built = build(tmp_path / "out", write_lines(tmp_path / "a.jsonl", LSTM), folders=folders)
    assert built.column("SELECT lang FROM paper_translation ORDER BY lang") == ["de", "zh-tw"]
    assert built.report.problems == []


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("lstm-scan.zh.md", "x"),
        ("Hochreiter1997.zh.md", "x"),
        ("9701.00001.zh.md", "x"),
        ("10.1162_neco.1997.9.8.1735.zh.md", "x"),
        ("Long Short-Term Memory.zh.md", "x"),
        ("scan0001.zh.md", "# Long short-term  MEMORY\n\nText."),
    ],
)
def test_a_translation_is_found_by_every_name_that_a_source_is_found_by(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / "tr").mkdir()
    (tmp_path / "tr" / name).write_text(text)
    (tmp_path / "tr" / "hochreiter1997.de.md").write_text("another name, another language")
    folders = BuildFolders(translations=tmp_path / "tr")
    built = build(tmp_path / "out", write_lines(tmp_path / "a.jsonl", PAPER), folders=folders)
    assert built.column("SELECT lang FROM paper_translation ORDER BY lang") == ["de", "zh"]
    assert built.report.problems == []


def test_links_in_the_folders_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "md").mkdir()
    (tmp_path / "secret.md").write_text("secret")
    (tmp_path / "md" / "hochreiter1997.md").symlink_to(tmp_path / "secret.md")
    built = build(tmp_path / "out", write_lines(tmp_path / "a.jsonl", PAPER), folders=BuildFolders(tmp_path / "md"))
    assert built.column("SELECT source_md_content_hash FROM paper") == [None]


def test_a_folder_that_is_a_file_is_refused(tmp_path: Path) -> None:
    lines = write_lines(tmp_path / "a.jsonl", LSTM)
    with pytest.raises(BuildError, match="is not a folder"):
        build(tmp_path / "out", lines, folders=BuildFolders(markdown=lines))
    assert not (tmp_path / "out").exists()
