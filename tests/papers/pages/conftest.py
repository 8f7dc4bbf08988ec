"""A library with an index, of papers that are hard to tell apart."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import connections
from pytest_django import Settings

from ingest.entries.report import NoProgress
from papercore.snapshot.assets import FolderStore
from papers.library import index_build
from papers.snapshot import served
from tests import snapshot as sample
from tests.snapshot import SamplePaper


@pytest.fixture
def alike(tmp_path: Path, settings: Settings) -> Iterator[None]:
    """Papers whose titles share words."""
    papers = [SamplePaper(f"p{n}", f"Attention in long sentences, part {n}", [f"Anon Ymous{n}"]) for n in range(5)]
    index_build.build(sample.build(tmp_path, papers), FolderStore(str(tmp_path / "static")), NoProgress())
    settings.SNAPSHOT, settings.ASSETS = tmp_path / "paper_snapshot.db", str(tmp_path / "static")
    served.renew()
    yield
    connections["snapshot"].close()
