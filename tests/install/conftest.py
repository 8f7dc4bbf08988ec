"""The wheel, built once, and installed into an environment that sees the packages of this one but not the checkout."""

import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

from tests.server import ROOT


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--no-isolation", "--wheel", "--outdir", str(folder), str(ROOT)]
    result = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert result.returncode == 0, result.stderr
    (path,) = folder.glob("*.whl")
    return path


@pytest.fixture(scope="session")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the installed commands."""
    home = tmp_path_factory.mktemp("venv")
    venv.create(home, with_pip=False)
    install = [sys.executable, "-m", "uv", "pip", "install", "--offline", "--no-deps", "--quiet", "--python", str(home)]
    subprocess.run([*install, str(wheel)], timeout=120, check=True)
    packages = sysconfig.get_path("purelib", vars={"base": str(home), "platbase": str(home)})
    Path(packages, "of_the_tests.pth").write_text(sysconfig.get_path("purelib"))
    return home / "bin"
