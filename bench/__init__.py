"""Benchmarks: each prints a table, with ratios measured in one run."""
