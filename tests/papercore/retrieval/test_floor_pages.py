"""Documents with enough of a question are counted; pages of any size go on behind them with the others."""

import random

import pytest

from papercore.retrieval import Index, Request
from papercore.retrieval.ranking import head
from tests.papercore.retrieval.collection import build, ids, paper

COMMON = ["model", "method", "result", "language"]
RARE = ["bakery", "violin", "river", "hospital"]
OTHERS = ["paper", "people", "time", "world", "table", "street", "water", "music", "letter", "garden"]
QUESTION = "which model and method gives language results for a bakery, a violin, a river and a hospital"
# With most of the question; about one common word alone, which ranks high; with that word among many others.
ANSWERS, ALONE, MENTIONS = 40, 40, 400


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    chance = random.Random(2)
    answers = [" ".join([*chance.sample(COMMON, 3), *chance.sample(RARE, 3)]) for _ in range(ANSWERS)]
    alone = [f"{COMMON[number % 4]} " * 9 for number in range(ALONE)]
    mentions = [" ".join([COMMON[number % 4], *chance.choices(OTHERS, k=60)]) for number in range(MENTIONS)]
    texts = [*answers, *alone, *mentions]
    papers = [paper(f"p{number}", f"Notes {number}", text) for number, text in enumerate(texts)]
    return build(tmp_path_factory.mktemp("floor"), papers)


@pytest.mark.parametrize("size", [1, 7, 20, 41, 60])
@pytest.mark.parametrize("weight", [head.MEANING_WEIGHT, 0.0])
def test_pages_of_any_size_follow_each_other(
    index: Index, size: int, weight: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where meaning has no weight, so that papers about one word leave no room on a page for other papers."""
    monkeypatch.setattr(head, "MEANING_WEIGHT", weight)
    whole = index.search(Request(QUESTION, limit=ANSWERS + ALONE + MENTIONS))
    listed = whole.total + whole.beyond
    assert ANSWERS <= whole.total < listed == len(whole.hits)
    pages = [index.search(Request(QUESTION, size, start)) for start in range(0, listed, size)]
    assert [key for page in pages for key in ids(page)] == ids(whole)
    assert {page.total for page in pages} == {whole.total}
