"""How many long calls run at once: in all, and of each client."""

from papercore.concurrency import ConcurrencyLimit


def test_each_client_and_all_together_have_a_limit() -> None:
    calls = ConcurrencyLimit(in_all=3, per_client=2)
    assert [calls.enter("a") for _ in range(3)] == [True, True, False]
    assert [calls.enter("b") for _ in range(2)] == [True, False], "three in all"
    calls.leave("a")
    assert calls.enter("b")
    assert not calls.enter("c")
