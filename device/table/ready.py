"""From the press that begins a round to the race: ready, stacks, and the tumbling die. Claims are the race's."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

from device.game import rules
from device.game.events import Go, Next, Reveal, Take
from device.game.match import STACKS, Match
from device.game.players import SEATS, Player, at_button
from device.table import scenes, told
from device.table.glass import Play
from device.table.handler import Handler
from device.table.rows import levels, standings, track_of
from device.table.scenes import Lamps

if TYPE_CHECKING:
    from device.table.table import Table

TUMBLE = 0.7
"""Seconds the die tumbles before it stands (ruling)."""
FACE_EVERY = 0.1
"""Seconds each face is shown while the die tumbles."""

_DUST = 1e-6


def waited_for(match: Match) -> frozenset[Player]:
    """Whose press begins what comes next, before a round or after one."""
    if match.phase == "scores" and (match.over or match.edition.chooser == "stacks"):
        return frozenset(match.players)
    starter = match.next_starter if match.phase == "scores" else match.starter
    return frozenset(match.racers if starter is None else (starter,))


def action_of(match: Match) -> str:
    """What that press does: "roll", "reveal", "start", "go" or, on from the scores, "next"."""
    if match.phase == "scores" and (match.over or match.edition.chooser == "stacks"):
        return "next"
    if match.phase == "set":
        return "go"
    if match.edition.symbols:
        return "roll"
    return "start" if match.edition.start == "press" else "reveal"


def begin_round(t: Table, player: Player, now: float) -> None:
    """The press that begins a round: the roll, or the task is revealed."""
    match = t.e.with_match()
    if player not in waited_for(match):
        t.sound("refused")
        return
    if not match.edition.symbols:
        if t.apply(Reveal(player), now) is not None:
            to_race(t, now, now)
        return
    roll = rules.rolled(match, t.chance, player)
    if t.apply(roll, now) is None:
        return
    match, symbols = t.e.with_match(), match.edition.symbols
    if len(roll.lines) == 1:
        t.say("rolled", player=player, symbol=symbols[roll.lines[0] - 1], line=roll.lines[0])
    else:
        for each, line in zip(match.players, roll.lines, strict=True):
            t.say("rolled", player=each, symbol=symbols[line - 1], line=line)
    t.sound("roll")
    if match.phase == "set":
        t.change(stands=now + TUMBLE)
        t.go("ready")
    else:
        to_race(t, now, now + TUMBLE)


def to_race(t: Table, now: float, stands: float) -> None:
    """A race, in which play begins when the die stands."""
    t.go(
        told.scene_of(t.e.with_match()),
        play=Play(),
        stands=stands,
        stop=None,
        stopping="",
        ready=False,
        late=(),
        signalled=0.0,
    )
    # The roll was kept with the clock of the race before.
    t.tick_mark(now)


class Ready(Handler):
    """Before a round: the starter rolls, reveals or, when all have their pieces, turns the glass."""

    name = "ready"

    def view(self, t: Table, now: float) -> scenes.Scene:
        """See Handler."""
        match = t.e.with_match()
        return scenes.Ready(
            match.round,
            match.edition.rounds,
            tuple(p for p in SEATS if p in waited_for(match)),
            action_of(match),
            standings(match),
            track_of(match),
            face(t, now),
            levels(match, t.settings),
        )

    def lamps(self, t: Table) -> Lamps:
        """Whose press begins the round."""
        return Lamps(blinking=waited_for(t.e.with_match()))

    def press(self, t: Table, player: Player, stamp: float, now: float) -> None:
        """See the class."""
        match = t.e.with_match()
        if match.phase != "set":
            begin_round(t, player, now)
        elif player != match.starter or (t.e.stands is not None and stamp < t.e.stands):
            t.sound("refused")
        elif t.apply(Go(player), now) is not None:
            to_race(t, now, now)

    def due(self, t: Table) -> float:
        """When the die stands."""
        return inf if t.e.stands is None else t.e.stands

    def wake(self, t: Table, due: float, now: float) -> None:
        """The die stands."""
        t.change(stands=None)

    def moving(self, t: Table) -> bool:
        """While the die tumbles."""
        return t.e.stands is not None


def face(t: Table, now: float) -> str | None:
    """The symbol to show: while the die tumbles another one every tenth of a second."""
    e, match = t.e, t.e.with_match()
    symbol = match.symbol
    if symbol is None or e.stands is None or now >= e.stands - _DUST:
        return symbol
    symbols = match.edition.symbols
    return symbols[(match.lines[0] + int((e.stands - now) / FACE_EVERY + 1)) % len(symbols)]


class Stacks(Handler):
    """In turn everybody takes the top card of a stack nobody took from."""

    name = "stacks"

    def view(self, t: Table, now: float) -> scenes.Scene:
        """See Handler."""
        match = t.e.with_match()
        assert match.chooser is not None
        a, b, c, d = match.stacks
        taken = {stack: player for player, stack in match.taken.items()}
        return scenes.Stacks(match.round, match.chooser, (a, b, c, d), taken, standings(match))

    def lamps(self, t: Table) -> Lamps:
        """The stacks that can be chosen: the button is the colour."""
        return Lamps(lit=frozenset(at_button(n) for n in t.e.with_match().open_stacks()))

    def press(self, t: Table, player: Player, stamp: float, now: float) -> None:
        """The colour of the stack, whoever's turn it is."""
        chooser, stack = t.e.with_match().chooser, player.button
        assert chooser is not None
        if stack not in STACKS or t.apply(Take(chooser, stack), now) is None:
            return
        t.say("card", player=chooser, stack=stack)
        t.go(told.scene_of(t.e.with_match()))


def next_stacks(t: Table, now: float) -> None:
    """On from the scores to the next round's stacks."""
    if t.apply(Next(), now) is not None:
        t.go(told.scene_of(t.e.with_match()))
