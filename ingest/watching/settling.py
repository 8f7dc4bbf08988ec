"""Waits until files are no longer written: what two looks in a row saw alike has settled."""

from collections.abc import Mapping
from pathlib import Path

# Looks that the files at hand wait for others that are still written.
WATCH_LOOKS_TO_SETTLE = 10
# A stamp; None for a file that is gone.
Stamps = Mapping[Path, str | None]


class Settling:
    def __init__(self) -> None:
        self._last: Stamps = {}
        self._looks_waited = 0

    def settled(self, pending: Stamps) -> dict[Path, str | None]:
        """Those of the files at hand that can be read now. While others are written, all of them wait for a while."""
        same = {path: stamp for path, stamp in pending.items() if path in self._last and self._last[path] == stamp}
        self._last = dict(pending)
        if len(same) < len(pending) and self._looks_waited < WATCH_LOOKS_TO_SETTLE:
            self._looks_waited += 1
            return {}
        self._looks_waited = 0
        return same
