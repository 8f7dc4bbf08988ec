"""Files are opened without following links, and locked by one opener at a time, on every platform."""

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

LOCK_SCRIPT = """
import os, sys
from pathlib import Path
from papercore.processes.files import open_to_lock, try_lock

for opened in (lambda: os.open(sys.argv[1] + "/file", os.O_RDWR | os.O_CREAT), lambda: open_to_lock(Path(sys.argv[1]))):
    first, second = opened(), opened()
    print(try_lock(first), try_lock(second), end=" ")
    os.close(first)
    print(try_lock(second))
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


@pytest.mark.parametrize("platform", [None, WITHOUT_POSIX])
def test_the_second_waits_until_the_first_has_closed_the_file(tmp_path: Path, platform: Path | None) -> None:
    result = run_script(LOCK_SCRIPT, str(tmp_path), platform=platform)
    assert result.stdout.splitlines() == ["True False True"] * 2, result.stderr
