"""Renders long texts in the background, so that a reader who waits can begin with the first part."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as NotReady
from contextlib import suppress
from threading import RLock

from papercore import limits
from papercore.rendering import Rendered

__all__ = ["BackgroundRenderer", "NotReady"]

# A text, the prefix of its anchors, and the level of its highest heading.
Key = tuple[str, str, int]


class BackgroundRenderer:
    """Calls a function that renders, once for each text at a time; its answers are the function's to remember."""

    def __init__(self, render: Callable[[str, str, int], Rendered]) -> None:
        self._render = render
        self._threads = ThreadPoolExecutor(1, thread_name_prefix="render")
        self._at_work: dict[Key, Future[Rendered]] = {}
        # A text that is ready at once is forgotten by the thread that holds the lock.
        self._lock = RLock()

    def render(self, text: str, prefix: str, top: int, seconds: float) -> Rendered:
        """NotReady if it takes longer; it goes on for the next one who asks.

        Errors are those of the function. One that came while nobody waited is kept for whoever asks next: a page that
        is loaded until the text is ready must hear of it.
        """
        key = (text, prefix, top)
        future = self._future(key)
        try:
            return future.result(seconds)
        except NotReady:
            raise
        except BaseException:
            self._forget(key)
            raise

    def begin(self, text: str, prefix: str, top: int) -> None:
        """Start to render for whoever asks later, if there is room."""
        with suppress(NotReady):
            self._future((text, prefix, top))

    def _future(self, key: Key) -> "Future[Rendered]":
        with self._lock:
            return self._at_work.get(key) or self._start(key)

    def _start(self, key: Key) -> "Future[Rendered]":
        unfinished = {other: future for other, future in self._at_work.items() if not future.done()}
        if len(unfinished) >= limits.RENDER_QUEUE:
            raise NotReady
        if len(self._at_work) >= limits.RENDER_QUEUE:
            self._at_work = unfinished
        future = self._at_work[key] = self._threads.submit(self._render, *key)
        future.add_done_callback(lambda done: None if done.exception() else self._forget(key))
        return future

    def _forget(self, key: Key) -> None:
        with self._lock:
            self._at_work.pop(key, None)
