"""The papers and libraries that benchmarks read."""
