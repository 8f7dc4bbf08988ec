"""Building and checking snapshots needs no web framework."""

import subprocess
import sys


def test_building_and_checking_import_no_web_framework() -> None:
    code = "import ingest, ingest.checking, sys; sys.exit(bool({'django', 'ninja'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
