"""The site: settings, urls, error mapping, health. No behaviour."""

import os

# A request has one thread. Threads of the linear algebra library beside it would only take the cores from others.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
