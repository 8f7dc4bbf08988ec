"""A page that was written for one reader is sent to the next, with a form token of their own."""

import re
import shutil
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.test import Client

from papers.pages.page_memory import MEMORY, KeptPage, PageMemory

PATH = "/papers/?q=attention"
TOKEN = re.compile(rb'name="csrfmiddlewaretoken" value="([A-Za-z0-9]+)"')


def test_the_next_reader_gets_the_same_page_with_a_token_of_their_own() -> None:
    first, second = Client().get(PATH), Client().get(PATH)
    assert TOKEN.sub(b"", first.content) == TOKEN.sub(b"", second.content)
    assert set(TOKEN.findall(first.content)).isdisjoint(TOKEN.findall(second.content))
    assert first.cookies["csrftoken"].value != second.cookies["csrftoken"].value
    kept = {name: value for name, value in second.headers.items() if name not in ("X-Request-ID", "Content-Length")}
    assert kept == {name: first.headers[name] for name in kept}


@pytest.mark.django_db(databases=["default", "snapshot"])
def test_a_form_of_a_page_that_was_kept_can_be_sent() -> None:
    Client().get(PATH)
    reader = Client(enforce_csrf_checks=True)
    token = TOKEN.findall(reader.get(PATH).content)[0].decode()
    answer = reader.post("/basket/toggle/", {"toggle": "123", "csrfmiddlewaretoken": token})
    assert answer.status_code == 302
    assert reader.cookies["basket"].value == "123"


def test_a_page_is_written_once_for_readers_with_the_same_theme_and_basket() -> None:
    Client().get(PATH)
    size = len(MEMORY)
    Client().get(PATH)
    assert len(MEMORY) == size
    dark = Client()
    dark.cookies["theme"] = "dark"
    assert b'data-theme="dark"' in dark.get(PATH).content
    full = Client()
    full.cookies["basket"] = "123"
    assert b"1 paper in the basket" in full.get(PATH).content
    assert b"0 papers in the basket" in Client().get(PATH).content


@pytest.mark.django_db(databases=["default", "snapshot"])
def test_the_page_of_somebody_who_is_logged_in_is_not_kept() -> None:
    reader = Client()
    reader.force_login(User.objects.create_user("ada"))
    assert b"Log out" in reader.get(PATH).content
    assert len(MEMORY) == 0
    assert b"Log out" not in Client().get(PATH).content


def test_a_page_that_misses_a_text_is_not_kept(own_library: Path) -> None:
    assets = own_library.parent / "static"
    shutil.move(assets, own_library.parent / "away")
    page = "/papers/123/source/"
    missing = Client().get(page)
    assert "no-store" in missing.headers["Cache-Control"]
    shutil.move(own_library.parent / "away", assets)
    assert Client().get(page).content != missing.content


def test_errors_and_other_formats_are_not_kept() -> None:
    for path in ("/papers/no-such-paper/", "/papers/?year_from=x", "/papers.json?q=attention"):
        Client().get(path)
    assert len(MEMORY) == 0


def test_the_page_not_asked_for_longest_makes_room() -> None:
    memory = PageMemory(room=20)
    pages = [KeptPage({}, [bytes([number]) * 8]) for number in range(3)]
    memory.keep("first", pages[0])
    memory.keep("second", pages[1])
    assert memory.find("first") == pages[0]
    memory.keep("third", pages[2])
    assert (memory.find("first"), memory.find("second"), memory.find("third")) == (pages[0], None, pages[2])
    memory.keep("too large", KeptPage({}, [b"x" * 21]))
    assert len(memory) == 0
