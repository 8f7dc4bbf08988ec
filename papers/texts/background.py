"""Renders long texts in the background, so that a reader who waits can begin with the first part."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as NotReady
from threading import RLock

from papercore import limits
from papercore.rendering import Rendered

__all__ = ["BackgroundRenderer", "NotReady"]


class BackgroundRenderer:
    """Calls a function that renders, once for each text at a time; its answers are the function's to remember."""

    def __init__(self, render: Callable[[str, str, int], Rendered]) -> None:
        self._render = render
        # Each waits for a process that renders; one process is left for first parts and short texts.
        self._threads = ThreadPoolExecutor(limits.RENDER_PROCESSES - 1, thread_name_prefix="render")
        self._at_work: dict[tuple[str, str, int], Future[Rendered]] = {}
        # A text that is ready at once is forgotten by the thread that holds the lock.
        self._lock = RLock()

    def render(self, text: str, prefix: str, top: int, seconds: float) -> Rendered:
        """NotReady if it takes longer; it goes on for the next one who asks. Errors are those of the function."""
        key = (text, prefix, top)
        with self._lock:
            future = self._at_work.get(key)
            if future is None:
                if len(self._at_work) >= limits.RENDER_QUEUE:
                    raise NotReady
                future = self._at_work[key] = self._threads.submit(self._render, *key)
                future.add_done_callback(lambda _: self._forget(key))
        return future.result(seconds)

    def _forget(self, key: tuple[str, str, int]) -> None:
        with self._lock:
            self._at_work.pop(key, None)
