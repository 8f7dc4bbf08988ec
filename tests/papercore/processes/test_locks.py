"""A lock on a file or a folder is held by one opener at a time, on every platform."""

from pathlib import Path

import pytest

from tests.platforms import WITHOUT_POSIX, run_script

SCRIPT = """
import os, sys
from pathlib import Path
from papercore.processes.locks import open_to_lock, try_lock

for opened in (lambda: os.open(sys.argv[1] + "/file", os.O_RDWR | os.O_CREAT), lambda: open_to_lock(Path(sys.argv[1]))):
    first, second = opened(), opened()
    print(try_lock(first), try_lock(second), end=" ")
    os.close(first)
    print(try_lock(second))
"""


@pytest.mark.parametrize("platform", [None, WITHOUT_POSIX])
def test_the_second_waits_until_the_first_has_closed_the_file(tmp_path: Path, platform: Path | None) -> None:
    result = run_script(SCRIPT, str(tmp_path), platform=platform)
    assert result.stdout.splitlines() == ["True False True"] * 2, result.stderr
