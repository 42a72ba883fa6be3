"""Rest and going on: what stops the clock of play, what starts it again, and the scene "paused"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from device.game.players import SEATS, Player
from device.table import scenes
from device.table.handler import Handler
from device.table.scenes import Lamps

if TYPE_CHECKING:
    from device.table.table import Table


def rest(t: Table, now: float) -> None:
    """The clock of play stands from now on."""
    t.change(play=t.e.play.stop(now))
    t.tick_mark(now)


def carry_on(t: Table, now: float) -> None:
    """The clock of play runs again, if the scene behind is one in which it does."""
    e = t.e
    if e.match is not None and e.match.phase == "race":
        if e.stands is not None:
            t.change(stands=now)
        elif not e.stopping:
            t.change(play=e.play.start(now))
    elif e.solo is not None and e.solo.stage == "running":
        t.change(play=e.play.start(now))


class Paused(Handler):
    """The glass lies on its side; any press goes on."""

    name = "paused"

    def view(self, t: Table, now: float) -> scenes.Scene:
        """See Handler."""
        e = t.e
        left = e.sand.shown(e.play.before) if e.sand else None
        if left is None and e.match is not None and e.stands is not None and e.glass is not None:
            left = int(e.glass)
        if e.match is None:
            return scenes.Paused(1, None, left, e.joined)
        return scenes.Paused(e.match.round, e.match.edition.rounds, left, e.match.players)

    def lamps(self, t: Table) -> Lamps:
        """Anybody may press."""
        return Lamps(blinking=frozenset(SEATS))

    def press(self, t: Table, player: Player, stamp: float, now: float) -> None:
        """Go on."""
        t.e = t.e.at(t.e.scene, overlay="")
        carry_on(t, now)
