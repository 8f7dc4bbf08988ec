"""Keeps stdout for JSON-RPC alone. Imports no Django, so that it comes before the settings are read."""

import os
import sys
from functools import cache
from typing import BinaryIO


@cache
def claimed_stdout() -> BinaryIO:
    """The real stdout; whatever else writes to stdout from now on, at any level, reaches stderr."""
    sys.stdout.flush()
    wire = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return wire
