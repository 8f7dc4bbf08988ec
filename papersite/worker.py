"""The gunicorn worker that serves the site: when it is told to stop, it loses nothing that it has taken.

Written against gunicorn 27.0.0, which requirements.txt pins: look at its `workers/gthread.py` before raising that.
Of the threaded worker there this one changes how it ends, which with HUP and TERM is every day's business:

- what waits to be accepted is accepted, then its listening socket is closed. Others that hold the socket go on.
- a kept connection goes on until its client has asked once more, and been told `Connection: close` in the answer, or
  until it was idle as long as any connection may be. The original closes it under a client that is about to ask.
- a client that does not close its end is waited for by the poller. In the original nobody is served meanwhile.
"""

import selectors
import socket
import time
from collections import deque
from contextlib import suppress
from functools import partial
from typing import Any  # gunicorn has no types

from gunicorn.workers.gthread import TConn, ThreadWorker

# How long a client may take to close its end after the last answer; sooner, the end of that answer might be lost.
LINGER_SECONDS = 2.0
# Between two looks at what has run out of time: while serving, and while ending.
LOOK_SECONDS = 1.0
LAST_LOOK_SECONDS = 0.1


class PoliteWorker(ThreadWorker):  # type: ignore[misc]  # gunicorn has no types
    alive: bool

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.asking: set[TConn] = set()
        self.leaving: deque[TConn] = deque()

    def run(self) -> None:
        self.poller.register(self.method_queue.fileno(), selectors.EVENT_READ, self.method_queue.run_callbacks)
        while self.alive and self.is_parent_alive():
            self.set_accept_enabled(self.nr_conns < self.worker_connections)
            self.look(LOOK_SECONDS)
        self.alive = False
        self.take_what_waits()
        deadline = time.monotonic() + self.cfg.graceful_timeout
        while self.nr_conns and time.monotonic() < deadline:
            self.look(LAST_LOOK_SECONDS)
        self.break_off()

    def look(self, seconds: float) -> None:
        self.notify()
        self.wait_for_and_dispatch_events(timeout=seconds)
        self.murder_keepalived()
        self.murder_pending()
        while self.leaving and self.leaving[0].timeout < time.monotonic():
            self.part(self.leaving[0])

    def take_what_waits(self) -> None:
        """Clients in the queue believe that they are connected. Bounded, for new ones may come without end."""
        self.set_accept_enabled(False)
        for listener in self.sockets:
            for _ in range(self.cfg.backlog):
                before = self.nr_conns
                self.accept(listener)
                if self.nr_conns == before:
                    break
            listener.close()

    def enqueue_req(self, conn: TConn) -> None:
        self.asking.add(conn)
        super().enqueue_req(conn)

    def finish_request(self, conn: TConn, done: Any) -> None:
        self.asking.discard(conn)
        result = None if done.cancelled() or done.exception() else done.result()
        try:
            if result is True:
                self.keep(conn)
            elif result and self.alive:  # connected, and silent so far
                super().finish_request(conn, done)
            else:
                self.leave(conn)
        except (OSError, ValueError):  # the socket is closed already
            self.nr_conns -= 1
            conn.close()

    def keep(self, conn: TConn) -> None:
        """The answer has said that the client may ask again."""
        if conn.parser.unreader.buf.getvalue():  # it has done so, and the poller would not see it
            self.enqueue_req(conn)
            return
        conn.sock.setblocking(False)
        conn.set_timeout()
        self.poller.register(conn.sock, selectors.EVENT_READ, partial(self.on_client_socket_readable, conn))
        self.keepalived_conns.append(conn)

    def leave(self, conn: TConn) -> None:
        """Say that nothing more comes, and let the client close."""
        conn.sock.shutdown(socket.SHUT_WR)
        conn.sock.setblocking(False)
        conn.timeout = time.monotonic() + LINGER_SECONDS
        self.poller.register(conn.sock, selectors.EVENT_READ, partial(self.hear_out, conn))
        self.leaving.append(conn)

    def hear_out(self, conn: TConn, client: socket.socket) -> None:
        try:
            if client.recv(65536):
                return
        except BlockingIOError:
            return
        except OSError:
            pass  # gone without a word
        self.part(conn)

    def part(self, conn: TConn) -> None:
        self.leaving.remove(conn)
        self.poller.unregister(conn.sock)
        self.nr_conns -= 1
        conn.close()

    def break_off(self) -> None:
        """The time is up: whoever has not finished asking or reading by now is not waited for."""
        for conn in self.asking:
            with suppress(OSError):
                conn.sock.shutdown(socket.SHUT_RDWR)
        self.murder_keepalived(force=True)
        self.tpool.shutdown(wait=False, cancel_futures=True)
        self.poller.close()
        self.method_queue.close()
