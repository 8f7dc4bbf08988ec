"""What a list of papers shows of their texts: sentences in the question's language."""

from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest
from django.db import connections
from django.test import Client
from pytest_django import Settings

from ingest.entries.report import NoProgress
from papercore.snapshot.assets import FolderStore
from papers.library import index_build
from papers.snapshot import served
from tests import snapshot as sample
from tests.snapshot import SamplePaper

SOURCE = """# On ozone

| ozone | layer | ozone layer |
|-------|-------|-------------|
| thin  | ozone | layer       |

The ozone layer grows thin over the pole in spring.
"""
GERMAN = "# Ozon\n\nDie Ozonschicht (ozone layer) wird im Frühling dünn.\n"
CHINESE = "# 臭氧\n\n春天极地上空的臭氧层 (ozone layer) 变薄。\n"


@pytest.fixture(autouse=True)
def ozone(tmp_path_factory: pytest.TempPathFactory, settings: Settings) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("ozone")
    papers = [
        SamplePaper("ozone", "On gases", ["Ada Ames"], source=SOURCE, translations={"de": GERMAN, "zh": CHINESE}),
        SamplePaper(
            "table", "On ice", ["Bo Berg"], source="# Ice\n\n| glacier | melts |\n|---|---|\n| yes | glacier |\n"
        ),
    ]
    index_build.build(sample.build(folder, papers), FolderStore(str(folder / "static")), NoProgress())
    settings.SNAPSHOT, settings.ASSETS = folder / "paper_snapshot.db", str(folder / "static")
    served.renew()
    yield folder
    connections["snapshot"].close()


def found(query: str) -> str:
    page = unescape(Client().get("/papers/", {"q": query}).content.decode())
    _, _, hits = page.partition('class="hits"')
    return hits.partition("</ol>")[0].replace("<mark>", "").replace("</mark>", "")


def test_an_english_question_is_answered_by_english_sentences_not_by_a_table() -> None:
    shown = found("ozone layer")
    assert "The ozone layer grows thin over the pole in spring." in shown
    assert "thin · ozone" not in shown
    assert "Frühling" not in shown
    assert "臭氧" not in shown


def test_a_question_in_the_language_of_a_translation_is_answered_by_it() -> None:
    assert "Frühling" in found("Ozonschicht Frühling")
    shown = found("臭氧层")
    assert "春天极地上空的臭氧层" in shown
    assert "grows thin" not in shown
