"""Processes that render texts for this one: started when needed, ended when a text takes too long."""

import json
import logging
import socket
import subprocess
import sys
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from threading import BoundedSemaphore, Lock

import papercore
from papercore import limits
from papercore.errors import Unavailable
from papercore.rendering.markdown import Heading, Rendered, Source
from papercore.rendering.messages import read_message, write_message

logger = logging.getLogger(__name__)
_FOLDER = Path(papercore.__file__).parent.parent


class RendererBusy(Unavailable):
    """No process was free to render the text, could be started, or was given the time to answer."""

    code = "renderer_busy"


class CannotRender(Exception):
    """The text needs more time or memory than it may have, or the renderer fails on it."""


class RenderProcess:
    """One process, and the socket that texts and answers go through."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "papercore.rendering.child"]
        self._socket, theirs = socket.socketpair()
        with theirs:
            try:
                self._process = subprocess.Popen(command, stdin=theirs.fileno(), stdout=subprocess.DEVNULL, cwd=_FOLDER)  # noqa: S603 (nothing from outside)
            except OSError:
                self._socket.close()
                raise
        self._socket.settimeout(limits.RENDER_ANSWER_SECONDS)
        self._channel = self._socket.makefile("rwb")

    @property
    def pid(self) -> int:
        return self._process.pid

    def alive(self) -> bool:
        return self._process.poll() is None

    def render(self, source: Source) -> Rendered:
        try:
            write_message(self._channel, json.dumps(asdict(source)).encode())
            answer = read_message(self._channel)
        except ConnectionError:
            answer = b""
        if not answer:
            logger.warning("rendering stopped", extra={"fields": {"exit_code": self._process.wait()}})
            raise CannotRender
        fields = json.loads(answer)
        if "failure" in fields:
            logger.error("rendering failed", extra={"fields": {"reason": fields["failure"]}})
            raise CannotRender
        fields["outline"] = tuple(Heading(**heading) for heading in fields["outline"])
        return Rendered(**fields | {"blocks": tuple(fields["blocks"])})

    def stop(self) -> None:
        self._process.kill()
        self._process.wait()
        with suppress(OSError):  # what could not be written any more
            self._channel.close()
        self._socket.close()


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
