"""What the store was given of the running match, in memory: so that nobody has to wait for the card to ask it.

It takes the same saves as the store and forgets the same things. No file, no thread.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from device.store import Running
from device.table.saves import Append, Begin, Finish, Json, Mark, Save, Setting


class Mirror:
    """The running match as the store will have it once everything is written; the loop's own."""

    def __init__(self, running: Running | None) -> None:
        self._head: Json | None = None
        self._events: list[Json] = []
        self._mark: Json = {}
        self._when = ""
        self.made: dict[str, Any] = {}
        """Settings made on the box since it started, by config key."""
        if running is not None:
            self._head, self._events = running.head, list(running.events)
            self._mark, self._when = running.mark, running.when

    def take(self, saves: Sequence[Save], when: str) -> None:
        """These were handed to the store; `when` is their label."""
        for save in saves:
            match save:
                case Begin(head):
                    self._head, self._events, self._mark = head, [], {}
                case Append(events, mark):
                    self._events.extend(events)
                    self._mark = mark
                case Mark(mark):
                    self._mark = mark
                case Finish():
                    self._head, self._events, self._mark = None, [], {}
                case Setting(key, value):
                    self.made[key] = value
                    continue
            self._when = when

    @property
    def running(self) -> Running | None:
        """The match that has begun and not finished."""
        if self._head is None:
            return None
        return Running(self._head, tuple(self._events), self._mark, self._when)
