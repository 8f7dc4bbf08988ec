"""The gunicorn worker that serves the site: when it stops, no connection that it has accepted is lost.

Written against gunicorn 27.0.0, which requirements.txt pins: read its `workers/gthread.py` before raising the version.
It differs from the threaded worker there in how it stops, which happens at every HUP and TERM:

- Connections that wait in the backlog are accepted before the listening socket is closed. Other processes that hold
  the socket keep serving.
- A keep-alive connection stays open until its client has sent one more request, which is answered with
  `Connection: close`, or until it has been idle for as long as any connection may be. The original closes it while
  the client may be about to send.
- A client that does not close its end is watched by the poller. In the original nobody is served meanwhile.
"""

import selectors
import socket
import time
from collections import deque
from contextlib import suppress
from functools import partial
from typing import Any  # gunicorn has no types

from gunicorn.workers.gthread import TConn, ThreadWorker

# How long a client may take to close its end after the last response; closing sooner might cut that response off.
LINGER_SECONDS = 2.0
# How often expired connections are looked for: while serving, and while stopping.
POLL_SECONDS = 1.0
STOPPING_POLL_SECONDS = 0.1


class GracefulWorker(ThreadWorker):  # type: ignore[misc]  # gunicorn has no types
    alive: bool

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.busy: set[TConn] = set()
        self.closing: deque[TConn] = deque()

    def run(self) -> None:
        self.poller.register(self.method_queue.fileno(), selectors.EVENT_READ, self.method_queue.run_callbacks)
        while self.alive and self.is_parent_alive():
            self.set_accept_enabled(self.nr_conns < self.worker_connections)
            self.poll(POLL_SECONDS)
        self.alive = False
        self.accept_backlog()
        deadline = time.monotonic() + self.cfg.graceful_timeout
        while self.nr_conns and time.monotonic() < deadline:
            self.poll(STOPPING_POLL_SECONDS)
        self.abort()

    def poll(self, seconds: float) -> None:
        self.notify()
        self.wait_for_and_dispatch_events(timeout=seconds)
        self.murder_keepalived()
        self.murder_pending()
        while self.closing and self.closing[0].timeout < time.monotonic():
            self.finish_closing(self.closing[0])

    def accept_backlog(self) -> None:
        """Clients in the backlog believe that they are connected. Bounded, because new ones may keep coming."""
        self.set_accept_enabled(False)
        for listener in self.sockets:
            for _ in range(self.cfg.backlog):
                before = self.nr_conns
                self.accept(listener)
                if self.nr_conns == before:
                    break
            listener.close()

    def enqueue_req(self, conn: TConn) -> None:
        self.busy.add(conn)
        super().enqueue_req(conn)

    def finish_request(self, conn: TConn, done: Any) -> None:
        self.busy.discard(conn)
        result = None if done.cancelled() or done.exception() else done.result()
        try:
            if result is True:
                self.keep_alive(conn)
            elif result and self.alive:  # connected, and nothing was sent so far
                super().finish_request(conn, done)
            else:
                self.start_closing(conn)
        except (OSError, ValueError):  # the socket is closed already
            self.nr_conns -= 1
            conn.close()

    def keep_alive(self, conn: TConn) -> None:
        """The response has told the client that it may send another request."""
        if conn.parser.unreader.buf.getvalue():  # it has been read already, so the poller would not report it
            self.enqueue_req(conn)
            return
        conn.sock.setblocking(False)
        conn.set_timeout()
        self.poller.register(conn.sock, selectors.EVENT_READ, partial(self.on_client_socket_readable, conn))
        self.keepalived_conns.append(conn)

    def start_closing(self, conn: TConn) -> None:
        """Send no more, and wait for the client to close its end."""
        conn.sock.shutdown(socket.SHUT_WR)
        conn.sock.setblocking(False)
        conn.timeout = time.monotonic() + LINGER_SECONDS
        self.poller.register(conn.sock, selectors.EVENT_READ, partial(self.drain, conn))
        self.closing.append(conn)

    def drain(self, conn: TConn, client: socket.socket) -> None:
        """Read and drop what the client still sends, until it closes its end."""
        try:
            if client.recv(65536):
                return
        except BlockingIOError:
            return
        except OSError:
            pass  # the connection was reset
        self.finish_closing(conn)

    def finish_closing(self, conn: TConn) -> None:
        self.closing.remove(conn)
        self.poller.unregister(conn.sock)
        self.nr_conns -= 1
        conn.close()

    def abort(self) -> None:
        """The time is up: close the connections that are still busy."""
        for conn in self.busy:
            with suppress(OSError):
                conn.sock.shutdown(socket.SHUT_RDWR)
        self.murder_keepalived(force=True)
        self.tpool.shutdown(wait=False, cancel_futures=True)
        self.poller.close()
        self.method_queue.close()
