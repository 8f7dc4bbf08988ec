"""`{% url %}` gives what Django's own gives, remembered."""

import pytest
from django.template import Context, Template
from django.test.utils import override_script_prefix
from django.urls import NoReverseMatch


def render(source: str, **context: object) -> str:
    return Template(source).render(Context(context))


@pytest.mark.parametrize(
    ("source", "address"),
    [
        ('{% url "search" %}', "/papers/"),
        ("{% url route %}", "/stats/"),
        ('{% url "paper-file" paper_id "bib" %}', "/papers/1706.1.bib"),
        ('{% url "specs-file" kind="md" %}', "/specs.md"),
        ('{% url "admin:login" %}', "/admin/login/"),
        ('{% url "search" as there %}[{{ there }}]', "[/papers/]"),
        ('{% url "no-such-route" as there %}[{{ there }}]', "[]"),
    ],
)
def test_routes_become_addresses(source: str, address: str) -> None:
    assert render(source, route="stats", paper_id="1706.1") == address


def test_each_argument_has_its_own_address() -> None:
    addresses = [render('{% url "paper" paper_id %}', paper_id=paper_id) for paper_id in ("a", "b", "a")]
    assert addresses == ["/papers/a/", "/papers/b/", "/papers/a/"]


def test_an_unknown_route_is_an_error() -> None:
    with pytest.raises(NoReverseMatch):
        render('{% url "no-such-route" %}')


def test_a_site_below_a_path_has_addresses_below_it() -> None:
    assert render('{% url "stats" %}') == "/stats/"
    with override_script_prefix("/library/"):
        assert render('{% url "stats" %}') == "/library/stats/"
