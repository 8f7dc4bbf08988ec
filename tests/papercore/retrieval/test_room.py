"""Papers that only their meaning speaks for are looked for where words leave room for them."""

import random
from collections.abc import Iterator

import numpy as np
import pytest

from papercore.retrieval import Filters, Index, Request, Results
from papercore.retrieval.ranking.head import FIRST_HITS
from papercore.retrieval.vectors.meaning import share_of_best
from tests.papercore.retrieval.collection import build, ids, paper

# In each, the first word is in most papers of the topic, the last in few.
TOPICS = (
    ["bread", "flour", "bakery", "dough"],
    ["car", "vehicle", "truck", "automobile"],
    ["river", "lake", "stream", "creek"],
    ["physician", "hospital", "nurse", "clinic"],
    ["violin", "orchestra", "concert", "symphony"],
)
PAPERS = 1_500
QUESTIONS = [*(word for topic in TOPICS for word in topic), *(" ".join(topic[1:]) for topic in TOPICS)]


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    """As many papers on each topic."""
    chance = random.Random(1)
    return build(
        tmp_path_factory.mktemp("room"),
        [
            paper(
                f"p{number}",
                f"Notes {number}",
                " ".join(chance.choices(TOPICS[number % len(TOPICS)], (100, 10, 5, 1), k=chance.randint(2, 12))),
                year=2000 + number % 20,
            )
            for number in range(PAPERS)
        ],
    )


def by_meaning(found: Results) -> list[str]:
    return [hit.id for hit in found.hits if "meaning" in hit.matched]


@pytest.fixture(scope="module")
def answers(index: Index) -> dict[str, Results]:
    return {question: index.search(Request(question, limit=PAPERS)) for question in QUESTIONS}


def test_papers_without_the_words_are_hits_where_there_is_room(index: Index, answers: dict[str, Results]) -> None:
    with_room = [question for question, found in answers.items() if by_meaning(found)]
    assert with_room
    assert len(with_room) < len(answers)
    for question in with_room:
        by_words = index.search(Request(question, limit=PAPERS, mode="words"))
        assert set(by_meaning(answers[question])).isdisjoint(ids(by_words))
        listed = answers[question].total + answers[question].beyond
        assert listed == by_words.total + len(by_meaning(answers[question]))


def test_a_rare_word_leaves_room_and_a_common_one_does_not(answers: dict[str, Results]) -> None:
    assert by_meaning(answers["automobile"])
    assert not by_meaning(answers["car"])
    assert answers["car"].total > FIRST_HITS


@pytest.mark.parametrize("size", [7, 20, 90])
def test_pages_of_any_size_follow_each_other(index: Index, answers: dict[str, Results], size: int) -> None:
    for question, whole in answers.items():
        pages = list(pages_of(index, question, size))
        assert [key for page in pages for key in ids(page)] == ids(whole)
        assert {page.total for page in pages} == {whole.total}


def pages_of(index: Index, question: str, size: int) -> Iterator[Results]:
    start, listed = 0, 1
    while start < listed:
        page = index.search(Request(question, size, start))
        yield page
        start, listed = start + size, page.total + page.beyond


def test_another_order_lists_the_hits_that_reach_the_mark(index: Index, answers: dict[str, Results]) -> None:
    for question, whole in answers.items():
        by_year = index.search(Request(question, limit=PAPERS, sort="year"))
        assert len(by_year.hits) == by_year.total == whole.total
        assert set(ids(by_year)) <= set(ids(whole))


def test_a_filter_adds_no_hit(index: Index, answers: dict[str, Results]) -> None:
    for question, whole in answers.items():
        for year in (2000, 2018):
            filtered = index.search(Request(question, limit=PAPERS, filters=Filters(year_from=year)))
            assert set(ids(filtered)) <= set(ids(whole))


def test_a_document_gains_nothing_by_being_nearer_than_those_with_the_words() -> None:
    cosines = np.array([-0.1, 0.2, 0.4, 0.8], dtype=np.float32)
    assert share_of_best(cosines, 0.4).tolist() == [0, 0.5, 1, 1]
    assert share_of_best(cosines).tolist() == [0, 0.25, 0.5, 1]
