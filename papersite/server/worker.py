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
import signal
import socket
import time
from contextlib import suppress
from queue import SimpleQueue
from selectors import EVENT_READ
from typing import Any  # gunicorn has no types

from gunicorn.workers.gthread import TConn

from papersite.server import memory
from papersite.server.arriving import STOPPING_REQUEST_SECONDS, ArrivingWorker

# How often expired connections are looked for: while serving, and while stopping.
POLL_SECONDS = 1.0
STOPPING_POLL_SECONDS = 0.1
# How often a lack of file descriptors is logged, however many connections it concerns.
WARNING_SECONDS = 10.0
STOPPING_SIGNALS = (signal.SIGTERM, signal.SIGQUIT, signal.SIGINT)


class SiteWorker(ArrivingWorker):
    """Listens, and stops; how requests arrive and connections end is in the classes below it."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.spare_descriptor = -1
        self.next_warning = 0.0
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
        self.poller.register(self.method_queue.fileno(), EVENT_READ, self.method_queue.run_callbacks)
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
