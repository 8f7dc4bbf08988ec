"""Benchmarks: each prints a table, with ratios measured in one run."""

import os

# As the site does.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
