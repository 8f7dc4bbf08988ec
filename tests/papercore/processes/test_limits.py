"""A process that takes too long is ended, even inside native code, on every platform."""

from pathlib import Path

import pytest

from tests.platforms import WITHOUT_POSIX, run_script

SCRIPT = """
import re
from papercore.processes.limits import limit_memory, time_limit

limit_memory(4_000_000_000)
with time_limit(20):
    print("short work is not disturbed", flush=True)
with time_limit(0.2):
    re.match(r"(a+)+$", "a" * 60 + "b")
print("never reached")
"""


@pytest.mark.parametrize("platform", [None, WITHOUT_POSIX])
def test_a_process_ends_when_its_time_is_over(platform: Path | None) -> None:
    result = run_script(SCRIPT, platform=platform)
    assert (result.returncode != 0, result.stdout) == (True, "short work is not disturbed\n"), result.stderr
