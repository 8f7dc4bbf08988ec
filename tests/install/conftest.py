"""The wheels, built once, and installed into an environment that sees the packages of this one but not the checkout."""

import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

from tests.server import ROOT


def built(folder: Path, project: Path) -> Path:
    command = [sys.executable, "-m", "build", "--no-isolation", "--wheel", "--outdir", str(folder), str(project)]
    result = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert result.returncode == 0, result.stderr
    (path,) = folder.glob("*.whl")
    return path


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site's."""
    return built(tmp_path_factory.mktemp("site"), ROOT)


@pytest.fixture(scope="session")
def library_wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """That of paper_search and papercore."""
    return built(tmp_path_factory.mktemp("library"), ROOT / "deploy" / "paper-search")


def environment_with(home: Path, *wheels: Path) -> Path:
    """An environment with these wheels alone: its folder of packages."""
    venv.create(home, with_pip=False)
    install = [sys.executable, "-m", "uv", "pip", "install", "--offline", "--no-deps", "--quiet", "--python", str(home)]
    subprocess.run([*install, *map(str, wheels)], timeout=120, check=True)
    return Path(sysconfig.get_path("purelib", vars={"base": str(home), "platbase": str(home)}))


@pytest.fixture(scope="session")
def installed(wheel: Path, library_wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the installed commands."""
    home = tmp_path_factory.mktemp("venv")
    packages = environment_with(home, wheel, library_wheel)
    (packages / "of_the_tests.pth").write_text(sysconfig.get_path("purelib"))
    return home / "bin"
