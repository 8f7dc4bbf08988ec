"""The health of the snapshot, its index and its assets."""

from dataclasses import replace
from pathlib import Path

import pytest
from pytest_django import Settings

import papers.health
from papercore.health import CachedProbe
from papers.snapshot import served
from tests import snapshot as sample
from tests.snapshot import PAPERS


def test_a_remote_store_and_a_library_without_summaries_are_looked_at(
    own_library: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(papers.health, "_remote", CachedProbe(papers.health.sample, 60))
    settings.ASSETS = "http://127.0.0.1:9"  # nobody listens there
    assert papers.health.assets_part().state == "degraded"
    sample.build(own_library.parent, [replace(PAPERS[0], summaries={})])
    served.renew()
    assert papers.health.sample().state == "ok"
