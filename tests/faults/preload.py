"""Small libraries in C that are loaded before a server's own, to change what the system tells it."""

import shutil
import subprocess
from pathlib import Path

import pytest


def preloaded(name: str, folder: Path, **environment: str) -> tuple[str, ...]:
    """The command that starts a server with the library `name`; skips the test where it cannot be compiled."""
    compiler = shutil.which("gcc")
    if compiler is None:
        pytest.skip("gcc is not installed")
    source, library = Path(__file__).with_name(f"{name}.c"), folder / f"{name}.so"
    subprocess.run([compiler, "-shared", "-fPIC", "-o", str(library), str(source), "-ldl"], check=True)
    return ("env", f"LD_PRELOAD={library}", *(f"{key}={value}" for key, value in environment.items()))
