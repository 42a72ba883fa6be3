"""Who holds which button, and edges no faster than a finger makes them. Knows no pins and no sockets.

A tap travels as two messages. A touchpad, a stalled page or a bad radio link may hand them over together; passed on
as they come they would be a pulse of microseconds, which the box rightly takes for noise. Or the second one comes
late, and the tap would be a hold: whoever holds a button must therefore be heard of again and again.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Hashable
from typing import Any

BUTTONS = (1, 2, 3, 4)
SHORTEST = 0.04
"""Seconds between two edges of a button at least; a tap this long counts (ruling)."""
SILENCE = 1.1
"""Seconds without a word of somebody who holds a button, after which it comes up.

Less than a hold (1.5 s), so that a tap of up to 0.3 s stays one however long its page stalls; and as much as that
allows, so that a hold outlives a hiccup.
"""
_SECOND_LOOK = 0.05
_MOST_WAITING = 8


class Fingers:
    """Turns what all the pages hold into the edges of four buttons. For one thread: that of `later`."""

    def __init__(
        self,
        push: Callable[[int, bool], None],
        later: Callable[[float, Callable[[], None]], Any],
        silence: float = SILENCE,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """`push(button, down)` makes an edge; `later(seconds, call)` calls in time; `silence`: see SILENCE."""
        self._push = push
        self._later = later
        self._silence = silence
        self._now = now
        self._heard: dict[Hashable, float] = {}
        self._holders: dict[int, set[Hashable]] = {button: set() for button in BUTTONS}
        self._waiting: dict[int, deque[bool]] = {button: deque() for button in BUTTONS}
        self._free_at = dict.fromkeys(BUTTONS, 0.0)

    def press(self, who: Hashable, button: int) -> None:
        """`who` puts a finger on button 1 to 4. It is down as long as anybody's finger is on it."""
        if who not in self._heard:
            self._later(self._silence, lambda: self._look(who))
        self._heard[who] = self._now()
        holders = self._holders[button]
        if not holders:
            self._edge(button, True)
        holders.add(who)

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

    def still(self, who: Hashable) -> None:
        """`who` is there and holds what was held before. A button that silence let go stays up."""
        if who in self._heard:
            self._heard[who] = self._now()

    def _look(self, who: Hashable, again: bool = False) -> None:
        left = self._heard[who] + self._silence - self._now()
        if not any(who in holders for holders in self._holders.values()):
            del self._heard[who]
        elif left > 0:
            self._later(left, lambda: self._look(who))
        elif not again:
            # It may be our own thread that was late, and the word is waiting to be read.
            self._later(_SECOND_LOOK, lambda: self._look(who, again=True))
        else:
            del self._heard[who]
            self.let_go(who)

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
            now = self._now()
            if now < self._free_at[button]:
                self._later(self._free_at[button] - now, lambda: self._work_off(button))
                return
            self._free_at[button] = now + SHORTEST
            self._push(button, waiting[0])
            waiting.popleft()
