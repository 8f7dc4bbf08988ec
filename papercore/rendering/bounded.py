"""Renders a text within limits of time and memory, or shows it as typed.

Short texts are rendered in this process, long ones and code in a few others: started when needed, ended when a text
takes too long.
"""

import atexit
import json
import logging
import os
from html import escape
from threading import BoundedSemaphore, Lock

import msgspec
from msgspec.structs import asdict, replace

from papercore.errors import Unavailable
from papercore.processes.children import ChildProcess
from papercore.rendering.markdown import MarkdownSource, Rendered, convert
from papercore.rendering.slow import SlowTexts
from papercore.text import count_words

# Texts of this length without code are rendered at once, in 25 ms at worst; others in a process that can be stopped.
RENDERED_HERE_CHARS = 1_000
# How long a text waits for a free process, and then for its answer on a machine too busy to give it that time.
RENDER_WAIT_SECONDS = 2.0
RENDER_ANSWER_SECONDS = 8.0
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
                process.stop()
                process = None
            process = process or RenderProcess()
            try:
                rendered = process.render(source)
            except BaseException:
                process.stop()
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
                self._idle.pop().stop()


class RenderProcess(ChildProcess):
    """One process that renders texts."""

    def __init__(self) -> None:
        super().__init__("papercore.rendering.child", RENDER_ANSWER_SECONDS)

    def render(self, source: MarkdownSource) -> Rendered:
        answer = self.ask(json.dumps(asdict(source)).encode())
        if not answer:
            logger.warning("rendering stopped", extra={"fields": {"exit_code": self.exit_code()}})
            raise CannotRender
        fields = json.loads(answer)
        if "failure" in fields:
            logger.error("rendering failed", extra={"fields": {"reason": fields["failure"]}})
            raise CannotRender
        return msgspec.convert(fields, Rendered)


_slow_texts = SlowTexts()
_processes = RenderProcesses()


def _start_anew() -> None:
    """A forked process shares no sockets with its parent: two readers of one would mix up the answers."""
    global _processes
    _processes = RenderProcesses()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_start_anew)
atexit.register(lambda: _processes.stop())
