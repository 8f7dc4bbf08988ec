"""The configuration of gunicorn, read as gunicorn reads it."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]


def test_it_leaves_loading_numpy_to_the_site_whose_environment_limits_its_threads(tmp_path: Path) -> None:
    read = "import runpy, sys; runpy.run_path('gunicorn.conf.py'); print('numpy' in sys.modules)"
    environment = {**os.environ, "PROMETHEUS_MULTIPROC_DIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", read], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout == "False\n"
