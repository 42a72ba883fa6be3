"""What is true of a match and of a table at every moment, whatever was pressed. A law that is broken is an error."""

from __future__ import annotations

import traceback

from device.game import rules
from device.game.match import Match, begin
from device.game.players import Player
from device.table import scenes
from device.table.evening import Evening
from device.table.table import Table
from device.table.told import scene_of
from tests.game import laws

OVERLAYS = ("", "resume", "paused", "menu", "settings", "rules", "history")
WITHOUT_MATCH = ("lobby", "youngest", "alone", "count", "final")

AGAIN = 0.4
"""Seconds after which a picture on which only the clock moves is looked at again."""


class Broken(AssertionError):
    """A law does not hold."""


def need(holds: object, law: str) -> None:
    """The law, or Broken."""
    if not holds:
        raise Broken(law)


def check_match(match: Match) -> None:
    """What holds of any match at any moment: tests/game/laws.py."""
    fresh = begin(match.edition, match.players, first_of(match), match.side, match.scoring, match.cards_rule)
    try:
        laws.hold(fresh, match)
    except AssertionError as wrong:
        law = traceback.extract_tb(wrong.__traceback__)[-1].line
        raise Broken(f"{wrong}: {law}" if str(wrong) else law) from wrong


def first_of(match: Match) -> Player | None:
    """Anybody that may start this match."""
    return None if match.edition.first == "anyone" else match.players[0]


def check_undo(match: Match, furthest: int) -> None:
    """All the way back every state is a lawful one; of the first two rounds the way ends at the beginning.

    furthest: the last round that was ever begun, though it may have been taken back.
    """
    at = match
    while at.past:
        at = rules.undo(at)
        check_match(at)
    if furthest <= 2 and not match.tied and match.phase != "final":
        fresh = begin(match.edition, match.players, first_of(match), match.side, match.scoring, match.cards_rule)
        need(
            at.phase == fresh.phase and at.hands == fresh.hands and at.round == 1,
            f"undo leads to the start, not to {at.phase} of round {at.round}",
        )
        need(
            (at.bag, at.track, at.stacks, at.counts, at.claims, at.taken)
            == (fresh.bag, fresh.track, fresh.stacks, fresh.counts, (), {}),
            "at the start nothing is played yet",
        )


class Watch:
    """Looks at one table after every input. cut: call it when another table takes its place."""

    def __init__(self) -> None:
        self._race: tuple[object, ...] = ()
        self._shown: int | None = None
        self._seen: Evening | None = None
        self._looked = 0.0

    def cut(self) -> None:
        """Another table."""
        self._race, self._shown = (), None

    def look(self, table: Table, now: float) -> None:
        """All that holds of a table, or Broken; a picture that can't be told raises what it raises."""
        e = table.e
        # A picture that is due must be looked at: it is asked for until it is.
        if e is self._seen and now < self._looked + AGAIN and table.due > now:
            return
        self._seen, self._looked = e, now
        need(e.overlay in OVERLAYS, f"{e.overlay} is no overlay")
        if e.match is None:
            need(e.scene in WITHOUT_MATCH, f"{e.scene} needs a match")
            need(e.solo is not None or e.scene != "alone", "alone needs a player")
        else:
            need(e.scene == scene_of(e.match), f"{e.scene} is not what a match in {e.match.phase} shows")
            check_match(e.match)
            need((e.head is None) == (e.scene == "final"), "what runs is kept, what is over is not")
            need(e.play.since is None or (e.match.phase == "race" and not e.overlay), "play runs in the race only")
        show = table.show(now)
        lamps = table.lamps
        need(not lamps.lit & lamps.blinking, "a lamp is lit or blinks")
        self._time(table, show.scene)

    def _time(self, table: Table, scene: scenes.Scene) -> None:
        """The shown time never rises while the same glass runs and nobody took anything back."""
        e = table.e
        if not isinstance(scene, scenes.Race) or scene.glass is None or e.match is None or e.stands is not None:
            self._shown = None if not isinstance(scene, scenes.Paused) else self._shown
            return
        race = (e.match.round, e.match.chance, e.match.turned, len(e.match.past), e.glass)
        if race == self._race and self._shown is not None:
            need(scene.glass.left <= self._shown, f"the shown time rose from {self._shown} to {scene.glass.left}")
        self._race, self._shown = race, scene.glass.left
