"""A tool checks its arguments and turns bad ones into InvalidInput."""

from typing import Annotated

import pytest
from pydantic import BaseModel, Field, ValidationError

from papercore.errors import InvalidInput, NotFound
from papercore.tool import tool


class Answer(BaseModel):
    count: int


@tool
def repeat(word: str, times: Annotated[int, Field(gt=0, le=3)] = 1) -> str:
    return word * times


@tool
def broken() -> Answer:
    return Answer.model_validate({"count": "many"})


def test_good_arguments_reach_the_function() -> None:
    assert repeat("a", times=3) == "aaa"


def test_a_bad_argument_is_invalid_input_that_names_it_and_not_its_value() -> None:
    with pytest.raises(InvalidInput) as caught:
        repeat("secret", times=9)
    payload = caught.value.payload()
    assert payload["error"] == "invalid_input"
    assert payload["problems"] == [{"argument": "times", "problem": "must be at most 3"}]
    assert "9" not in caught.value.message


def test_an_argument_passed_by_position_is_named_as_well() -> None:
    with pytest.raises(InvalidInput, match=r"^times: "):
        repeat("a", 9)


def test_a_fault_in_the_body_is_not_blamed_on_the_caller() -> None:
    with pytest.raises(ValidationError):
        broken()


def test_the_error_shape_is_code_message_and_details() -> None:
    assert NotFound("No paper x.", paper_id="x").payload() == {
        "error": "not_found",
        "message": "No paper x.",
        "paper_id": "x",
    }


def test_thousands_of_wrong_arguments_make_a_short_error() -> None:
    with pytest.raises(InvalidInput) as caught:
        repeat("a", **{f"{'x' * 1_000}{number}": 1 for number in range(1_000)})
    assert len(str(caught.value.payload())) < 10_000


class Item(BaseModel, extra="forbid"):
    name: str


@tool
def count_items(items: Annotated[tuple[Item, ...], Field(min_length=1)]) -> int:
    return len(items)


def test_a_list_whose_only_item_is_wrong_is_not_called_too_short() -> None:
    with pytest.raises(InvalidInput) as refused:
        count_items(({"name": "a", "size": 1},))  # type: ignore[arg-type]
    assert refused.value.message == "items.0.size: is not a field that it has"


def test_an_empty_list_is_called_too_short() -> None:
    with pytest.raises(InvalidInput) as refused:
        count_items(())
    assert refused.value.message == "items: must have at least 1 values"
