"""Who is calling, and which sessions a caller sees."""

import pytest

from papercore.caller import Caller, calling, current


@pytest.mark.parametrize(
    ("who", "owner", "allowed"),
    [
        (Caller(), "", True),
        (Caller(), "token:mine", False),
        (Caller(key="token:mine"), "token:mine", True),
        (Caller(key="token:mine"), "token:yours", False),
        (Caller("person", account="owner"), "token:mine", True),
    ],
)
def test_a_session_with_an_owner_is_seen_by_the_owner_and_by_accounts(who: Caller, owner: str, allowed: bool) -> None:
    assert who.may_see(owner) is allowed


def test_the_caller_is_set_for_the_time_of_the_call() -> None:
    assert current() == Caller()
    with calling(Caller("person")):
        assert current().kind == "person"
    assert current() == Caller()
