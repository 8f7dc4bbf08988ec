"""The gunicorn worker that serves the site: nothing runs for a bad request, and stopping loses no connection.

Written against gunicorn 27.0.0, which requirements.txt pins: read its `workers/gthread.py` before raising the version.
A request that is malformed anywhere, or ends early, is answered 400 before any code of the site runs. A thread that has
answered goes on with the connection if the next request comes at once, and else gives it back to the poller.
It differs from the threaded worker there in how it stops, too, which happens at every HUP and TERM:

- Connections that wait in the backlog are accepted before the listening socket is closed. Other processes that hold
  the socket keep serving.
- A keep-alive connection stays open until its client has sent one more request, which is answered with
  `Connection: close`, or until it has been idle for as long as any connection may be. The original closes it while
  the client may be about to send.
- A signal to stop that comes right after the fork is noticed. In the original it is lost, and the arbiter waits for
  `graceful_timeout`.
- A client that does not close its end is watched by the poller. In the original nobody is served meanwhile.
"""

import io
import selectors
import signal
import socket
import time
from contextlib import suppress
from functools import partial
from queue import SimpleQueue
from typing import Any  # gunicorn has no types

from gunicorn.http import wsgi
from gunicorn.http.errors import InvalidHeader, ParseException
from gunicorn.workers.gthread import TConn

from papercore import limits
from papersite.buffering_worker import RECEIVE_BYTES, BufferingWorker
from papersite.one_send_response import OneSendResponse
from papersite.server.incoming_request import IncomingRequest

# How often expired connections are looked for: while serving, and while stopping.
POLL_SECONDS = 1.0
STOPPING_POLL_SECONDS = 0.1
# The arbiter ends a worker that has been silent for `timeout`, which is many times this. A heartbeat is a system call,
# and the thread that makes it has to wait for its turn afterwards.
HEARTBEAT_SECONDS = 1.0
STOPPING_SIGNALS = (signal.SIGTERM, signal.SIGQUIT, signal.SIGINT)
# How long a thread waits for the next request of the connection that it has answered. Giving the connection back to the
# poller and getting it again costs as much as a short answer; clients with much to ask send within a millisecond.
NEXT_REQUEST_SECONDS = 0.01


