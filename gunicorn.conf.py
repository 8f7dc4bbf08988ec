"""The configuration of gunicorn, which `papersite serve` starts. docs/deploy.md explains it."""

import gc
import multiprocessing
import os
import shutil
import tempfile
from collections.abc import Sequence
from queue import SimpleQueue
from typing import Protocol

from papersite import logs
from papersite.server import memory
from papersite.server.serving import announce

# Nothing that is loaded becomes garbage: looking for some takes a tenth of the start. Workers collect theirs.
gc.disable()
wsgi_app = "papersite.wsgi:application"
worker_class = "papersite.server.worker.SiteWorker"
workers = int(os.environ.get("WEB_CONCURRENCY") or max(2, min(8, multiprocessing.cpu_count())))
# Many threads, because a slow client occupies one: with 8 a few dozen slow clients starve the others, with 64 not.
threads = 64
# Loaded once, then forked: a lost worker is replaced at once, and workers share memory. New code needs a restart.
preload_app = True
timeout = 60
graceful_timeout = 30
keepalive = 5
limit_request_line = 8190
limit_request_fields = 64
limit_request_field_size = 8190
# A client on the same host would otherwise be believed when it sends SCRIPT_NAME or PATH_INFO.
forwarder_headers = ""
control_socket_disable = True
# Requests run in parallel already: further threads for matrix products would only compete with them. It is read when
# numpy is loaded, which this file must leave to the site.
raw_env = ["OPENBLAS_NUM_THREADS=1"]
# A worker's heartbeat is a file. On a busy disk it would be late, and the worker killed.
worker_tmp_dir = "/dev/shm" if os.path.isdir("/dev/shm") else None  # noqa: PTH112, S108 (a fixed path)
# The site logs requests itself.
accesslog = None
logconfig_dict = logs.configuration()
# Workers keep their counts in this folder, and /metrics sums them. Set before the site is loaded; kept across HUP.
if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = tempfile.mkdtemp(prefix="papersite-metrics-")
memory.bound_heaps()


class Arbiter(Protocol):
    SIG_QUEUE: SimpleQueue[int]
    reexec_pid: int


class Worker(Protocol):
    age: int
    early_signals: SimpleQueue[int]
    sockets: Sequence[object]


def when_ready(server: Arbiter) -> None:
    """Load what all workers share before they are forked, and freeze it: collecting would copy it into each of them."""
    from papercore.retrieval import WordVectors

    WordVectors.load()
    gc.freeze()


def post_fork(server: Arbiter, worker: Worker) -> None:
    gc.enable()
    worker.early_signals = server.SIG_QUEUE


def post_worker_init(worker: Worker) -> None:
    """Print where the site is once the first worker answers; its successors are no news."""
    if worker.age == 1:
        announce(str(worker.sockets[0]))


def on_exit(server: Arbiter) -> None:
    if not server.reexec_pid:  # a successor started by USR2 uses the same folder
        shutil.rmtree(os.environ["PROMETHEUS_MULTIPROC_DIR"], ignore_errors=True)
