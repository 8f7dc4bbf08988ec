"""Platforms that processes of tests see instead of the one they run on."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
# As PYTHONPATH of a process, and so of its children: what Windows lacks is missing, what it refuses is refused.
WITHOUT_POSIX = Path(__file__).parent / "without_posix"


def run_script(script: str, *arguments: str, platform: Path | None) -> subprocess.CompletedProcess[str]:
    """Run a program with our packages on a platform; None: the one that there is."""
    path = [str(platform), str(ROOT)] if platform else [str(ROOT)]
    return subprocess.run(
        [sys.executable, "-c", script, *arguments],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(path)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
