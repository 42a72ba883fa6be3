"""Counting only: a family that played without the box lets it multiply and add."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from device.game.gems import GEMS, Gem, Gems
from device.game.players import SEATS, Player
from device.table import scenes, told
from device.table.evening import Counting, Evening
from device.table.handler import Handler
from device.table.saves import Begin
from device.table.scenes import Lamps

if TYPE_CHECKING:
    from device.table.table import Table

MOST = 99
"""Gems of one colour a hand can hold here; no edition has more."""


def start(t: Table) -> None:
    """Count for those who have joined, or for all four if nobody has."""
    players = t.e.joined or SEATS
    counting = Counting(players, 0, dict.fromkeys(players, Gems()))
    t.begin(Evening(joined=t.e.joined, counting=counting, turn=t.e.turn), "count")


class Count(Handler):
    """The gems of one player: a press is one more of the colour, a hold one less, two together the next player."""

    name = "count"

    def view(self, t: Table, now: float) -> scenes.Scene:
        """See Handler."""
        c = self._counting(t)
        hand = c.hands[c.players[c.index]]
        return scenes.Count(c.players[c.index], hand, hand.points)

    def lamps(self, t: Table) -> Lamps:
        """The four colours of gems."""
        return Lamps(lit=frozenset(SEATS))

    def _counting(self, t: Table) -> Counting:
        assert t.e.counting is not None
        return t.e.counting

    def _add(self, t: Table, gem: Gem, count: int) -> None:
        c = self._counting(t)
        player = c.players[c.index]
        if not 0 <= c.hands[player][gem] + count <= MOST:
            t.sound("refused")
            return
        t.change(counting=replace(c, hands={**c.hands, player: c.hands[player].plus(gem, count)}))
        t.sound("gem")

    def press(self, t: Table, player: Player, stamp: float, now: float) -> None:
        """One more."""
        self._add(t, GEMS[player.button - 1], 1)

    def hold(self, t: Table, player: Player, stamp: float, now: float) -> None:
        """One less."""
        self._add(t, GEMS[player.button - 1], -1)

    def pair(self, t: Table, now: float) -> None:
        """The next player; after the last one the ranking."""
        c = self._counting(t)
        if c.index + 1 < len(c.players):
            t.e = t.e.at("count", counting=replace(c, index=c.index + 1))
            return
        outcome = told.counted(c.hands, t.settings.names)
        t.save(Begin({"kind": "counted", "players": outcome["players"]}))
        t.finish(outcome)
        t.say("final", scores=outcome["scores"], ranking=outcome["ranking"])
        t.sound("final")
        t.go("final", joined=c.players)
