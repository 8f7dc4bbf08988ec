"""Passages: what a sentence model reads of a requirement, how near it comes, and what is read again."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from pytest_django import Settings

from papercore.retrieval import Matrix, SentenceModel, Vector
from papersite.command.commands import call_command
from specs import core, tools
from specs.reading.document import Requirement
from specs.reading.parser import parse
from specs.search.passages import NO_PASSAGES, Passages, embed, texts_of
from tests.papercore.retrieval.tiny_model import write_model
from tests.specs.folders import write

SPEC = """## Purpose
What is served.
## Requirements
### Requirement: Menu
The place SHALL offer a menu.
#### Scenario: noon
- WHEN it is noon
- THEN soup is offered
#### Scenario: night
- WHEN it is night
- THEN nothing is offered
### Requirement: Parking
It SHALL have room for a car.
"""


class Reader:
    """The real model, remembering what it was given to read."""

    def __init__(self, folder: Path) -> None:
        self.model = SentenceModel.load(folder)
        self.read: list[str] = []

    @property
    def model_id(self) -> str:
        return self.model.model_id

    def reads(self, text: str) -> bool:
        return self.model.reads(text)

    def encode(self, texts: Sequence[str]) -> Matrix:
        self.read += texts
        return self.model.encode(texts)

    def relatedness(self, cosines: Vector) -> Vector:
        return self.model.relatedness(cosines)


@pytest.fixture
def reader(tmp_path: Path) -> Reader:
    return Reader(write_model(tmp_path / "tiny"))


def requirements(text: str) -> tuple[Requirement, ...]:
    return parse(text, "menu").in_force


def embedded(text: str, reader: Reader, former: Passages = NO_PASSAGES) -> Passages:
    return embed(requirements(text), reader, former, lambda done, total: None)


def test_the_text_and_each_scenario_are_passages_with_the_requirements_name() -> None:
    menu, parking = requirements(SPEC)
    assert [text.split("\n")[0] for text in texts_of(menu)] == [
        "Menu. The place SHALL offer a menu.",
        "Menu: noon. - WHEN it is noon",
        "Menu: night. - WHEN it is night",
    ]
    assert len(texts_of(parking)) == 1


def test_a_requirement_is_as_near_as_its_nearest_passages(reader: Reader) -> None:
    menu, parking = embedded(SPEC, reader).nearness(reader.model.vector("broth"))
    assert menu > 0.6
    assert parking < 0.1


def test_the_second_nearest_counts_half_and_a_lone_passage_for_both() -> None:
    cosines = np.array([[0.2, 0.8, 0.5, 0.6, 0.4, 0.4, -0.5, -0.7]], dtype=np.float32)
    passages = Passages(cosines, np.array([0, 3, 4, 6, 8]), np.zeros((8, 16), dtype=np.uint8))
    nearness = passages.nearness(np.ones(1, dtype=np.float32))
    np.testing.assert_allclose(nearness, [(0.8 + 0.25) / 1.5, 0.6, 0.4, (-0.5 - 0.35) / 1.5], rtol=1e-5)


def test_only_passages_whose_text_changed_are_read_again(reader: Reader) -> None:
    former = embedded(SPEC, reader)
    assert len(reader.read) == 4
    reader.read.clear()
    renewed = embedded(SPEC.replace("nothing is", "a car is").replace("What is", "All that is"), reader, former)
    assert reader.read == ["Menu: night. - WHEN it is night\n- THEN a car is offered"]
    np.testing.assert_array_equal(renewed.columns[:, [0, 1, 3]], former.columns[:, [0, 1, 3]])


def test_what_is_written_twice_is_read_once(reader: Reader) -> None:
    twice = embedded(SPEC + SPEC.partition("## Requirements\n")[2], reader)
    assert len(reader.read) == 4
    assert twice.columns.shape[1] == 8
    np.testing.assert_array_equal(twice.columns[:, :4], twice.columns[:, 4:])


def test_without_requirements_there_are_no_passages(reader: Reader) -> None:
    assert embed([], reader, NO_PASSAGES, lambda done, total: None) is NO_PASSAGES


@pytest.fixture
def served(tmp_path: Path, settings: Settings) -> Path:
    settings.SPECS, settings.DATA = str(tmp_path / "specs"), tmp_path / "data"
    settings.SEARCH_MODEL = str(write_model(tmp_path / "tiny"))
    return write(tmp_path / "specs", {"menu/spec.md": SPEC})


def test_a_scenario_answers_a_question_that_the_text_does_not(served: Path) -> None:
    call_command("build_spec_index")
    assert tools.search_specs("any broth here").results[0].requirement == "Menu"


def test_passages_are_taken_over_from_the_index_on_disk(served: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("build_spec_index")
    write(served, {"menu/spec.md": SPEC.replace("a car", "one automobile or car")})
    assert "Rebuild it" in (tools.search_specs("one car please").notice or "")
    call_command("build_spec_index")
    answer = tools.search_specs("one car please")
    assert answer.notice is None
    assert [hit.requirement for hit in answer.results] == ["Parking"]
    call_command("build_spec_index", fresh=True)
    assert tools.search_specs("one car please") == answer


def test_a_model_over_no_specs_finds_nothing(served: Path) -> None:
    (served / "menu/spec.md").unlink()
    call_command("build_spec_index")
    assert core.search("any broth here", 10).hits == []
