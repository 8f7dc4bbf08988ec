"""Why a snapshot cannot be built at all, in one line for the person at the terminal."""


class BuildError(Exception):
    pass
