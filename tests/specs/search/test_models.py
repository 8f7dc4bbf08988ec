"""A sentence model in a folder: it answers questions, words answer identifiers and CJK, and the index is tied to it."""

from pathlib import Path

import pytest
from pytest_django import Settings

from papersite.command.commands import call_command
from specs import tools
from tests.papercore.retrieval.tiny_model import write_model
from tests.specs.folders import write

SPEC = "## Requirements\n### Requirement: {0}\nIt SHALL serve {1}.\n#### Scenario: s\n- WHEN asked\n- THEN {1}\n"


@pytest.fixture
def kitchen(openspec: Path, settings: Settings, capsys: pytest.CaptureFixture[str]) -> Path:
    """Two specs of which the tiny model knows a word each."""
    texts = {"soup": SPEC.format("Starters", "soup"), "garage": SPEC.format("Parking", "car")}
    write(openspec.parent / "kitchen", {f"{name}/spec.md": text for name, text in texts.items()})
    settings.SPECS = str(openspec.parent / "kitchen")
    settings.SEARCH_MODEL = str(write_model(openspec.parent / "tiny"))
    call_command("build_spec_index")
    return openspec.parent / "kitchen"


def found(query: str) -> list[str]:
    return [hit.spec_id for hit in tools.search_specs(query).results]


def test_the_model_answers_questions(kitchen: Path) -> None:
    assert found("any broth here") == ["soup"]


def test_words_decide_between_equals_of_the_model(kitchen: Path) -> None:
    write(kitchen, {"a-road/spec.md": SPEC.format("Driving", "car")})
    call_command("build_spec_index")
    assert found("a car for parking") == ["garage", "a-road"]
    assert found("a car for driving") == ["a-road", "garage"]


def test_a_multilingual_model_answers_questions_in_cjk_and_an_english_one_leaves_them_to_words(
    kitchen: Path, settings: Settings, tmp_path: Path
) -> None:
    assert found("有没有 broth 供应") == []
    folder = write_model(tmp_path / "multilingual")
    (folder / "model.json").write_text('{"for_other_languages": true}')
    settings.SEARCH_MODEL = str(folder)
    call_command("build_spec_index")
    assert found("有没有 broth 供应") == ["soup"]


def test_below_the_cosine_threshold_nothing_is_returned(kitchen: Path) -> None:
    assert found("nothing known here") == []


def test_an_identifier_is_searched_by_words(kitchen: Path) -> None:
    assert found("parking") == ["garage"]


def test_an_index_of_another_model_serves_words_and_says_so(kitchen: Path, settings: Settings) -> None:
    settings.SEARCH_MODEL = ""
    answer = tools.search_specs("serve soup")
    assert answer.results[0].spec_id == "soup"
    assert answer.notice is not None
    assert "another model" in answer.notice


def test_sentences_that_have_not_changed_are_not_encoded_again(
    kitchen: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(kitchen, {"more/spec.md": SPEC.format("Cars", "car")})
    capsys.readouterr()
    call_command("build_spec_index")
    assert "2 of them unchanged" in capsys.readouterr().out
    assert set(found("one car please")) == {"garage", "more"}
