"""Images are found beside the texts that show them."""

from pathlib import Path

import pytest

from ingest.publishing.images import ImageFolders
from papercore import limits

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
