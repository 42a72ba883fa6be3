"""Stop is heard to its end: a tune that comes with it waits here until then. No buzzer, no clock."""

from __future__ import annotations

from math import inf

TUNES = ("final", "record")
"""Sounds that wait; the short ones belong to their own moment and would mean nothing later."""
STOP_LASTS = 1.6
"""Seconds from Stop to a tune that comes with it: Stop buzzes for 1.5, and a breath tells the two apart (ruling)."""

_SLACK = 1e-7


class Tunes:
    """The newest tune that waits for Stop's end. Times are clock seconds."""

    def __init__(self) -> None:
        self._until = -inf
        self._waits = ""

    def later(self, sound: str, now: float) -> bool:
        """A sound is asked for at `now`. True: it is a tune over which Stop still sounds, and will be due later."""
        if sound in TUNES and now < self._until - _SLACK:
            self._waits = sound
            return True
        if sound == "stop":
            self._until = now + STOP_LASTS
        elif sound == "second-chance":
            # It takes Stop back.
            self._until = -inf
        return False

    @property
    def due(self) -> float:
        """When the tune that waits is to sound; inf: none waits."""
        return self._until if self._waits else inf

    def take(self, now: float) -> str:
        """The tune that is due by `now`, or ""."""
        if now < self.due - _SLACK:
            return ""
        tune, self._waits = self._waits, ""
        return tune
