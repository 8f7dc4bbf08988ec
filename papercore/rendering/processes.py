"""Processes that render texts for this one: started when needed, ended when a text takes too long."""

import json
import logging
from threading import BoundedSemaphore, Lock

from msgspec import convert
from msgspec.structs import asdict

from papercore import limits
from papercore.errors import Unavailable
from papercore.processes.children import ChildProcess
from papercore.rendering.rendered import Rendered, Source

logger = logging.getLogger(__name__)


class RendererBusy(Unavailable):
    """No process was free to render the text, could be started, or was given the time to answer."""

    code = "renderer_busy"


class CannotRender(Exception):
    """The text needs more time or memory than it may have, or the renderer fails on it."""


class RenderProcess(ChildProcess):
    """One process that renders texts."""

    def __init__(self) -> None:
        super().__init__("papercore.rendering.child", limits.RENDER_ANSWER_SECONDS)

    def render(self, source: Source) -> Rendered:
        answer = self.ask(json.dumps(asdict(source)).encode())
        if not answer:
            logger.warning("rendering stopped", extra={"fields": {"exit_code": self.exit_code()}})
            raise CannotRender
        fields = json.loads(answer)
        if "failure" in fields:
            logger.error("rendering failed", extra={"fields": {"reason": fields["failure"]}})
            raise CannotRender
        return convert(fields, Rendered)


class RenderProcesses:
    """A few processes, each for one text at a time."""

    def __init__(self, size: int = limits.RENDER_PROCESSES) -> None:
        self._free = BoundedSemaphore(size)
        self._lock = Lock()
        self._idle: list[RenderProcess] = []

    def render(self, source: Source) -> Rendered:
        """RendererBusy if no process is free in time; CannotRender if the text is at fault."""
        if not self._free.acquire(timeout=limits.RENDER_WAIT_SECONDS):
            raise _busy()
        try:
            process = self._take()
            try:
                rendered = process.render(source)
            except BaseException:
                process.stop()
                raise
            with self._lock:
                self._idle.append(process)
            return rendered
        except OSError as error:
            raise _busy() from error
        finally:
            self._free.release()

    def _take(self) -> RenderProcess:
        with self._lock:
            process = self._idle.pop() if self._idle else None
        if process and process.alive():
            return process
        if process:
            process.stop()
        return RenderProcess()

    def stop(self) -> None:
        """End the idle processes; those at work end by themselves when this process has ended."""
        with self._lock:
            while self._idle:
                self._idle.pop().stop()


def _busy() -> RendererBusy:
    return RendererBusy("The server is too busy to lay out this text. Try again in a moment.")
