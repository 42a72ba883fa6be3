"""Who holds which button, and edges no faster than a finger makes them. Knows no pins and no sockets.

A tap travels as two messages. A touchpad, a stalled page or a bad radio link may hand them over together; passed on
as they come they would be a pulse of microseconds, which the box rightly takes for noise.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Hashable
from typing import Any

BUTTONS = (1, 2, 3, 4)
SHORTEST = 0.04
"""Seconds between two edges of a button at least; a tap this long counts (ruling)."""
_MOST_WAITING = 8


class Fingers:
    """Turns what all the pages hold into the edges of four buttons. For one thread: that of `later`."""

    def __init__(self, push: Callable[[int, bool], None], later: Callable[[float, Callable[[], None]], Any]) -> None:
        """`push(button, down)` makes an edge; `later(seconds, call)` calls in time."""
        self._push = push
        self._later = later
        self._holders: dict[int, set[Hashable]] = {button: set() for button in BUTTONS}
        self._waiting: dict[int, deque[bool]] = {button: deque() for button in BUTTONS}
        self._free_at = dict.fromkeys(BUTTONS, 0.0)

    def press(self, who: Hashable, button: int) -> None:
        """`who` puts a finger on button 1 to 4. It is down as long as anybody's finger is on it."""
        holders = self._holders[button]
        holders.add(who)
        if len(holders) == 1:
            self._edge(button, True)

    def release(self, who: Hashable, button: int) -> None:
        """`who` lets go of button 1 to 4; nothing happens if `who` was not holding it."""
        holders = self._holders[button]
        if who in holders:
            holders.remove(who)
            if not holders:
                self._edge(button, False)

    def let_go(self, who: Hashable) -> None:
        """`who` is gone and holds nothing any more."""
        for button in BUTTONS:
            self.release(who, button)

    def _edge(self, button: int, down: bool) -> None:
        waiting = self._waiting[button]
        waiting.append(down)
        if len(waiting) == 1:
            self._work_off(button)
        elif len(waiting) > _MOST_WAITING:
            # No hand is that fast: leave a whole press out, the button ends up where it should.
            waiting.pop()
            waiting.pop()

    def _work_off(self, button: int) -> None:
        waiting = self._waiting[button]
        while waiting:
            now = time.monotonic()
            if now < self._free_at[button]:
                self._later(self._free_at[button] - now, lambda: self._work_off(button))
                return
            self._free_at[button] = now + SHORTEST
            self._push(button, waiting[0])
            waiting.popleft()
