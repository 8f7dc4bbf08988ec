"""Renders a text within limits of time and memory, or shows it as typed.

Short texts are rendered in this process, long ones and code in a few others: started when needed, ended when a text
takes too long.
"""

import atexit
import json
import logging
import os
from collections.abc import Iterator
from html import escape
from threading import BoundedSemaphore, Lock

import msgspec
from msgspec import to_builtins
from msgspec.structs import asdict, replace

from papercore.errors import Unavailable
from papercore.processes.children import ChildFailed, ChildLate, ChildLimits, ChildProcess, Unanswerable
from papercore.rendering.markdown import MarkdownSource, Rendered, convert
from papercore.rendering.slow import SlowTexts
from papercore.text import count_words

# Texts of this length without code are rendered at once, in 25 ms at worst; others in a process that can be stopped.
RENDERED_HERE_CHARS = 1_000
# How long a text waits for a free process.
RENDER_WAIT_SECONDS = 2.0
# Processor time for one text: the page then answers within two seconds, and a paper takes a third of it. By the clock
# more, on a machine too busy to give it that time. A text of full length needs a tenth of the memory.
RENDER_LIMITS = ChildLimits(seconds=1.6, wait_seconds=8.0, memory_bytes=1_000_000_000)
# HTML of one text; a link to one long address, used everywhere, makes gigabytes.
HTML_CHARS = 10_000_000
# Processes that render, in each worker of the site: one hostile text must not hold up the next visitor.
RENDER_PROCESSES = 2
_NOTE = "This text needs more time than a page has to be laid out, so it is shown as typed."
_BUSY = "The server is too busy to lay out this text. Try again in a moment."
logger = logging.getLogger(__name__)


class RendererBusy(Unavailable):
    """No process was free to render the text, could be started, or was given the time to answer."""

    code = "renderer_busy"


class CannotRender(Exception):
    """The text needs more time or memory than it may have, or the renderer fails on it."""


def render(text: str, pictures: str = "", prefix: str = "s", top: int = 2, *, passages: bool = False) -> Rendered:
    """Render a text, as `MarkdownSource` describes it. Raises RendererBusy, and nothing else, whatever the text is."""
    source = MarkdownSource(text, pictures, prefix, top, passages)
    if len(text) <= RENDERED_HERE_CHARS and "```" not in text and "~~~" not in text:
        return convert(source)
    if text not in _slow_texts:
        try:
            return _processes.render(source)
        except CannotRender:
            _slow_texts.add(text)
    typed = as_typed(source.shown)
    note = f'<div class="note warn"><p>{_NOTE}</p></div>'
    return replace(typed, blocks=(note + typed.html,), cut=source.cut)


def as_typed(text: str) -> Rendered:
    """A text that is not laid out at all."""
    return Rendered((f'<pre class="typed">{escape(text)}</pre>',), (), 0, count_words(text), cut=False)


class RenderProcesses:
    """A few processes, each for one text at a time."""

    def __init__(self, size: int = RENDER_PROCESSES) -> None:
        self._free = BoundedSemaphore(size)
        self._lock = Lock()
        self._idle: list[RenderProcess] = []

    def render(self, source: MarkdownSource) -> Rendered:
        """RendererBusy if no process is free in time; CannotRender if the text is at fault."""
        if not self._free.acquire(timeout=RENDER_WAIT_SECONDS):
            raise RendererBusy(_BUSY)
        try:
            with self._lock:
                process = self._idle.pop() if self._idle else None
            if process and not process.alive():
                process.close()
                process = None
            process = process or RenderProcess()
            try:
                rendered = process.render(source)
            except BaseException:
                process.close()
                raise
            with self._lock:
                self._idle.append(process)
            return rendered
        except OSError as error:
            raise RendererBusy(_BUSY) from error
        finally:
            self._free.release()

    def stop(self) -> None:
        """End the idle processes; those at work end by themselves when this process has ended."""
        with self._lock:
            while self._idle:
                self._idle.pop().close()


class RenderProcess(ChildProcess):
    """One process that renders texts. RendererBusy if it is given no time, CannotRender if the text is at fault."""

    def __init__(self) -> None:
        super().__init__("papercore.rendering.bounded:answers", RENDER_LIMITS)

    def render(self, source: MarkdownSource) -> Rendered:
        try:
            return msgspec.convert(self.ask(json.dumps(asdict(source)).encode()), Rendered)
        except ChildLate as error:
            raise RendererBusy(_BUSY) from error
        except ChildFailed as error:
            logger.log(logging.ERROR if error.is_refused else logging.WARNING, "rendering stopped: %s", error)
            raise CannotRender from error


def answers(message: bytes) -> Iterator[object]:
    """What the process answers: the rendered text."""
    rendered = convert(MarkdownSource(**json.loads(message)))
    if len(rendered.html) > HTML_CHARS:
        raise Unanswerable("too much HTML")
    yield to_builtins(rendered)


_slow_texts = SlowTexts()
_processes = RenderProcesses()


def _start_anew() -> None:
    """A forked process shares no sockets with its parent: two readers of one would mix up the answers."""
    global _processes
    _processes = RenderProcesses()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_start_anew)
atexit.register(lambda: _processes.stop())
