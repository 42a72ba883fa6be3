"""What is wrong just now: which of it the screen shows, and for how long. No clock of its own, no part."""

from __future__ import annotations

from math import inf

NOTICE = 60.0
"""Seconds that what only happened once, and cannot be said to be well again, stays on the screen (ruling)."""
HEALS = ("oled", "store")
"""Who says by himself that he is well again."""


class Troubles:
    """All that is wrong, newest last. Times are seconds of the monotonic clock."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[str, float]] = {}

    def gone(self, about: str, text: str, now: float) -> None:
        """Something is wrong; the newest of its kind replaces the older."""
        self._known.pop(about, None)
        self._known[about] = (text, inf if about in HEALS else now + NOTICE)

    def back(self, about: str) -> None:
        """It is well again."""
        self._known.pop(about, None)

    def fade(self, about: str, now: float) -> None:
        """It is well again, but what it has cost is still to be read for a while."""
        text, until = self._known[about]
        self._known[about] = (text, min(until, now + NOTICE))

    def expire(self, now: float) -> bool:
        """Forget what has been shown long enough; whether there was any."""
        over = [about for about, (_, until) in self._known.items() if now >= until]
        for about in over:
            del self._known[about]
        return bool(over)

    def text(self, about: str) -> str:
        """What is wrong there, or ""."""
        return self._known.get(about, ("", 0.0))[0]

    @property
    def newest(self) -> str:
        """What the screen is to show: about what, or ""."""
        return next(reversed(self._known), "")

    @property
    def due(self) -> float:
        """When to call `expire` next; inf: never."""
        return min((until for _, until in self._known.values()), default=inf)
