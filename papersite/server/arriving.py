"""How requests arrive: the poller gathers and parses them, a thread is given a whole one, and the next may follow."""

import socket
import time
from contextlib import suppress
from functools import partial
from selectors import EVENT_READ
from typing import Any  # gunicorn has no types

from gunicorn import util
from gunicorn.workers.gthread import TConn

from papercore import limits
from papersite.server.body_limits import body_limit
from papersite.server.closing import RECEIVE_BYTES, ClosingWorker
from papersite.server.incoming_request import IncomingRequest, RequestRefused

# How long a request may take to arrive while the server is stopping: ended by TERM, it is gone within five seconds if
# nothing else is under way.
STOPPING_REQUEST_SECONDS = 3
# Requests that have not all arrived, per worker and together: 64 of the largest.
ARRIVING_BYTES = 64 * limits.BODY_BYTES
CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"


class ArrivingWorker(ClosingWorker):
    alive: bool

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # Connections whose request has not all arrived, the oldest first; and those whose request is being answered.
        self.arriving: dict[TConn, IncomingRequest] = {}
        self.arriving_bytes = 0
        self.busy: set[TConn] = set()
        self.has_served = False

    def start_arriving(self, conn: TConn, data: bytes = b"") -> None:
        """Wait for the bytes of a request; `data` was received with the one before."""
        seconds = limits.REQUEST_SECONDS if self.alive else STOPPING_REQUEST_SECONDS
        conn.timeout = time.monotonic() + seconds
        conn.sock.setblocking(False)
        self.has_served = True
        self.poller.register(conn.sock, EVENT_READ, partial(self.receive, conn))
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
        self.poller.register(conn.sock, EVENT_READ, partial(self.on_client_socket_readable, conn))
        self.keepalived_conns.append(conn)

    def on_client_socket_readable(self, conn: TConn, client: socket.socket) -> None:
        """A connection that was kept alive is about to send another request."""
        self.poller.unregister(client)
        self.keepalived_conns.remove(conn)
        self.start_arriving(conn)
        self.receive(conn, client)


def limit_of_body(head: Any) -> int:  # Any: gunicorn's
    return body_limit(head.path, ";".join(value for name, value in head.headers if name == "COOKIE"))
