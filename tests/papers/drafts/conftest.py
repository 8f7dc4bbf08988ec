"""The demo's papers, served to a module: a test's own connection stays with the file that it began with."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connections

from papers.snapshot import served
from tests.papers.drafts import build_demo_library


@pytest.fixture(scope="session")
def demo_papers(library: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_demo_library(tmp_path_factory.mktemp("demo-papers"))


@pytest.fixture(scope="module")
def demo_served(demo_papers: Path) -> Iterator[None]:
    before = settings.SNAPSHOT, settings.ASSETS
    settings.SNAPSHOT, settings.ASSETS = demo_papers, str(demo_papers.parent / "static")
    connections["snapshot"].close()
    served.renew()
    yield
    settings.SNAPSHOT, settings.ASSETS = before
    connections["snapshot"].close()
    served.renew()
