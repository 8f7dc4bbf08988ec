"""A language model's reading of a draft's findings: only with a quote that is in the text, and never needed."""

from pathlib import Path

import pytest
from django.test import Client
from pytest_django import Settings

from papers.drafts.kept_checks import CHECKS
from tests.paper_search.http_server import Answer
from tests.paper_search.test_llm import openai
from tests.searches.answers.test_answers import model
from tests.server import wait_for

pytestmark = pytest.mark.usefixtures("database")
BIB = "@article{att, title={Attention Is All You Need}, author={Vaswani, Ashish and others}, year={2017}}"
DRAFT = "Heads attend to nothing [@att]."
SENTENCE = "Heads attend to positions."


@pytest.fixture(autouse=True)
def own_data(tmp_path: Path, settings: Settings) -> None:
    settings.DATA, settings.ANSWER_CALLS = tmp_path / "data", 0


def checked(client: Client) -> str:
    """The address of a check that is over."""
    address = client.post("/check/", {"text": DRAFT, "bibliography": BIB})["Location"]
    finish(address)
    return address


def finish(address: str) -> None:
    check = CHECKS.find(address.split("/")[-2])
    wait_for(lambda: not check.load().is_working, "the work is over")


def read_by_model(client: Client, address: str) -> str:
    assert client.post(f"{address}reading/").status_code == 302
    finish(address)
    return client.get(address).content.decode()


def reading(quote: str, said: str = "says_otherwise") -> Answer:
    return openai({"reading": said, "reason": "It names positions.", "passage": 1, "quote": quote})


def test_a_reading_is_shown_with_its_quote_and_the_passages_were_asked_about(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = checked(client)
    assert "Have it read by the model" not in client.get(address).content.decode()
    with model(monkeypatch, reading(SENTENCE)) as service:
        assert "Have it read by the model" in client.get(address).content.decode()
        page = read_by_model(client, address)
    assert "Language model: says otherwise. <bdi>It names positions.</bdi>" in page
    assert f"“<bdi>{SENTENCE}</bdi>”" in page
    prompt = str(service.asked[0])
    assert "Heads attend to nothing" in prompt
    assert "positions" in prompt


def test_a_reading_whose_quote_is_not_in_the_text_is_not_shown(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    address = checked(client)
    with model(monkeypatch, reading("Heads attend to colours alone.")):
        page = read_by_model(client, address)
    assert "no reading, the words quoted for it are not in the text" in page
    assert "It names positions." not in page


def test_a_model_that_fails_takes_nothing_away(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    address = checked(client)
    with model(monkeypatch, openai("no object")):
        page = read_by_model(client, address)
    assert "The language model gave no reading: its answer was not usable." in page
    assert "Heads attend" in page


def test_without_a_model_there_is_no_reading_and_who_must_log_in_gets_none(
    client: Client, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    address = checked(client)
    assert client.post(f"{address}reading/").status_code == 404
    settings.ANSWERS = "members"
    with model(monkeypatch, reading(SENTENCE)) as service:
        assert client.post(f"{address}reading/").status_code == 403
        assert service.asked == []
