"""How much one client may ask for in a while: counted in memory, per process."""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable

# Clients remembered; whoever asked longest ago is forgotten first, and starts anew.
CLIENTS = 10_000


class Allowance:
    """Up to `per_minute` calls at once, and as many more as a minute brings. 0 sets no limit."""

    def __init__(self, per_minute: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.per_minute = per_minute
        self._clock = clock
        self._lock = threading.Lock()
        # When each client's allowance will be whole again.
        self._whole_at: OrderedDict[str, float] = OrderedDict()

    def wait(self, client: str) -> float:
        """Seconds until the client may ask again; 0 if it may now."""
        if not self.per_minute:
            return 0.0
        with self._lock:
            missing = self._whole_at.get(client, 0.0) - self._clock()
        return max(0.0, missing - 60 + 60 / self.per_minute)

    def take(self, client: str) -> float:
        """Count one call, if the client may ask; otherwise the seconds until it may."""
        if seconds := self.wait(client):
            return seconds
        if self.per_minute:
            with self._lock:
                start = max(self._whole_at.pop(client, 0.0), self._clock())
                self._whole_at[client] = start + 60 / self.per_minute
                if len(self._whole_at) > CLIENTS:
                    self._whole_at.popitem(last=False)
        return 0.0