class GracefulWorker(BufferingWorker):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.busy: set[TConn] = set()
        self.next_heartbeat = 0.0
        # The arbiter's, as it was forked: what comes before the worker has handlers of its own is put there.
        self.early_signals: SimpleQueue[int] = SimpleQueue()

    def init_signals(self) -> None:
        super().init_signals()
        while not self.early_signals.empty():
            if self.early_signals.get() in STOPPING_SIGNALS:
                self.alive = False

    def run(self) -> None:
        self.poller.register(self.method_queue.fileno(), selectors.EVENT_READ, self.method_queue.run_callbacks)
        while self.alive and self.is_parent_alive():
            self.set_accept_enabled(bool(self.nr_conns < self.worker_connections or self.closing or self.arriving))
            self.poll(POLL_SECONDS)
        self.alive = False
        self.accept_backlog()
        self.shorten_arrivals()
        deadline = time.monotonic() + self.cfg.graceful_timeout
        while self.nr_conns and time.monotonic() < deadline:
            self.poll(STOPPING_POLL_SECONDS)
        self.abort()

    def poll(self, seconds: float) -> None:
        self.wait_for_and_dispatch_events(timeout=seconds)
        self.murder_keepalived()
        now = time.monotonic()
        if now >= self.next_heartbeat:
            self.notify()
            self.next_heartbeat = now + HEARTBEAT_SECONDS
        while self.closing and (oldest := next(iter(self.closing))).timeout < now:
            self.finish_closing(oldest)
        while self.arriving and (oldest := next(iter(self.arriving))).timeout < now:
            self.refuse_arriving(oldest, 408, "Request Timeout")

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

    def shorten_arrivals(self) -> None:
        """Whoever is in the middle of a request may finish it, but soon."""
        latest = time.monotonic() + limits.STOPPING_REQUEST_SECONDS
        for conn in self.arriving:
            conn.timeout = min(conn.timeout, latest)

    def enqueue_req(self, conn: TConn) -> None:
        self.busy.add(conn)
        conn.data_ready = True
        super().enqueue_req(conn)

    def handle(self, conn: TConn) -> object:
        """Answer the request that has arrived, and those that follow at once."""
        keep_open = super().handle(conn)
        while keep_open is True and self.has_next_request(conn):
            keep_open = super().handle(conn)
        return keep_open

    def has_next_request(self, conn: TConn) -> bool:
        """Wait a moment for it, unless threads are scarce. A part of a request is left to the poller, as is a close."""
        if not self.alive or len(self.busy) > self.cfg.threads // 2:
            return False
        conn.sock.settimeout(NEXT_REQUEST_SECONDS)
        try:
            data = conn.parser.unreader.take_buffered() or conn.sock.recv(RECEIVE_BYTES)
        except OSError:
            return False
        conn.parser.unreader.unread(data)
        request = IncomingRequest()
        request.add(data)
        return request.is_complete and not request.is_too_large

    def handle_request(self, req: Any, conn: TConn) -> bool:
        """Read the whole body first: nothing runs for a request that is malformed or ends early."""
        conn.sock.settimeout(limits.SEND_SECONDS)
        if req.version >= (1, 1) and sum(name == "HOST" for name, _ in req.headers) != 1:
            raise InvalidHeader("HOST", req=req)
        try:
            body = req.body.read()
        except (OSError, ParseException):
            raise InvalidHeader("the body is malformed or ends early", req=req) from None
        lengths = [value for name, value in req.headers if name == "CONTENT-LENGTH"]
        if lengths and len(body) != int(lengths[0]):
            raise InvalidHeader("the body is shorter than CONTENT-LENGTH", req=req)
        req.body = io.BytesIO(body)
        req._expected_100_continue = False  # noqa: SLF001 (has been answered, or has not been waited for)
        try:
            return self.respond(req, conn)
        except TimeoutError:
            self.log.info("A client did not take its answer within %s s.", limits.SEND_SECONDS)
            return False

    def respond(self, req: Any, conn: TConn) -> bool:
        """As in the original, without hooks and an access log. Whether the connection may stay open."""
        response, environ = wsgi.create(
            req, conn.sock, conn.client, conn.server, self.cfg, response_class=OneSendResponse
        )
        environ["wsgi.multithread"] = True
        self.nr += 1
        if self.nr >= self.max_requests:
            self.alive = False
        if not (self.alive and self.cfg.keepalive and len(self.keepalived_conns) < self.max_keepalived):
            response.force_close()
        try:
            response.send(self.wsgi(environ, response.start_response))
        except OSError:
            raise
        except Exception:
            if not response.headers_sent:
                raise
            self.log.exception("An answer broke off.")
            return False
        return not response.should_close()

    def _keepalive_after(self, conn: TConn, keepalive: bool) -> bool:
        """The original looks for an unread rest of the body. Here it was read before anything ran."""
        return keepalive

    def finish_request(self, conn: TConn, done: Any) -> None:
        self.busy.discard(conn)
        result = None if done.cancelled() or done.exception() else done.result()
        try:
            if result is True:
                self.keep_alive(conn)
            else:
                self.start_closing(conn)
        except (OSError, ValueError):  # the socket is closed already
            self.close_connection(conn)

    def keep_alive(self, conn: TConn) -> None:
        """The response has told the client that it may send another request."""
        if rest := conn.parser.unreader.take_buffered():  # the poller would not report what was received already
            self.start_arriving(conn, rest)
            return
        conn.sock.setblocking(False)
        conn.set_timeout()
        self.poller.register(conn.sock, selectors.EVENT_READ, partial(self.on_client_socket_readable, conn))
        self.keepalived_conns.append(conn)

    def abort(self) -> None:
        """The time is up: close the connections that are still busy."""
        for conn in self.busy:
            with suppress(OSError):
                conn.sock.shutdown(socket.SHUT_RDWR)
        self.murder_keepalived(force=True)
        self.tpool.shutdown(wait=False, cancel_futures=True)
        self.poller.close()
        self.method_queue.close()
