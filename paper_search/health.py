"""How a part of the product is: the one shape that probes, metrics and `manage.py doctor` share."""

from dataclasses import dataclass
from typing import Literal

# degraded: it works in part, or with what was there before; missing: what needs it cannot be answered.
State = Literal["ok", "degraded", "missing"]


@dataclass(frozen=True)
class Part:
    """A part's state, and what to do about it. The hint names no path and no address."""

    name: str
    state: State
    hint: str = ""
