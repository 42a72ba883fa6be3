"""From decided edges to gestures: press, hold, two buttons together, three buttons together.

Which of them counts in which scene is the scenes' business. No clock; times in seconds are handed in.
"""

from __future__ import annotations

from math import inf

from device.plain import dataclass

HOLD = 1.5
"""Seconds for a hold, of one button or of two (ruling)."""
MENU = 2.0
"""Seconds that three buttons are down together to open the menu (ruling)."""


@dataclass(slots=True)
class _Finger:
    """A button that is down: since when, in which turn of the evening, and whether it has done its work."""

    since: float
    turn: int
    used: bool = False


class Hands:
    """Which buttons are down, and what that becomes if they stay down."""

    def __init__(self) -> None:
        self._down: dict[int, _Finger] = {}
        self._menu_done = False

    def down(self, button: int, stamp: float, turn: int) -> None:
        """A button went down at `stamp`; `turn` tells the presses of different scenes apart."""
        self._down[button] = _Finger(stamp, turn)
        if len(self._down) < 3:
            self._menu_done = False

    def use(self, button: int) -> None:
        """This press has done its work: no hold and no press comes of it any more."""
        if button in self._down:
            self._down[button].used = True

    def use_all(self) -> None:
        """Nothing comes of any button that is down now."""
        for finger in self._down.values():
            finger.used = True

    def up(self, button: int, turn: int) -> float | None:
        """A button was let go. The stamp of its down edge if that was a press of this turn, else None."""
        finger = self._down.pop(button, None)
        if finger is None or finger.used or finger.turn != turn:
            return None
        return finger.since

    def since(self, button: int) -> float:
        """When this button, which is down, went down."""
        return self._down[button].since

    def pressed(self, button: int) -> float | None:
        """Since when this button has been down without having done its work; None if it is not."""
        finger = self._down.get(button)
        return None if finger is None or finger.used else finger.since

    @property
    def empty(self) -> bool:
        """No button is down."""
        return not self._down

    @property
    def buttons(self) -> tuple[int, ...]:
        """The buttons that are down."""
        return tuple(sorted(self._down))

    def _together(self) -> list[int]:
        return [button for button, finger in self._down.items() if not finger.used]

    def due(self) -> float:
        """When the next hold, pair or menu comes if nothing changes; inf: never."""
        if len(self._down) >= 3:
            since = sorted(finger.since for finger in self._down.values())[2]
            return inf if self._menu_done else since + MENU
        fingers = [self._down[button] for button in self._together()]
        return max(finger.since for finger in fingers) + HOLD if fingers else inf

    def held(self) -> tuple[int, ...]:
        """What `due` came for: one button (a hold), two, or three and more (the menu). They are used by it."""
        if len(self._down) >= 3:
            self._menu_done = True
            buttons = self.buttons
            self.use_all()
            return buttons
        buttons = tuple(sorted(self._together()))
        for button in buttons:
            self._down[button].used = True
        return buttons
