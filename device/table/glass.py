"""The glass as an appointment: seconds of play, pauses left out, and when the sand will have run.

Nothing counts down here and nothing sleeps; the times of the monotonic clock are handed in.
"""

from __future__ import annotations

from dataclasses import replace
from math import ceil, inf

from device.plain import dataclass

# A tenth of a microsecond of float dust must not show one second more.
_DUST = 1e-6


@dataclass(frozen=True, slots=True)
class Play:
    """A stopwatch of play: `before` seconds had passed when it last started at `since` (None: it stands)."""

    before: float = 0.0
    since: float | None = None

    def at(self, now: float) -> float:
        """Seconds of play at `now`."""
        return self.before if self.since is None else self.before + (now - self.since)

    def when(self, at: float) -> float:
        """The clock time at which `at` seconds of play are reached; inf while it stands."""
        return inf if self.since is None else self.since + (at - self.before)

    def start(self, now: float) -> Play:
        """Running from `now` on."""
        return self if self.since is not None else replace(self, since=now)

    def stop(self, now: float) -> Play:
        """Standing from `now` on."""
        return Play(self.at(now))


@dataclass(frozen=True, slots=True)
class Sand:
    """A glass of `total` seconds, turned after `turned` seconds of play."""

    total: float
    turned: float

    @property
    def end(self) -> float:
        """The second of play at which the sand has run."""
        return self.turned + self.total

    def left(self, at: float) -> float:
        """Seconds of sand left at this second of play, never below 0."""
        return max(0.0, self.end - at)

    def shown(self, at: float) -> int:
        """Whole seconds to show: rounded up, so that 0 means over."""
        return max(0, ceil(self.left(at) - _DUST))
