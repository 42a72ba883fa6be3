"""What a scene is to the table: how it looks, whose press it waits for, what the gestures do, when it must be woken.

The base class does nothing on every gesture; a scene overrides what it knows. Handlers hold no state of their own.
"""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

from device.game.players import Player
from device.table.scenes import Lamps, Scene

if TYPE_CHECKING:
    from device.table.table import Table


class Handler:
    """One scene. Times are clock seconds: `stamp` when the button moved, `now` when the table heard of it."""

    name = ""
    """The scene's name in transcripts."""

    def view(self, t: Table, now: float) -> Scene:
        """The scene to draw."""
        raise NotImplementedError

    def lamps(self, t: Table) -> Lamps:
        """Lit or blinking: "you may press"."""
        return Lamps()

    def down(self, t: Table, player: Player, stamp: float, now: float) -> bool:
        """A button went down. True: that was all this press is for (no press at its release, no hold)."""
        return False

    def press(self, t: Table, player: Player, stamp: float, now: float) -> None:
        """A button that went down in this scene was let go, and it was no hold."""

    def hold(self, t: Table, player: Player, stamp: float, now: float) -> None:
        """One button has been down for 1.5 s."""

    def pair(self, t: Table, now: float) -> None:
        """Two buttons have been down together for 1.5 s."""

    def settle(self, t: Table, now: float) -> None:
        """Called before anything else happens at `now`: what waited for undecided presses may be settled."""

    def due(self, t: Table) -> float:
        """The scene's next appointment; inf: none."""
        return inf

    def wake(self, t: Table, due: float, now: float) -> None:
        """The appointment `due` has come (heard of at `now`)."""

    def stops(self, t: Table) -> float:
        """When Stop sounds, if nothing but the clock comes before; inf: never, or what happens then is not certain."""
        return inf

    def moving(self, t: Table) -> bool:
        """The picture changes by itself."""
        return False
