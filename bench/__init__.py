"""Benchmarks: each prints a table, with ratios against a baseline measured in the same run."""

import os

# As the site does.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
