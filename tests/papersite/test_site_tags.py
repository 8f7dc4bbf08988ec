"""Parts of the frame around every page."""

import pytest
from django.template import Context, Template
from django.test.utils import override_script_prefix

from papersite.templatetags.site_tags import kept_part, nav_link, theme_choice


@pytest.mark.parametrize(
    ("path", "current"),
    [("/papers/", ' aria-current="page"'), ("/papers/123/", ' aria-current="true"'), ("/stats/", ""), ("", "")],
)
def test_a_link_says_whether_the_reader_is_there(path: str, current: str) -> None:
    assert nav_link("search", "Papers", path) == f'<a href="/papers/"{current}>Papers</a>'


def test_a_link_says_how_many_searches_wait() -> None:
    assert '<span class="badge wait">' in nav_link("searches", "Searches", "/", 2)
    assert "waiting" not in nav_link("searches", "Searches", "/", 0)


def test_links_of_a_site_below_a_path_are_below_it() -> None:
    with override_script_prefix("/library/"):
        assert 'href="/library/stats/"' in nav_link("stats", "Stats", "/")


def test_the_theme_in_use_is_checked() -> None:
    assert " checked>" in theme_choice("dark", "Dark", "dark")
    assert "checked" not in theme_choice("light", "Light", "dark")


def test_a_kept_part_is_written_anew_for_other_values_and_another_prefix() -> None:
    for theme in ("dark", "light", "dark"):
        assert f'value="{theme}" checked' in kept_part("_footer.html", theme=theme, build_id="")
    assert "build <code>abcdef0</code>" in kept_part("_footer.html", theme="dark", build_id="abcdef0123")
    with override_script_prefix("/library/"):
        assert 'href="/library/stats/"' in kept_part("_footer.html", theme="dark", build_id="")


def test_a_kept_part_escapes_what_it_is_given() -> None:
    assert "&lt;b&gt;" in kept_part("_footer.html", theme="dark", build_id="<b>")


def test_a_kept_part_sees_nothing_but_what_it_is_given() -> None:
    page = Context({"theme": "dark"})
    part = Template('{% load site_tags %}{% kept_part "_footer.html" build_id="" %}')
    assert 'value="auto" checked' in part.render(page)
