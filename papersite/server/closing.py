"""How a connection ends: no more is sent, and the client is given a moment to close its end."""

import socket
import time
from functools import partial
from selectors import EVENT_READ
from typing import Any  # gunicorn has no types

from gunicorn.workers.gthread import TConn, ThreadWorker

# How long a client may take to close its end after the last response; closing sooner might cut that response off.
LINGER_SECONDS = 2.0
RECEIVE_BYTES = 65536


class ClosingWorker(ThreadWorker):  # type: ignore[misc]  # gunicorn has no types
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # Connections that wait for the client to close, the oldest first.
        self.closing: dict[TConn, None] = {}

    def start_closing(self, conn: TConn) -> None:
        """Send no more, and wait for the client to close its end."""
        conn.sock.shutdown(socket.SHUT_WR)
        conn.sock.setblocking(False)
        conn.timeout = time.monotonic() + LINGER_SECONDS
        self.poller.register(conn.sock, EVENT_READ, partial(self.drain, conn))
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
