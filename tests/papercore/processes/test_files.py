"""Files are opened without following links, on platforms that can refuse links while opening and on others."""

import json
import os
from pathlib import Path

import pytest

from tests.platforms import WITHOUT_POSIX, run_script

SCRIPT = """
import json, os, sys
from pathlib import Path
from papercore.processes.files import NotRegular, open_below, open_regular, sync

def content(opened, *arguments):
    try:
        with os.fdopen(opened(*arguments), "rb") as file:
            return file.read().decode()
    except NotRegular:
        return "not regular"
    except OSError as error:
        return os.strerror(error.errno)

root = Path(sys.argv[1])
sync(root / "file.md")
sync(root)
print(json.dumps({
    **{name: content(open_regular, root / name) for name in ("file.md", "link.md", "pipe", "folder", "nothing")},
    "folder/deep.md": content(open_below, str(root), ["folder", "deep.md"]),
    "linked/deep.md": content(open_below, str(root), ["linked", "deep.md"]),
    "folder/link.md": content(open_below, str(root), ["folder", "link.md"]),
}))
"""


@pytest.mark.parametrize("platform", [None, WITHOUT_POSIX])
def test_files_alone_are_opened_and_no_link_is_followed(tmp_path: Path, platform: Path | None) -> None:
    root, outside = tmp_path / "root", tmp_path / "outside"
    (root / "folder").mkdir(parents=True)
    outside.mkdir()
    for path in (root / "file.md", root / "folder" / "deep.md", outside / "deep.md"):
        path.write_text("two\r\nlines")
    (root / "link.md").symlink_to(outside / "deep.md")
    (root / "folder" / "link.md").symlink_to(outside / "deep.md")
    (root / "linked").symlink_to(outside)
    os.mkfifo(root / "pipe")
    result = run_script(SCRIPT, str(root), platform=platform)
    assert result.returncode == 0, result.stderr
    found = json.loads(result.stdout)
    refused = {"Too many levels of symbolic links", "Not a directory"}
    assert {found.pop(name) for name in ("link.md", "folder/link.md", "linked/deep.md")} <= refused
    assert found == {
        "file.md": "two\r\nlines",
        "folder/deep.md": "two\r\nlines",
        "pipe": "not regular",
        "folder": "not regular",
        "nothing": "No such file or directory",
    }
