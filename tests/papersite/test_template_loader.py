"""Templates are served without the indentation of their source."""

from pathlib import Path

import pytest
from django.template import Context, Engine
from django.test import Client


def render(folder: Path, source: str) -> str:
    (folder / "page.html").write_text(source, encoding="utf-8")
    engine = Engine(dirs=[str(folder)], loaders=["papersite.template_loader.Loader"])
    return engine.get_template("page.html").render(Context())


def test_indentation_is_dropped_and_words_stay_apart(tmp_path: Path) -> None:
    assert render(tmp_path, "<p>\n    two\n\t  words\n</p>\n") == "<p>\ntwo\nwords\n</p>\n"


def test_spaces_within_a_line_stay(tmp_path: Path) -> None:
    assert render(tmp_path, "  <b>a</b>  <b>b</b> \n") == "<b>a</b>  <b>b</b> \n"


@pytest.mark.django_db(databases=["default", "snapshot"])
def test_the_sites_own_pages_are_loaded_this_way(client: Client) -> None:
    assert "\n  " not in client.get("/connect/").content.decode().split("<pre", 1)[0]
