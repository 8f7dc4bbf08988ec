"""One index over the small collection, shared by the tests that only read it."""

from pathlib import Path

import pytest

from papercore.retrieval import Index
from tests.papercore.retrieval.collection import build


@pytest.fixture(scope="package")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    folder: Path = tmp_path_factory.mktemp("retrieval")
    return build(folder / "index")
