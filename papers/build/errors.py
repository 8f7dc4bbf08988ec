"""The error for a snapshot that cannot be built."""


class BuildError(Exception):
    """Nothing was built; the message says why, in one line for the person at the terminal."""
