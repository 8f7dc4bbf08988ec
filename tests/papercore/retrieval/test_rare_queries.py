"""Queries that few people type."""

import numpy as np
import pytest

from papercore.identifiers import canonical
from papercore.retrieval import Index
from papercore.retrieval.sentence_model import _pooled
from tests.papercore.retrieval.collection import found


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ('title:"deep residual"', "resnet"),
        ("title:resid*", "resnet"),
        ("author:hochr*", "lstm"),
        ("zucchini OR airbags", "soup"),
        ("title:the", "who"),
    ],
)
def test_fields_take_phrases_and_beginnings_too(index: Index, text: str, first: str) -> None:
    assert first in found(index, text)


@pytest.mark.parametrize("text", ["-attention", "NOT attention", "networks -attention"])
def test_what_is_excluded_is_not_found(index: Index, text: str) -> None:
    assert "attention" not in found(index, text)


def test_only_dois_and_arxiv_ids_are_identifiers() -> None:
    assert canonical("attention") is None
    assert canonical("arXiv:1706.03762v2") == "1706.03762"


def test_a_model_may_give_one_vector_a_sentence() -> None:
    output = np.ones((2, 3), dtype=np.float32)
    assert _pooled(output, np.ones((2, 5), dtype=np.int64)) is output
