"""The gunicorn worker that serves the site: slow clients hold no thread, and stopping loses no connection.

Written against gunicorn 27.0.0, which requirements.txt pins: read its `workers/gthread.py` before raising the version.
The threaded worker there has these faults, which are mended here:

- A thread waits for each client that sends slowly. Here the poller gathers and parses requests, and a thread is given
  a whole one. A client that sends slowly, or stops, costs a socket and some memory, for a limited time.
- A request that is malformed or ends early reaches the site. Here it is answered 400 before any code of the site runs.
- When there are as many connections as there may be, new ones wait. Here one that has been answered, or has been
  sending its request for longest, is closed for a new one; a process without a free file descriptor refuses
  connections and goes on.
- Stopping, at every HUP and TERM, closes connections that clients believe in. Here those in the backlog are accepted
  before the listening socket is closed, and a keep-alive connection stays open until its client has sent one more
  request, which is answered with `Connection: close`, or has been idle for as long as any may be.
- A signal to stop that comes right after the fork is lost, and the arbiter waits for `graceful_timeout`.
- Nobody is served while a client that was answered does not close its end. Here the poller watches it.
- What many clients needed at once stays with the process. Here it goes back to the system within half a minute.
"""

import errno
import os
import resource
import selectors
import signal
import socket
import time
from contextlib import suppress
from functools import partial
from queue import SimpleQueue
from typing import Any  # gunicorn has no types

from gunicorn import util
from gunicorn.workers.gthread import TConn, ThreadWorker

from papercore import limits
from papersite.server import memory
from papersite.server.body_limits import body_limit
from papersite.server.incoming_request import IncomingRequest, RequestRefused

# How long a request may take to arrive while the server is stopping: ended by TERM, it is gone within five seconds if
# nothing else is under way.
STOPPING_REQUEST_SECONDS = 3
# Requests that have not all arrived, per worker and together: 64 of the largest.
ARRIVING_BYTES = 64 * limits.BODY_BYTES
# How often expired connections are looked for: while serving, and while stopping.
POLL_SECONDS = 1.0
STOPPING_POLL_SECONDS = 0.1
# How long a client may take to close its end after the last response; closing sooner might cut that response off.
LINGER_SECONDS = 2.0
# How often a lack of file descriptors is logged, however many connections it concerns.
WARNING_SECONDS = 10.0
RECEIVE_BYTES = 65536
CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"
STOPPING_SIGNALS = (signal.SIGTERM, signal.SIGQUIT, signal.SIGINT)


