"""A draft checked against the library."""
