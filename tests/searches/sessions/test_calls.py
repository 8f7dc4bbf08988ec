"""Who is calling, as the requests of agents and people say."""

import socket

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.http import HttpRequest
from django.test import RequestFactory

from papercore.caller import Caller, calling, current
from searches.sessions import calls


@pytest.fixture
def request_from_afar() -> HttpRequest:
    return RequestFactory().get("/", secure=True, REMOTE_ADDR="192.0.2.1")


def test_an_agent_is_known_by_its_token_or_else_by_its_address(request_from_afar: HttpRequest) -> None:
    with_token = calls.agent(request_from_afar, "token:mine")
    assert (with_token.kind, with_token.site, with_token.client) == ("agent", "https://testserver", "token:mine")
    assert calls.agent(request_from_afar, "").client == "192.0.2.1"


def test_a_person_who_is_logged_in_is_trusted(request_from_afar: HttpRequest) -> None:
    request_from_afar.user = AnonymousUser()
    assert calls.person(request_from_afar) == Caller("person", address="192.0.2.1")
    request_from_afar.user = User(username="reader")
    assert calls.person(request_from_afar).trusted


@pytest.mark.parametrize(
    ("who", "owner", "allowed"),
    [
        (Caller(), "", True),
        (Caller(), "token:mine", False),
        (Caller(key="token:mine"), "token:mine", True),
        (Caller(key="token:mine"), "token:yours", False),
        (Caller("person", trusted=True), "token:mine", True),
    ],
)
def test_a_session_with_an_owner_is_seen_by_the_owner_and_by_trusted_people(
    who: Caller, owner: str, allowed: bool
) -> None:
    assert who.may_see(owner) is allowed


def test_a_client_has_hung_up_once_it_has_closed_its_end_and_not_while_it_is_silent(
    request_from_afar: HttpRequest,
) -> None:
    here, there = socket.socketpair()
    request_from_afar.META["gunicorn.socket"] = here
    here.settimeout(0.01)  # the worker's sockets have a time limit, too
    with here, there:
        has_hung_up = calls.agent(request_from_afar, "").has_hung_up
        assert not has_hung_up()
        there.sendall(b"GET / HTTP/1.1\r\n")
        assert not has_hung_up(), "the next request has arrived"
        assert here.recv(100) == b"GET / HTTP/1.1\r\n", "and is still there"
        there.close()
        assert has_hung_up()
        here.close()
        assert has_hung_up()


def test_the_caller_is_set_for_the_time_of_the_call() -> None:
    assert current() == Caller()
    with calling(Caller("person")):
        assert current().kind == "person"
    assert current() == Caller()
