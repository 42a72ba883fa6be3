"""The one thing that comes in from the buttons. No filter and no meaning: see gestures."""

from __future__ import annotations

from device.plain import dataclass


@dataclass(frozen=True, slots=True)
class Edge:
    """Button 1 to 4 went down (or up) at `stamp`, in seconds of the monotonic clock, where it happened."""

    button: int
    down: bool
    stamp: float
