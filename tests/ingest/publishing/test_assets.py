"""Files of papers in the asset folder: each content once, and none that a server would not read."""

from pathlib import Path

import pytest

from ingest import BuildFolders
from ingest.publishing.assets import ImageFolders
from papercore import limits
from tests.ingest.library import build, write_summaries


def test_two_papers_may_share_a_pdf(tmp_path: Path) -> None:
    (tmp_path / "pdf").mkdir()
    for name in ("first", "second"):
        (tmp_path / "pdf" / f"{name}.pdf").write_bytes(b"%PDF-1.4 the same")
    papers = [{"title": name, "source_path": f"{name}.md"} for name in ("first", "second")]
    folders = BuildFolders(pdf=tmp_path / "pdf")
    built = build(tmp_path / "out", write_summaries(tmp_path / "a.json", *papers), folders=folders)
    (pdf,) = (built.out / "static" / "pdf").iterdir()
    assert built.column("SELECT pdf_content_hash FROM paper") == [pdf.stem] * 2


def test_a_text_that_no_server_would_read_is_skipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "ASSET_BYTES", 100)
    (tmp_path / "md").mkdir()
    for name, text in (("fits", "x" * 100), ("large", "x" * 101)):
        (tmp_path / "md" / f"{name}.md").write_text(text)
    papers = [{"title": name, "source_path": f"{name}.md"} for name in ("fits", "large")]
    folders = BuildFolders(markdown=tmp_path / "md")
    built = build(tmp_path / "out", write_summaries(tmp_path / "a.json", *papers), folders=folders)
    assert list(map(str, built.report.problems)) == [f"{tmp_path / 'md' / 'large.md'}: larger than 100 bytes"]
    sources = built.rows("SELECT title, source_md_content_hash IS NOT NULL FROM paper ORDER BY title")
    assert sources == [("fits", 1), ("large", 0)]


PNG = b"\x89PNG"


def test_an_image_is_a_file_with_an_images_ending(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("no image")
    (tmp_path / "a.png").write_bytes(PNG)
    folders = ImageFolders([tmp_path], [tmp_path])
    assert folders.find("a.png") == tmp_path / "a.png"
    assert [folders.find(name) for name in ("notes.txt", "a%00.png", "b.png")] == [None] * 3


def test_an_image_that_no_server_would_read_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.png").write_bytes(PNG)
    monkeypatch.setattr(limits, "ASSET_BYTES", len(PNG) - 1)
    assert ImageFolders([tmp_path], [tmp_path]).find("a.png") is None
