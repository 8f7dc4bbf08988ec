"""Gathers requests in the poller: a thread gets a request when it is complete, so slow clients hold no thread.

Written against gunicorn 27.0.0, which requirements.txt pins: read its `workers/gthread.py` before raising the version.

- A client that sends slowly, or stops, costs a socket and some memory, for a limited time.
- When there are as many connections as there may be, one that has been answered, or has been sending its request for
  longest, is closed for a new one.
- A process without a free file descriptor refuses connections and goes on.
"""

import errno
import os
import resource
import selectors
import socket
import time
from contextlib import suppress
from functools import partial
from typing import Any  # gunicorn has no types

from gunicorn import util
from gunicorn.workers.gthread import TConn, ThreadWorker

from papercore import limits
from papersite.server.incoming_request import IncomingRequest

# How long a client may take to close its end after the last response; closing sooner might cut that response off.
LINGER_SECONDS = 2.0
# How often a lack of file descriptors is logged, however many connections it concerns.
WARNING_SECONDS = 10.0
RECEIVE_BYTES = 65536
CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"


class BufferingWorker(ThreadWorker):  # type: ignore[misc]  # gunicorn has no types
    alive: bool

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # The oldest first: connections that wait for the client to close, and those whose request has not all arrived.
        self.closing: dict[TConn, None] = {}
        self.arriving: dict[TConn, IncomingRequest] = {}
        self.arriving_bytes = 0
        self.spare_descriptor = -1
        self.next_warning = 0.0

    def init_process(self) -> None:
        self.limit_connections()
        self.spare_descriptor = os.open(os.devnull, os.O_RDONLY)
        # Each setting is otherwise two calls, and dozens are read for each request.
        self.cfg.__dict__.update({name: setting.get() for name, setting in self.cfg.settings.items()})
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
        seconds = limits.REQUEST_SECONDS if self.alive else limits.STOPPING_REQUEST_SECONDS
        conn.timeout = time.monotonic() + seconds
        conn.sock.setblocking(False)
        self.poller.register(conn.sock, selectors.EVENT_READ, partial(self.receive, conn))
        self.arriving[conn] = IncomingRequest()
        if data:
            self.add_received(conn, data)

    def on_client_socket_readable(self, conn: TConn, client: socket.socket) -> None:
        """A connection that was kept alive is about to send another request."""
        self.poller.unregister(client)
        self.keepalived_conns.remove(conn)
        self.start_arriving(conn)
        self.receive(conn, client)

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
        elif self.arriving[conn].has_head:
            self.start_request(conn)  # the body ended early
        else:
            self.stop_arriving(conn)
            self.close_connection(conn)

    def add_received(self, conn: TConn, data: bytes) -> None:
        request = self.arriving[conn]
        had_head = request.has_head
        request.add(data)
        self.arriving_bytes += len(data)
        if request.is_too_large and request.has_head:
            self.refuse_arriving(conn, 413, "Content Too Large")
        elif request.is_too_large:
            self.refuse_arriving(conn, 431, "Request Header Fields Too Large")
        elif request.is_complete:
            self.start_request(conn)
        elif self.arriving_bytes > limits.ARRIVING_BYTES:
            self.refuse_arriving(conn, 503, "Service Unavailable")
        elif request.expects_continue and not had_head:
            with suppress(OSError):
                conn.sock.send(CONTINUE)

    def stop_arriving(self, conn: TConn) -> IncomingRequest:
        request = self.arriving.pop(conn)
        self.arriving_bytes -= len(request.data)
        self.poller.unregister(conn.sock)
        return request

    def start_request(self, conn: TConn) -> None:
        request = self.stop_arriving(conn)
        conn.init()
        conn.parser.unreader.unread(bytes(request.data))
        self.enqueue_req(conn)

    def refuse_arriving(self, conn: TConn, status: int, reason: str) -> None:
        sent_anything = bool(self.stop_arriving(conn).data)
        try:
            if sent_anything:
                util.write_error(conn.sock, status, reason, reason)
            if self.alive:
                self.start_closing(conn)
                return
        except OSError:
            pass  # the client is gone
        self.close_connection(conn)

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
