"""Reserves stdout for JSON-RPC. Imports no Django, so that it can run before the settings are read."""

import os
import sys
from functools import cache
from typing import BinaryIO


@cache
def claim_stdout() -> BinaryIO:
    """The real stdout. From now on everything else that writes to stdout, at any level, reaches stderr."""
    sys.stdout.flush()
    protocol = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return protocol
