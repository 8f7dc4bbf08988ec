"""Checks a snapshot and its assets. Knows no web framework."""
