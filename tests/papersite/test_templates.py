"""Templates ask for what their pages give them: a name that is written wrong would show nothing, and no error."""

import logging
from collections.abc import Callable, Iterator

import pytest
from django.template import engines
from django.template.loader import render_to_string
from django.test import Client
from jinja2 import ChainableUndefined, make_logging_undefined

logger = logging.getLogger(__name__)
PAGES = [
    "/",
    "/papers/",
    "/papers/?q=attention",
    "/papers/?q=qqqq&venue=neurips",
    "/papers/?year_from=2020&year_to=2010",
    "/papers/?year_from=abc",
    "/papers/123/",
    "/papers/123/?cite",
    "/papers/123/?list=q%3Dattention&at=1",
    "/papers/123/source/?find=heads&hit=1",
    "/papers/123/source/?passage=1-abcdef",
    "/papers/123/translation/zh/",
    "/papers/123/side-by-side/",
    "/papers/123/references/",
    "/papers/123/bibtex/",
    "/papers/nothing/",
    "/papers.atom?q=attention",
    "/ask/",
    "/ask/?q=what+does+the+transformer+rely+on",
    "/by/keyword/",
    "/by/keyword/transformer/",
    "/stats/",
    "/basket/",
    "/connect/",
    "/api/docs",
    "/nothing/",
]
# Pages say of themselves that they are wide, have a search box of their own, or a list that follows the typing.
OPTIONAL = {"'wide' is undefined", "'own_search' is undefined", "'live' is undefined"}


@pytest.fixture
def missing(caplog: pytest.LogCaptureFixture) -> Iterator[Callable[[], set[str]]]:
    """What templates have asked for that is not there; something of nothing is no mistake."""
    environment = engines["jinja2"].env  # type: ignore[attr-defined]  # Django's types know its own engine alone
    environment.undefined = make_logging_undefined(logger, ChainableUndefined)

    def found() -> set[str]:
        messages = [record.getMessage() for record in caplog.records if record.name == __name__]
        return {message.partition(": ")[2] for message in messages if "'None' has no attribute" not in message}

    yield found
    environment.undefined = ChainableUndefined


@pytest.mark.parametrize("path", PAGES)
def test_a_page_has_what_its_templates_ask_for(client: Client, path: str, missing: Callable[[], set[str]]) -> None:
    client.get(path)
    assert missing() <= OPTIONAL


def test_a_name_that_is_written_wrong_is_noticed(missing: Callable[[], set[str]]) -> None:
    engines["jinja2"].from_string("{{ papper }} {{ paper.titel }}").render({"paper": {"title": "A title"}})
    assert missing() == {"'papper' is undefined", "'dict object' has no attribute 'titel'"}


@pytest.mark.parametrize("template", ["400.html", "500.html"])
def test_pages_for_errors_are_written_without_a_request(template: str) -> None:
    page = " ".join(render_to_string(template).split())
    assert f'<p class="code-no" aria-hidden="true"> {template[:3]} </p>' in page
    assert page.endswith("</html>")