class SiteWorker(ThreadWorker):  # type: ignore[misc]  # gunicorn has no types
    alive: bool

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # The oldest first: connections that wait for the client to close, and those whose request has not all arrived.
        self.closing: dict[TConn, None] = {}
        self.arriving: dict[TConn, IncomingRequest] = {}
        self.arriving_bytes = 0
        # Connections whose request is being answered.
        self.busy: set[TConn] = set()
        self.spare_descriptor = -1
        self.next_warning = 0.0
        self.has_served = False
        self.next_give_back = 0.0
        # The arbiter's, as it was forked: what comes before the worker has handlers of its own is put there.
        self.early_signals: SimpleQueue[int] = SimpleQueue()

    def init_process(self) -> None:
        self.limit_connections()
        self.spare_descriptor = os.open(os.devnull, os.O_RDONLY)
        super().init_process()

    def limit_connections(self) -> None:
        """At most half of the file descriptors are connections: databases, indexes and assets need some too."""
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = 2 * self.cfg.worker_connections
        if soft < wanted and (hard == resource.RLIM_INFINITY or soft < hard):
            soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        self.worker_connections = min(self.cfg.worker_connections, soft // 2)
        self.max_keepalived = max(0, self.worker_connections - self.cfg.threads)

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
            if self.has_served and time.monotonic() > self.next_give_back:
                self.has_served, self.next_give_back = False, time.monotonic() + memory.GIVE_BACK_SECONDS
                memory.give_back()
        self.alive = False
        self.accept_backlog()
        latest = time.monotonic() + STOPPING_REQUEST_SECONDS
        for conn in self.arriving:  # whoever is in the middle of a request may finish it, but soon
            conn.timeout = min(conn.timeout, latest)
        deadline = time.monotonic() + self.cfg.graceful_timeout
        while self.nr_conns and time.monotonic() < deadline:
            self.poll(STOPPING_POLL_SECONDS)
        self.abort()

    def poll(self, seconds: float) -> None:
        """Handle what happens within this time, and end what has lasted too long."""
        self.wait_for_and_dispatch_events(timeout=seconds)
        self.notify()
        self.murder_keepalived()
        now = time.monotonic()
        while self.closing and (oldest := next(iter(self.closing))).timeout < now:
            self.finish_closing(oldest)
        while self.arriving and (oldest := next(iter(self.arriving))).timeout < now:
            self.refuse_arriving(oldest, 408, "Request Timeout")

    def accept(self, listener: socket.socket) -> None:
        if self.nr_conns >= self.worker_connections:
            self.make_room()
        try:
            client, address = listener.accept()
        except OSError as error:
            if error.errno in (errno.EMFILE, errno.ENFILE):
                self.refuse_connection(listener)
            elif error.errno not in (errno.EAGAIN, errno.ECONNABORTED, errno.EWOULDBLOCK):
                raise
            return
        self.nr_conns += 1
        self.start_arriving(TConn(self.cfg, client, address, listener.getsockname()))

    def make_room(self) -> None:
        if self.closing:
            self.finish_closing(next(iter(self.closing)))
        elif self.arriving:
            oldest = next(iter(self.arriving))
            self.stop_arriving(oldest)
            self.close_connection(oldest)

    def refuse_connection(self, listener: socket.socket) -> None:
        """Without a free descriptor: left in the backlog, the connection would wake the poller without end."""
        if time.monotonic() > self.next_warning:
            self.log.warning("No file descriptor is free: connections are refused. Raise LimitNOFILE.")
            self.next_warning = time.monotonic() + WARNING_SECONDS
        spare, self.spare_descriptor = self.spare_descriptor, -1
        with suppress(OSError):  # another thread may take the place of the spare one
            os.close(spare)
            listener.accept()[0].close()
        with suppress(OSError):
            self.spare_descriptor = os.open(os.devnull, os.O_RDONLY)

    def start_arriving(self, conn: TConn, data: bytes = b"") -> None:
        """Wait for the bytes of a request; `data` was received with the one before."""
        seconds = limits.REQUEST_SECONDS if self.alive else STOPPING_REQUEST_SECONDS
        conn.timeout = time.monotonic() + seconds
        conn.sock.setblocking(False)
        self.has_served = True
        self.poller.register(conn.sock, selectors.EVENT_READ, partial(self.receive, conn))
        self.arriving[conn] = IncomingRequest(self.cfg, conn.client, limit_of_body)
        if data:
            self.add_received(conn, data)

    def receive(self, conn: TConn, client: socket.socket) -> None:
        if conn not in self.arriving:  # closed for another one since the poller reported it
            return
        try:
            data = client.recv(RECEIVE_BYTES)
        except BlockingIOError:
            return
        except OSError:
            data = b""  # the connection was reset
        if data:
            self.add_received(conn, data)
        elif self.arriving[conn].head:
            self.refuse_arriving(conn, 400, "Bad Request")  # the body ended early
        else:
            self.stop_arriving(conn)
            self.close_connection(conn)

    def add_received(self, conn: TConn, data: bytes) -> None:
        request = self.arriving[conn]
        had_head, before = bool(request.head), request.bytes_in_memory
        try:
            request.add(data)
        except RequestRefused as refused:
            self.arriving_bytes += request.bytes_in_memory - before
            self.refuse_arriving(conn, refused.status, refused.reason)
            return
        self.arriving_bytes += request.bytes_in_memory - before
        if request.is_complete:
            self.start_request(conn)
        elif self.arriving_bytes > ARRIVING_BYTES or (request.is_in_file and self.has_too_many_files()):
            self.refuse_arriving(conn, 503, "Service Unavailable")
        elif request.head and request.head._expected_100_continue and not had_head:  # noqa: SLF001 (told in no other way)
            with suppress(OSError):
                conn.sock.send(CONTINUE)

    def has_too_many_files(self) -> bool:
        return sum(request.is_in_file for request in self.arriving.values()) > limits.ARRIVING_FILES

    def stop_arriving(self, conn: TConn) -> IncomingRequest:
        request = self.arriving.pop(conn)
        self.arriving_bytes -= request.bytes_in_memory
        self.poller.unregister(conn.sock)
        return request

    def refuse_arriving(self, conn: TConn, status: int, reason: str) -> None:
        request = self.stop_arriving(conn)
        request.close()
        try:
            if request.has_begun:
                util.write_error(conn.sock, status, reason, reason)
            if self.alive:
                self.start_closing(conn)
                return
        except OSError:
            pass  # the client is gone
        self.close_connection(conn)

    def start_request(self, conn: TConn) -> None:
        conn.request = self.stop_arriving(conn)
        self.busy.add(conn)
        self.enqueue_req(conn)

    def handle(self, conn: TConn) -> bool:
        """Runs in a thread, which is given the whole request: it waits for the client to take the answer alone."""
        head, body = conn.request.head, conn.request.body
        head.body = body
        head._expected_100_continue = False  # noqa: SLF001 (has been answered, or has not been waited for)
        conn.sock.settimeout(limits.SEND_SECONDS)
        try:
            return bool(self.handle_request(head, conn))
        except TimeoutError:
            self.log.info("A client did not take its answer within %s s.", limits.SEND_SECONDS)
        except (OSError, StopIteration) as error:  # it is gone, or the answer broke off, which has been logged
            self.log.debug("The connection ends: %s", error)
        except Exception as error:  # noqa: BLE001 (of a transport; gunicorn logs it)
            self.handle_error(head, conn.sock, conn.client, error)
        finally:
            body.close()
        return False

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
        if rest := bytes(conn.request.rest):  # the poller would not report what was received already
            self.start_arriving(conn, rest)
            return
        conn.sock.setblocking(False)
        conn.set_timeout()
        self.poller.register(conn.sock, selectors.EVENT_READ, partial(self.on_client_socket_readable, conn))
        self.keepalived_conns.append(conn)

    def on_client_socket_readable(self, conn: TConn, client: socket.socket) -> None:
        """A connection that was kept alive is about to send another request."""
        self.poller.unregister(client)
        self.keepalived_conns.remove(conn)
        self.start_arriving(conn)
        self.receive(conn, client)

    def start_closing(self, conn: TConn) -> None:
        """Send no more, and wait for the client to close its end."""
        conn.sock.shutdown(socket.SHUT_WR)
        conn.sock.setblocking(False)
        conn.timeout = time.monotonic() + LINGER_SECONDS
        self.poller.register(conn.sock, selectors.EVENT_READ, partial(self.drain, conn))
        self.closing[conn] = None

    def drain(self, conn: TConn, client: socket.socket) -> None:
        """Read and drop what the client still sends, until it closes its end."""
        if conn not in self.closing:
            return
        try:
            if client.recv(RECEIVE_BYTES):
                return
        except BlockingIOError:
            return
        except OSError:
            pass  # the connection was reset
        self.finish_closing(conn)

    def finish_closing(self, conn: TConn) -> None:
        del self.closing[conn]
        self.poller.unregister(conn.sock)
        self.close_connection(conn)

    def close_connection(self, conn: TConn) -> None:
        self.nr_conns -= 1
        conn.close()

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

    def abort(self) -> None:
        """The time is up: close the connections that are still busy."""
        for conn in self.busy:
            with suppress(OSError):
                conn.sock.shutdown(socket.SHUT_RDWR)
        self.murder_keepalived(force=True)
        self.tpool.shutdown(wait=False, cancel_futures=True)
        self.poller.close()
        self.method_queue.close()


def limit_of_body(head: Any) -> int:  # Any: gunicorn's
    return body_limit(head.path, ";".join(value for name, value in head.headers if name == "COOKIE"))
