"""Text on its way to and from the snapshot's full-text table."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing

import pytest

from papercore.snapshot.fulltext import QUERY_TERMS, RANK, match_expression, query_terms, without_cjk_blanks


@pytest.fixture
def table() -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute(
            "CREATE VIRTUAL TABLE paper_fts USING fts5"
            "(paper_id UNINDEXED, title, summary, source, translated, metadata, tokenize='unicode61')"
        )
        connection.executemany(
            "INSERT INTO paper_fts VALUES (?, ?, '', ?, '', '')",
            [("title", "Memory cells", ""), ("source", "Other", "memory and more"), ("cjk", "分 词 方 法", "")],
        )
        yield connection


def found(table: sqlite3.Connection, query: str) -> list[str]:
    rows = table.execute(
        "SELECT paper_id FROM paper_fts WHERE paper_fts MATCH ? AND rank MATCH ? ORDER BY rank",
        [match_expression(query_terms(query)), RANK],
    )
    return [paper_id for (paper_id,) in rows]


def test_a_word_in_the_title_counts_more_than_one_in_the_source(table: sqlite3.Connection) -> None:
    assert found(table, "memory") == ["title", "source"]


def test_cjk_is_looked_for_character_by_character(table: sqlite3.Connection) -> None:
    assert found(table, "分词") == ["cjk"]
    assert found(table, "词分") == []


@pytest.mark.parametrize("query", ['cells"', 'x" OR "cells', "cells\0", "title:* cells", "NEAR cells", "(cells NOT"])
def test_signs_of_fts5_are_no_syntax(table: sqlite3.Connection, query: str) -> None:
    assert found(table, query) == ["title"]


def test_a_quoted_phrase_is_one_term() -> None:
    assert query_terms('Deep "Long Memory" deep') == ["long memory", "deep"]
    assert match_expression(["long memory", "deep"]) == '"long memory" OR "deep"'


def test_a_term_counts_once() -> None:
    assert query_terms('a A "a" b') == ["a", "b"]


def test_a_term_cannot_end_its_own_quotation() -> None:
    assert match_expression(['a" OR "b', "\0", '"']) == '"a OR b"'


def test_terms_beyond_those_of_a_question_are_left_out() -> None:
    words = [f"w{number}" for number in range(QUERY_TERMS + 1)]
    assert query_terms(" ".join(words)) == words[:QUERY_TERMS]


def test_blanks_between_cjk_characters_are_removed_and_others_stay() -> None:
    assert without_cjk_blanks("深 度 ， 学 习 with BERT 模 型\n\n方 法") == "深度，学习 with BERT 模型\n\n方法"


@pytest.mark.parametrize(
    ("query", "terms"),
    [
        ("attention for images", ["attention", "images"]),
        ("What is attention?", ["attention?"]),
        ("what is it", ["what", "is", "it"]),
        ('"for all" attention of the heads', ["for all", "attention", "heads"]),
        ('"for"', ["for"]),
        ('the "who"', ["who"]),
    ],
)
def test_filler_words_count_only_in_phrases_or_alone(query: str, terms: list[str]) -> None:
    assert query_terms(query) == terms
