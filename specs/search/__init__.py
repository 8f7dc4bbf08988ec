"""Finds requirements by words and by meaning."""
