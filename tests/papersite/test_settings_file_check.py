"""A papersite.toml that other accounts can write, or read with secrets in it, is warned about."""

from pathlib import Path

import pytest

from papersite.apps import check_settings_file


@pytest.mark.parametrize(
    ("text", "mode", "warned"),
    [
        ("specs = 'x'", 0o644, False),
        ("specs = 'x'", 0o666, True),
        ("secret_key = 'x'", 0o600, False),
        ("secret_key = 'x'", 0o644, True),
        ("secret_key = 'x'", 0o666, True),
    ],
)
def test_who_else_can_read_or_write_it(
    text: str, mode: int, warned: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "papersite.toml"
    file.write_text(text)
    file.chmod(mode)
    monkeypatch.setenv("PAPERSITE_CONFIG", str(file))
    assert [message.id for message in check_settings_file()] == (["papersite.W004"] if warned else [])
