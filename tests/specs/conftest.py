"""A served folder of specs, and data kept away from the real one."""

from pathlib import Path

import pytest
from pytest_django import Settings

from tests.specs.folders import write_openspec


@pytest.fixture
def openspec(tmp_path: Path, settings: Settings) -> Path:
    """The folder that is served as the only project, without an index."""
    settings.SPECS = str(write_openspec(tmp_path / "openspec"))
    settings.DATA = tmp_path / "data"
    return tmp_path / "openspec"
