"""A long text: its beginning at once, the whole of it as soon as it is rendered."""

import time
from collections.abc import Iterator
from pathlib import Path
from threading import Event

import pytest
from django.test import Client

from papercore.rendering import Rendered
from papers.texts import rendered
from papers.texts.rendered import RENDER_QUEUE, BackgroundRenderer, NotReady
from tests import snapshot

PAGE = "/papers/123/source/"
WAIT_SECONDS = 20


@pytest.fixture
def long_text(own_library: Path) -> None:
    """Three times as long as its beginning."""
    text = "".join(f"# Part {number}\n\n{'Words of this part. ' * 20}\n\n" for number in range(150))
    name = snapshot.sha256(snapshot.PAPERS[0].source or "")
    snapshot.write(own_library.parent / "static" / "md" / f"{name}.md", text)


def test_the_beginning_is_shown_until_the_whole_text_is_ready(long_text: None, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as hurry:
        hurry.setattr(rendered, "TEXT_HEAD_START_SECONDS", 0)
        hurry.setattr(rendered, "TEXT_WAIT_SECONDS", 0)
        first = Client().get(PAGE)
    page = first.content.decode()
    assert "no-store" in first.headers["Cache-Control"]
    assert f'<a href="{PAGE}">Show the whole text</a>' in page
    assert "Part 0" in page
    assert "Part 149" not in page
    deadline = time.monotonic() + WAIT_SECONDS
    while "data-unfinished" in page and time.monotonic() < deadline:
        page = Client().get(PAGE).content.decode()
    assert 'id="s-part-149"' in page


def test_whoever_looks_for_a_place_gets_the_whole_text(long_text: None) -> None:
    page = Client().get(f"{PAGE}?find=part").content.decode()
    assert "data-unfinished" not in page
    assert 'id="s-part-149"' in page


def test_a_text_is_rendered_once_for_all_who_wait() -> None:
    release, calls = Event(), []

    def slow(text: str, prefix: str, top: int) -> Rendered:
        calls.append(text)
        assert release.wait(WAIT_SECONDS)
        return Rendered((text,), (), 0, 1, cut=False)

    renderer = BackgroundRenderer(slow)
    for _ in range(3):
        with pytest.raises(NotReady):
            renderer.render("a", "s", 2, seconds=0.01)
    release.set()
    assert renderer.render("a", "s", 2, WAIT_SECONDS).html == "a"
    assert calls == ["a"]


@pytest.fixture
def held() -> Iterator[BackgroundRenderer]:
    """A renderer that is at work on its first text until the test is over."""
    release = Event()

    def slow(text: str, prefix: str, top: int) -> Rendered:
        assert release.wait(WAIT_SECONDS)
        return Rendered((text,), (), 0, 1, cut=False)

    yield BackgroundRenderer(slow)
    release.set()


def test_a_text_that_was_begun_is_rendered_once(held: BackgroundRenderer) -> None:
    held.begin("a", "s", 2)
    held.begin("a", "s", 2)
    with pytest.raises(NotReady):
        held.render("a", "s", 2, seconds=0)
    assert len(held._at_work) == 1


def test_what_does_not_fit_into_the_queue_is_not_begun(held: BackgroundRenderer) -> None:
    for number in range(RENDER_QUEUE + 1):
        held.begin(str(number), "s", 2)
    assert len(held._at_work) == RENDER_QUEUE


def test_more_texts_than_the_queue_takes_are_not_kept_waiting(held: BackgroundRenderer) -> None:
    for number in range(RENDER_QUEUE + 1):
        with pytest.raises(NotReady):
            held.render(str(number), "s", 2, seconds=0)
    assert len(held._at_work) == RENDER_QUEUE


def test_an_error_reaches_whoever_asks_next_and_then_it_is_tried_again() -> None:
    release, calls = Event(), []

    def failing(text: str, prefix: str, top: int) -> Rendered:
        calls.append(text)
        assert release.wait(WAIT_SECONDS)
        raise ValueError(text)

    renderer = BackgroundRenderer(failing)
    with pytest.raises(NotReady):
        renderer.render("a", "s", 2, seconds=0)
    release.set()
    for _ in range(2):
        with pytest.raises(ValueError, match="a"):
            renderer.render("a", "s", 2, WAIT_SECONDS)
    assert calls == ["a", "a"]


def test_errors_that_nobody_asked_about_take_no_room() -> None:
    def failing(text: str, prefix: str, top: int) -> Rendered:
        raise ValueError(text)

    renderer = BackgroundRenderer(failing)
    for number in range(3 * RENDER_QUEUE):
        with pytest.raises((NotReady, ValueError)):
            renderer.render(str(number), "s", 2, seconds=0)
    assert len(renderer._at_work) <= RENDER_QUEUE
