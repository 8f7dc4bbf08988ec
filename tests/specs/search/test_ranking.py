"""Search by meaning: what is found, in which order, and what is not."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as examples
from hypothesis import strategies as st

from papercore.retrieval import CONFIDENCE, verdict_at
from papercore.tool import is_visible
from specs import tools


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
def test_a_paraphrase_finds_its_requirement(indexed: Path, query: str, requirement: str) -> None:
    assert found(query)[0] == requirement


def test_scores_descend_between_one_and_zero_and_each_hit_has_a_snippet(indexed: Path) -> None:
    results = tools.search_specs("silent for nine minutes when tapped").results
    scores = [hit.score for hit in results]
    assert scores == sorted(scores, reverse=True)
    assert 0 < scores[0] <= 1
    assert "silent for nine minutes" in results[0].snippet


@pytest.mark.parametrize("query", ["glaciers carve valleys", "volcano", "!!! ???", "the of and", "鲸鱼迁徙"])
def test_an_off_topic_query_finds_nothing(indexed: Path, query: str) -> None:
    assert found(query) == []


def test_a_list_that_may_not_answer_the_query_is_said_so(indexed: Path) -> None:
    """One judge for papers and specs: a hit's score is how likely the query is answered."""
    for query, confidence in (("snooze", "high"), ("stays mute for a while after a tap", "low"), ("volcano", "none")):
        answer = tools.search_specs(query)
        assert answer.confidence == confidence
        assert CONFIDENCE[verdict_at(answer.results[0].score) if answer.results else "nothing"] == confidence


def test_the_limit_holds(indexed: Path) -> None:
    assert len(tools.search_specs("clock rings lamp light", limit=2).results) == 2


def test_a_requirement_that_is_gone_is_not_returned(indexed: Path) -> None:
    (indexed / "specs/bedroom/night-light/spec.md").unlink()
    assert "Dims slowly" not in found("lamp dims after movement")


@examples(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(query=st.text(min_size=1, max_size=80).filter(is_visible), limit=st.integers(1, 50))
def test_no_query_fails_or_returns_more_than_asked(indexed: Path, query: str, limit: int) -> None:
    assert len(tools.search_specs(query, limit).results) <= limit
