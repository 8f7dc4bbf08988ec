"""The research domains."""

from typing import get_args

from paper_search.domains import DOMAINS, DomainName


def test_every_name_that_a_tool_takes_is_a_domain() -> None:
    assert list(get_args(DomainName)) == list(DOMAINS)
