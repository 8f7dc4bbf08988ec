"""What a question asks for: one row of questions.txt for each way of asking."""

from pathlib import Path

import pytest

from paper_search.skills.question.concepts import language_of
from paper_search.skills.question.reading import Question, read_question

ROWS = (Path(__file__).parent / "questions.txt").read_text(encoding="utf-8").splitlines()
LISTS = ("concepts", "excluded", "kinds", "excluded_kinds", "authors", "venues")


def described(question: Question) -> dict[str, str]:
    """What the question asks for, as a row says it; nothing that it does not ask for."""
    found = {name: "; ".join(getattr(question, name)) for name in LISTS}
    years = question.years
    found["years"] = f"{years.first or ''}-{years.last or ''}" if years.first or years.last else ""
    found |= {"language": question.language or "", "count": str(question.count or "")}
    return {name: value for name, value in found.items() if value}


@pytest.mark.parametrize("row", ROWS)
def test_a_question_is_understood(row: str) -> None:
    text, *parts = row.split(" | ")
    expected = dict(part.split(": ", 1) for part in parts)
    assert described(read_question(text, this_year=2026)) == expected


def test_the_table_has_120_phrasings_and_30_in_other_languages() -> None:
    questions = [row.split(" | ")[0] for row in ROWS]
    assert len(set(questions)) >= 120
    assert sum(language_of(question) != "en" for question in questions) >= 30


def test_a_pasted_abstract_is_all_topic() -> None:
    text = "We compare graphs of 2015 without loops, by Hinton, and " + "many other words " * 15
    assert described(read_question(text)).keys() == {"concepts"}


def test_a_question_of_fillers_keeps_its_words() -> None:
    assert read_question("what is this about").topic
    assert read_question("").topic == ""


def test_the_topic_has_the_words_as_they_were_written() -> None:
    assert read_question("Find papers on BERT for Québec French since 2019").topic == "BERT for Québec French"
