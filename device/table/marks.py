"""When the running clock is kept, so that a power cut costs little of it. What a mark says is the table's."""

from __future__ import annotations

from math import inf

from device.table.saves import Mark

MARK_EVERY = 0.2
"""Seconds between two savings of a running clock: a power cut may cost 250 ms (ruling)."""

_SLACK = 1e-7


class Marks:
    """`at`: when the newest mark fell due, in clock seconds.

    `asked`: the loop is woken for every mark. One that can't lose power unawares is not: it lets them pass, and asks
    for the newest, the one that is `owed`, when the power goes.
    """

    def __init__(self, now: float) -> None:
        self.at = now
        self.asked = True
        self._owed: Mark | None = None

    @property
    def due(self) -> float:
        """When to be woken for the next one, while the clock runs; inf: not at all."""
        return self.at + MARK_EVERY if self.asked else inf

    def ripe(self, now: float, frame: float) -> bool:
        """Whether the next one is taken along at `now`: it falls due before the next picture but one."""
        return now >= self.at + MARK_EVERY - min(frame, MARK_EVERY) / 2

    def passed(self, now: float) -> float:
        """When the newest one fell due before `now`."""
        last = self.at
        while not self.asked and last + MARK_EVERY < now - _SLACK:
            last += MARK_EVERY
        return last

    def owe(self, mark: Mark | None) -> None:
        """The newest mark; None: something newer was kept."""
        self._owed = mark

    def owed(self) -> Mark | None:
        """The newest mark, once, unless something newer was kept."""
        mark, self._owed = self._owed, None
        return mark
