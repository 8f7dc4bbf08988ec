"""The errors for a library that cannot be built or updated."""


class BuildError(Exception):
    """Nothing was built or changed; the message says why, in one line for the person at the terminal."""


class LibraryBusy(BuildError):
    """Another build or update is at work in the same folder."""
