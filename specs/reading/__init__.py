"""Reads spec files: finding them, parsing, changes, validation."""
