"""The feed of what waits: by a cookie, by a token, and at an address of its own that needs neither."""

import re
from html import unescape

import pytest
from django.conf import LazySettings
from django.contrib.auth.models import User
from django.http import HttpResponse, HttpResponseBase
from django.test import Client

from mcpapi.models import create_token, valid_token
from papercore.caller import Caller, calling
from papersite.accounts import owner
from searches import tools
from tests.searches.conftest import finish_work

pytestmark = pytest.mark.usefixtures("database")
QUESTION = "attention in transformers since 2015"
FEED = "/searches/waiting.atom"


def wait_for_a_person(key: str = "") -> str:
    """A search that an agent started and that waits now; its id."""
    with calling(Caller(key=key)):
        session_id = tools.start_search(QUESTION).session_id
    finish_work()
    return session_id


def entries(answer: HttpResponseBase) -> list[str]:
    assert isinstance(answer, HttpResponse)
    assert answer.status_code == 200
    assert answer["Content-Type"].startswith("application/atom+xml")
    return re.findall(r"/searches/([0-9a-f]{32})/", answer.content.decode())


def feed_of(account: Client) -> str:
    """The path of the feed that the page shows."""
    found = re.search(r'id="feed" value="http://testserver([^"]+)"', account.get("/searches/").content.decode())
    assert found is not None
    return unescape(found[1])


@pytest.fixture
def anna() -> Client:
    client = Client()
    client.force_login(User.objects.create_user("anna"))
    return client


def test_a_reader_of_feeds_sees_what_waits_at_the_address_of_an_account_without_a_login(anna: Client) -> None:
    session_id = wait_for_a_person("token:somebody")
    answer = Client().get(feed_of(anna))
    assert entries(answer) == [session_id]
    assert f"a plan to confirm: {QUESTION}" in answer.content.decode()


def test_the_address_opens_a_private_site_for_nothing_else(anna: Client, settings: LazySettings) -> None:
    settings.ACCESS = "private"
    session_id = wait_for_a_person()
    reader, address = Client(), feed_of(anna)
    assert entries(reader.get(address)) == [session_id]
    assert reader.get(f"/searches/{session_id}/").status_code in (302, 401)
    assert reader.get(FEED).status_code == 401


def test_a_new_address_ends_the_one_before(anna: Client) -> None:
    session_id, before = wait_for_a_person(), feed_of(anna)
    assert anna.post("/searches/feed-address").status_code == 302
    after = feed_of(anna)
    assert Client().get(before).status_code == 404
    assert entries(Client().get(after)) == [session_id]


def test_the_address_ends_with_the_account_and_that_of_the_owner_with_the_ownership(
    anna: Client, settings: LazySettings
) -> None:
    settings.LIBRARY_CHANGES = "local"
    mine = Client()
    mine.cookies[owner.cookie_name()] = owner.cookie_value()
    addresses = [feed_of(anna), feed_of(mine)]
    assert addresses[0] != addresses[1]
    assert [Client().get(address).status_code for address in addresses] == [200, 200]
    User.objects.update(is_active=False)
    settings.LIBRARY_CHANGES = "off"
    assert [Client().get(address).status_code for address in addresses] == [404, 404]


@pytest.mark.parametrize("change", [lambda address: address.replace("waiting/", "waiting/x"), lambda _: "forged:1"])
def test_an_address_that_was_not_given_is_nobodys(anna: Client, change: object) -> None:
    assert callable(change)
    name = change(feed_of(anna))
    path = name if name.startswith("/") else f"/searches/waiting/{name}.atom"
    assert Client().get(path).status_code == 404


@pytest.mark.parametrize(("scope", "seen"), [("decide", {"mine"}), ("write", {"mine", "nobody's"})])
def test_a_token_sees_what_it_started_and_one_that_may_write_also_what_belongs_to_nobody(
    scope: str, seen: set[str]
) -> None:
    text = create_token("reader", scope=scope)  # type: ignore[arg-type]  # one of the scopes
    token = valid_token(text)
    assert token is not None
    keys = {"mine": token.key, "another's": "token:other", "nobody's": ""}
    started = {wait_for_a_person(key): whose for whose, key in keys.items()}
    answer = Client().get(FEED, headers={"Authorization": f"Bearer {text}"})
    assert {started[found] for found in entries(answer)} == seen


def test_a_stranger_gets_an_empty_feed_that_says_why(anna: Client) -> None:
    wait_for_a_person()
    answer = Client().get(FEED)
    assert entries(answer) == []
    assert "it is not known who asks" in answer.content.decode()
    assert "it is not known who asks" not in anna.get(FEED).content.decode()
    assert Client().post("/searches/feed-address").status_code == 403
