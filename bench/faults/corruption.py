"""Random changes in all files of the demo library (index, spec index, snapshot): what clients saw, as counts.

python -m bench.faults.corruption [CHANGES]
"""

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from bench.data.demo_server import demo_server
from tests.server import ROOT, environment

CHANGES, SEED = 1_000, 6


def random_changes(data: Path, changes: int = CHANGES) -> str:
    """Damage a copy of the library in the folder, one change at a time."""
    with tempfile.TemporaryDirectory() as folder:
        copy = shutil.copytree(data, Path(folder) / "data")
        command = [sys.executable, "-m", "tests.faults.corruption", str(changes), str(SEED)]
        done = subprocess.run(
            command, cwd=ROOT, env=environment(copy), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True
        )
    found = json.loads(done.stdout)
    cut_in_use = [change for change in found["worker_ends"] if " cut at " in change and "in use" in change]
    for name in ("internal_errors", "wrong_while_ok", "ends_again"):
        for change in found[name]:
            print(f"{name}: {change}")
    return (
        f"{len(found['internal_errors'])} internal errors, {len(found['wrong_while_ok'])} wrong answers while /readyz "
        f"was ok; {found['noticed']} of {found['changes']} noticed; {len(found['worker_ends'])} ended a worker, "
        f"{len(cut_in_use)} of them by cutting a file in use, {len(found['ends_again'])} twice"
    )


def main() -> None:
    changes = int(sys.argv[1]) if len(sys.argv) > 1 else CHANGES
    with demo_server() as server:
        print(random_changes(server.data, changes))


if __name__ == "__main__":
    main()
