"""The scenes before a match: resume, lobby, youngest. Races and results live elsewhere."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from device.game.events import Illegal
from device.game.match import begin
from device.game.players import SEATS, Player, in_seat_order
from device.table import scenes, told
from device.table.evening import Evening, Solo
from device.table.handler import Handler
from device.table.pause import carry_on
from device.table.saves import Begin
from device.table.scenes import Lamps

if TYPE_CHECKING:
    from device.table.table import Table

EVERYBODY = frozenset(SEATS)


def start_match(t: Table, first: Player | None) -> None:
    """A match with those who have joined; `first` starts (None where anyone may)."""
    s = t.settings
    try:
        match = begin(s.edition, t.e.joined, first, s.side, s.scoring, s.cards)
    except Illegal:
        t.sound("refused")
        return
    glass = match.edition.glass(match.side, s.glass_seconds)
    head = told.match_head(s, match, glass)
    t.save(Begin(head))
    t.say(
        "started",
        edition=match.edition.id,
        side=match.side,
        players=list(match.players),
        scoring=match.scoring,
        bag=s.bag,
    )
    evening = Evening(joined=t.e.joined, match=match, bag=s.bag, glass=glass, head=head, turn=t.e.turn)
    t.begin(evening, told.scene_of(match))


class Resume(Handler):
    """A match was cut off: play on, or give it up."""

    name = "resume"

    def view(self, t: Table, now: float) -> scenes.Scene:
        """See Handler."""
        e = t.e
        head = e.head or {}
        left = None
        if e.match is not None and e.match.phase == "race" and e.glass is not None:
            left = e.sand.shown(e.play.before) if e.sand else int(e.glass)
        number, rounds = (e.match.round, e.match.edition.rounds) if e.match else (1, None)
        return scenes.Resume(e.when, str(head.get("edition_name", "")), number, rounds, left, e.joined)

    def lamps(self, t: Table) -> Lamps:
        """Anybody may press."""
        return Lamps(blinking=EVERYBODY)

    def press(self, t: Table, player: Player, stamp: float, now: float) -> None:
        """The match goes on; a race begins paused."""
        e = t.e
        racing = (e.match is not None and e.match.phase == "race") or (e.solo is not None and e.solo.stage == "running")
        left = None
        if e.match is not None and e.match.phase == "race" and not e.match.glassless and e.glass is not None:
            left = round(e.sand.left(e.play.before), 3) if e.sand else (None if e.play.before else e.glass)
        t.say("resumed", round=e.match.round if e.match else 1, left=left)
        t.e = e.at(e.scene, overlay="paused" if racing else "")
        if not racing:
            carry_on(t, now)

    def hold(self, t: Table, player: Player, stamp: float, now: float) -> None:
        """The match is given up and kept as unfinished; who plays tonight is asked anew."""
        end_unfinished(t, now)
        t.change(joined=())


def end_unfinished(t: Table, now: float) -> None:
    """What runs ends here: it goes into the history as unfinished, and the lobby opens."""
    e = t.e
    head = e.head or {}
    if e.match is not None:
        t.finish(told.result(head, e.match, unfinished=True))
    elif e.solo is not None and e.head is not None:
        # It was never done: what it lasted is what was played of it.
        t.finish(told.solo_result(head, replace(e.solo, seconds=max(0.0, e.play.at(now))), unfinished=True))
    t.begin(Evening(joined=e.joined, turn=e.turn), "lobby")


class Lobby(Handler):
    """Who plays tonight."""

    name = "lobby"

    def view(self, t: Table, now: float) -> scenes.Scene:
        """See Handler."""
        edition = t.settings.edition
        return scenes.Lobby(edition.name, t.settings.side, t.e.joined, edition.sides)

    def lamps(self, t: Table) -> Lamps:
        """Lit: is in. Blinking: may still join."""
        return Lamps(lit=frozenset(t.e.joined), blinking=EVERYBODY - frozenset(t.e.joined))

    def press(self, t: Table, player: Player, stamp: float, now: float) -> None:
        """Join or leave."""
        joined = set(t.e.joined) ^ {player}
        t.change(joined=in_seat_order(joined))
        t.say("joined" if player in joined else "left", player=player)

    def hold(self, t: Table, player: Player, stamp: float, now: float) -> None:
        """Start with those who are in; one alone chooses a goal."""
        edition, count = t.settings.edition, len(t.e.joined)
        if count == 1 and edition.goals:
            t.go("alone", solo=Solo(t.e.joined[0]))
        elif count < max(2, edition.players[0]) or count > edition.players[1]:
            t.sound("refused")
        elif edition.first == "anyone":
            start_match(t, None)
        else:
            t.go("youngest")


class Youngest(Handler):
    """The youngest of those who play presses."""

    name = "youngest"

    def view(self, t: Table, now: float) -> scenes.Scene:
        """See Handler."""
        return scenes.Youngest(t.e.joined)

    def lamps(self, t: Table) -> Lamps:
        """One of those who play."""
        return Lamps(blinking=frozenset(t.e.joined))

    def press(self, t: Table, player: Player, stamp: float, now: float) -> None:
        """This player starts."""
        if player not in t.e.joined:
            t.sound("refused")
            return
        t.say("youngest", player=player)
        start_match(t, player)

    def hold(self, t: Table, player: Player, stamp: float, now: float) -> None:
        """Back."""
        t.go("lobby")
