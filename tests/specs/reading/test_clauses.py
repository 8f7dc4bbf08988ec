"""The steps of a scenario are found however people mark them."""

import pytest

from specs.reading.clauses import read_clauses


def steps(body: str) -> list[tuple[str, str]]:
    return [(clause.keyword, clause.text) for clause in read_clauses(body)[1]]


@pytest.mark.parametrize(
    "line",
    [
        "- **WHEN** it rains",
        "- WHEN it rains",
        "- When it rains",
        "* *when* it rains",
        "**When** it rains",
        "**WHEN:** it rains",
        "**WHEN**: it rains",
        "WHEN it rains",
        "1. **WHEN** it rains",
        "2) When it rains",
        "   - __WHEN__ it rains",
        "+ ***WHEN*** it rains",
    ],
)
def test_a_clause_is_found_in_each_spelling(line: str) -> None:
    assert steps(line) == [("WHEN", "it rains")]


@pytest.mark.parametrize(
    "line", ["Whenever it rains", "- Whenever it rains", "when it rains", "- orange", "thenceforth"]
)
def test_a_sentence_is_no_clause(line: str) -> None:
    assert steps(line) == []


def test_numbered_steps_are_clauses() -> None:
    assert steps("1. GIVEN a\n2. WHEN b\n3. THEN c") == [("GIVEN", "a"), ("WHEN", "b"), ("THEN", "c")]


def test_bold_that_goes_on_into_the_text_is_kept() -> None:
    assert steps("- **WHEN it rains**") == [("WHEN", "**it rains**")]


def test_continuation_lines_and_nested_bullets_stay_with_their_clause() -> None:
    body = "- **THEN** these hold:\n  - one\n    - When nested, still text\n  and more\n- **AND** last"
    assert steps(body) == [
        ("THEN", "these hold:\n  - one\n    - When nested, still text\n  and more"),
        ("AND", "last"),
    ]


def test_a_keyword_in_a_code_block_is_text() -> None:
    assert steps("- **WHEN** sent:\n```\n- **THEN** no\n```") == [("WHEN", "sent:\n```\n- **THEN** no\n```")]


def test_two_whens_and_what_follows_each_keep_their_order() -> None:
    roles = [clause.role for clause in read_clauses("- WHEN a\n- AND b\n- THEN c\n- WHEN d\n- THEN e\n- OR f")[1]]
    assert roles == ["when", "when", "then", "when", "then", "then"]


def test_text_before_the_first_clause_is_kept_apart() -> None:
    assert read_clauses("A note.\n\n- WHEN a")[0] == "A note."


@pytest.mark.parametrize(
    ("line", "keyword"),
    [("- **当** 用户登录", "WHEN"), ("- **那么**系统", "THEN"), ("- **Dann** gut", "THEN")],
)
def test_bold_keywords_of_other_languages_count(line: str, keyword: str) -> None:
    assert [found for found, _ in steps(line)] == [keyword]


def test_everyday_words_of_other_languages_do_not_count() -> None:
    assert steps("- Und so weiter\n- 当然可以") == []


def test_deep_nesting_is_read() -> None:
    body = "- **THEN** top\n" + "".join(f"{'  ' * depth}- level {depth}\n" for depth in range(1, 500))
    assert [keyword for keyword, _ in steps(body)] == ["THEN"]
