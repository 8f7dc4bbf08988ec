"""How gunicorn serves the site. `manage.py serve` starts it; docs/deploy.md explains it."""

import ctypes
import gc
import multiprocessing
import os
import shutil
import tempfile
from typing import Protocol

from papersite import logs

wsgi_app = "papersite.wsgi:application"
worker_class = "papersite.gunicorn_worker.GracefulWorker"
workers = int(os.environ.get("WEB_CONCURRENCY") or max(2, min(8, multiprocessing.cpu_count())))
# Many threads, because a slow client holds one: with 8 a few dozen slow clients starve the others, with 64 they do not.
threads = 64
# Loaded once, then forked: a lost worker is back at once, and workers share memory. New code needs a restart, not HUP.
preload_app = True
timeout = 60
graceful_timeout = 30
keepalive = 5
limit_request_line = 8190
limit_request_fields = 64
limit_request_field_size = 8190
control_socket_disable = True
# Requests run in parallel already: matrix products with threads of their own would only wait for each other.
raw_env = ["OPENBLAS_NUM_THREADS=1"]
# A worker's heartbeat is a file; on a busy disk it comes late, and the worker is taken for dead.
worker_tmp_dir = "/dev/shm" if os.path.isdir("/dev/shm") else None  # noqa: PTH112, S108 (no path to join or to guess)
# The site writes its own line per request.
accesslog = None
logconfig_dict = logs.configuration()
# Workers count in files of this folder, and /metrics sums them. Set before the site is loaded, and kept over HUP.
if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = tempfile.mkdtemp(prefix="papersite-metrics-")
# glibc gives each of many threads a heap of its own, and what is freed in one serves no other. Inherited by workers.
M_ARENA_MAX = -8
if hasattr(libc := ctypes.CDLL(None), "mallopt"):
    libc.mallopt(M_ARENA_MAX, 2)


class Arbiter(Protocol):
    reexec_pid: int


def when_ready(server: Arbiter) -> None:
    """What is loaded before workers are forked stays: collecting it would copy its pages into each of them."""
    gc.collect()
    gc.freeze()


def on_exit(server: Arbiter) -> None:
    if not server.reexec_pid:  # a successor that USR2 started counts on in the same folder
        shutil.rmtree(os.environ["PROMETHEUS_MULTIPROC_DIR"], ignore_errors=True)
