"""Search by meaning: what is found, what is not, and how the index keeps up with the folder."""

import json
import os
from pathlib import Path

import numpy as np
import pytest
from django.core.management import call_command
from hypothesis import HealthCheck, given
from hypothesis import settings as examples
from hypothesis import strategies as st
from pytest_django import Settings

from specs import core, tools
from specs.errors import IndexNotBuilt
from specs.reading.projects import projects
from specs.search import index_file
from tests.specs.folders import LAMP, MAIN, write

CHINESE = "## Purpose\n管理导出。\n## Requirements\n### Requirement: 导出文献\n系统 SHALL 导出全部文献条目。\n"
CHINESE += "#### Scenario: 空列表\n- **WHEN** 没有条目\n- **THEN** 返回空文件\n"


@pytest.fixture
def index(openspec: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    write(openspec, {"specs/export/spec.md": CHINESE})
    call_command("build_spec_index")
    return openspec


def found(query: str) -> list[str]:
    return [hit.requirement for hit in tools.search_specs(query).results]


@pytest.mark.parametrize(
    ("query", "requirement"),
    [
        ("wake me at seven", "Rings on time"),
        ("stays mute for a while after a tap", "Snooze"),
        ("bulb fades out when there is no movement", "Dims slowly"),
        ("导出文献", "导出文献"),
        ("怎样把条目导成文件", "导出文献"),
        ("snooze", "Snooze"),
    ],
)
def test_a_paraphrase_finds_its_requirement(index: Path, query: str, requirement: str) -> None:
    assert found(query)[0] == requirement


def test_scores_descend_from_one_to_zero_and_each_hit_shows_a_passage(index: Path) -> None:
    results = tools.search_specs("silent for nine minutes when tapped").results
    scores = [hit.score for hit in results]
    assert scores == sorted(scores, reverse=True)
    assert 0 < scores[0] <= 1
    assert "silent for nine minutes" in results[0].snippet


@pytest.mark.parametrize("query", ["glaciers carve valleys", "volcano", "!!! ???", "the of and", "鲸鱼迁徙"])
def test_what_the_specs_do_not_speak_of_finds_nothing(index: Path, query: str) -> None:
    assert found(query) == []


def test_the_limit_holds(index: Path) -> None:
    assert len(tools.search_specs("clock rings lamp light", limit=2).results) == 2


def test_an_edited_spec_is_said_to_be_newer_than_the_index(index: Path) -> None:
    assert tools.search_specs("snooze").notice is None
    write(index, {"specs/alarm-clock/spec.md": MAIN.replace("nine", "ten")})
    answer = tools.search_specs("snooze")
    assert answer.results
    assert answer.notice is not None
    assert "build_spec_index" in answer.notice


def test_a_requirement_that_is_gone_is_not_returned(index: Path) -> None:
    (index / "specs/bedroom/night-light/spec.md").unlink()
    assert "Dims slowly" not in found("lamp dims after movement")


def test_only_what_changed_is_indexed_again(index: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(index, {"specs/kettle/spec.md": LAMP.replace("Dims slowly", "Boils quickly")})
    capsys.readouterr()
    call_command("build_spec_index")
    assert capsys.readouterr().out == "openspec: 5 requirements of 4 specs indexed, 4 of them unchanged, 0 removed.\n"
    call_command("build_spec_index", fresh=True)
    assert "0 of them unchanged" in capsys.readouterr().out


def test_a_renewed_index_answers_as_a_fresh_one(index: Path) -> None:
    write(index, {"specs/kettle/spec.md": LAMP.replace("Dims slowly", "Boils quickly")})
    call_command("build_spec_index")
    renewed = tools.search_specs("movement in the room")
    call_command("build_spec_index", fresh=True)
    assert tools.search_specs("movement in the room") == renewed


def test_a_damaged_index_counts_as_not_built(index: Path) -> None:
    path = index_file.index_path(projects()[0])
    for data in (b"", b"PK\x03\x04nonsense", path.read_bytes()[:-100]):
        path.write_bytes(data)
        with pytest.raises(IndexNotBuilt):
            tools.search_specs("snooze")


def test_an_index_of_another_version_is_said_so_and_built_anew(index: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = index_file.index_path(projects()[0])
    with np.load(path) as arrays:
        content = {name: arrays[name] for name in arrays.files}
    meta = json.loads(content["meta"].tobytes()) | {"version": 1}
    np.savez(path, **content | {"meta": np.frombuffer(json.dumps(meta).encode(), dtype=np.uint8)})
    with pytest.raises(IndexNotBuilt, match=r"another version.*manage\.py build_spec_index"):
        tools.search_specs("snooze")
    capsys.readouterr()
    call_command("build_spec_index")
    assert "0 of them unchanged" in capsys.readouterr().out
    assert found("snooze") == ["Snooze"]


def test_an_index_that_cannot_be_written_leaves_the_old_one(index: Path, settings: Settings) -> None:
    folder = index_file.index_path(projects()[0]).parent
    assert [path.name for path in folder.iterdir()] == ["openspec.npz"]
    assert not os.access(folder / "openspec.npz", os.X_OK)


def test_several_projects_are_searched_together_or_one_alone(index: Path, settings: Settings) -> None:
    other = write(index.parent / "other", {"kettle/spec.md": LAMP})
    settings.SPECS = f"home={index},kitchen={other}"
    call_command("build_spec_index", project="home")
    answer = tools.search_specs("lamp dims")
    assert {hit.spec_id for hit in answer.results} == {"home:bedroom/night-light"}
    assert answer.notice is not None
    assert "kitchen" in answer.notice
    call_command("build_spec_index", project="kitchen")
    assert [hit.spec_id for hit in tools.search_specs("lamp dims", project="kitchen").results] == ["kitchen:kettle"]
    assert len(tools.search_specs("lamp dims").results) == 2


def test_an_empty_folder_has_an_empty_index(tmp_path: Path, settings: Settings) -> None:
    settings.SPECS, settings.DATA = str(tmp_path / "none"), tmp_path / "data"
    call_command("build_spec_index")
    assert core.search("anything", 10).hits == []


@examples(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(query=st.text(min_size=1, max_size=80), limit=st.integers(1, 50))
def test_no_query_fails_or_returns_more_than_asked(index: Path, query: str, limit: int) -> None:
    assert len(tools.search_specs(query, limit).results) <= limit
