"""A round from Stop to the next press: check, draw, scores, and the match's end, final."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

from device.game import rules
from device.game.events import Claim, Confirm, Draw, Next, Withdraw
from device.game.gems import GEMS
from device.game.players import SEATS, Player, at_button
from device.table import scenes, told
from device.table.evening import Evening
from device.table.glass import Play
from device.table.handler import Handler
from device.table.pause import carry_on
from device.table.race import say_late
from device.table.ready import action_of, begin_round, next_stacks, waited_for
from device.table.rows import placed, standings, track_of
from device.table.scenes import Lamps, Standing

if TYPE_CHECKING:
    from device.table.table import Table

LOOK = 2.0
"""Seconds after Stop in which a press is too late; after them it goes on (ruling)."""

_DUST = 1e-6
_DRAWING = ("draw", "check")


def after_stop(t: Table, player: Player, stamp: float, now: float) -> bool:
    """A press just after the end: a claim that is heard of late, or one that is too late. False: neither."""
    e, match = t.e, t.e.with_match()
    if e.stop is None or player not in match.racers or player in {claim.player for claim in match.claims}:
        return False
    if match.reason != "sand" or stamp >= e.stop + LOOK:
        return False
    if stamp > e.stop + _DUST:
        say_late(t, player, stamp - e.stop)
        return True
    if match.rewind is None or t.apply(Claim(player, min(match.ended, match.ended - (e.stop - stamp))), now) is None:
        return True
    match = t.e.with_match()
    claims = [claim.player for claim in match.claims]
    sand = t.e.sand
    at = match.claims[claims.index(player)].at
    t.say(
        "claim", player=player, place=claims.index(player) + 1, left=None if sand is None else round(sand.left(at), 3)
    )
    t.go(told.scene_of(match))
    return True


def undo_to(t: Table, now: float) -> None:
    """Take the last decision back and go where play stood then."""
    was = t.e.with_match()
    at = was.past[-1][1] if was.past else None
    if t.undo(now) is None:
        return
    match = t.e.with_match()
    play = t.e.play
    if was.phase != "race" or match.phase != "race":
        play = Play(at or 0.0)
    # A roll or a reveal is open in the state before: its die stands when it is rolled again.
    t.e = t.e.at(told.scene_of(match), overlay="", under="", play=play, stop=None, stopping="", stands=None, ready=True)
    t.change(late=(), signalled=play.at(now))
    carry_on(t, now)
    t.tick_mark(now)


def on(t: Table, now: float) -> None:
    """The places stand: the gems that come at once are given, and the scene is what the match says."""
    outcomes = t.apply(Confirm(), now, settled=True)
    if outcomes is None:
        return
    told.tell(t, outcomes)
    _follow(t)


def _follow(t: Table) -> None:
    match = t.e.with_match()
    if match.phase == "final":
        t.sound("final")
        t.finish(told.result(t.e.head or {}, match))
        t.e = t.e.at("final", head=None)
    else:
        t.go(told.scene_of(match))


class Check(Handler):
    """Look at each other's boards; who was too late; the own claim may still be withdrawn."""

    name = "check"

    def view(self, t: Table, now: float) -> scenes.Scene:
        """See Handler."""
        match = t.e.with_match()
        # One claim ends a race without a glass, and a claim may have been withdrawn since "all" had claimed.
        open_claims = match.reason == "all" and 0 < len(match.claims) < len(match.racers)
        return scenes.Check("solved" if open_claims else match.reason, placed(match), t.e.late, t.e.ready)

    def lamps(self, t: Table) -> Lamps:
        """Anybody who plays, once the two seconds are over."""
        return Lamps(lit=frozenset(t.e.with_match().players)) if t.e.ready else Lamps()

    def down(self, t: Table, player: Player, stamp: float, now: float) -> bool:
        """Too late."""
        return after_stop(t, player, stamp, now)

    def press(self, t: Table, player: Player, stamp: float, now: float) -> None:
        """On, from two seconds after Stop."""
        if t.e.ready and player in t.e.with_match().players:
            on(t, now)

    def hold(self, t: Table, player: Player, stamp: float, now: float) -> None:
        """The own claim is withdrawn."""
        e, match = t.e, t.e.with_match()
        if player not in {claim.player for claim in match.claims}:
            return
        if t.apply(Withdraw(player, match.ended), now) is None:
            return
        t.say("withdrawn", player=player)
        if t.e.with_match().phase == "race":
            t.e = t.e.at(told.scene_of(t.e.with_match()), play=Play(e.play.before), stop=None)
            carry_on(t, now)
            t.tick_mark(now)

    def due(self, t: Table) -> float:
        """When a press may go on."""
        return inf if t.e.ready or t.e.stop is None else t.e.stop + LOOK

    def wake(self, t: Table, due: float, now: float) -> None:
        """A press may go on."""
        t.change(ready=True)


class Drawing(Handler):
    """The bag: the box draws at the finisher's press, or the colour drawn from the cloth is pressed."""

    name = "draw"

    def _cloth(self, t: Table) -> bool:
        return t.e.bag == "cloth" or t.e.with_match().scoring == "take"

    def view(self, t: Table, now: float) -> scenes.Scene:
        """See Handler."""
        match = t.e.with_match()
        player = match.to_draw[0]
        place = [claim.player for claim in match.claims].index(player) + 1
        waiting = tuple(dict.fromkeys(p for p in match.to_draw if p != player))
        count = match.to_draw.count(player)
        return scenes.Draw(player, place, self._cloth(t), match.bag, match.given, waiting, count)

    def lamps(self, t: Table) -> Lamps:
        """cloth: the colours the bag still holds. box: the finisher."""
        match = t.e.with_match()
        if self._cloth(t):
            return Lamps(lit=frozenset(at_button(n) for n, gem in enumerate(GEMS, 1) if match.bag[gem]))
        return Lamps(blinking=frozenset({match.to_draw[0]}))

    def press(self, t: Table, player: Player, stamp: float, now: float) -> None:
        """A gem is drawn."""
        match = t.e.with_match()
        if self._cloth(t):
            event = Draw(match.to_draw[0], GEMS[player.button - 1])
        elif player == match.to_draw[0]:
            event = rules.drawn(match, t.chance)
        else:
            t.sound("refused")
            return
        outcomes = t.apply(event, now, settled=True)
        if outcomes is not None:
            told.tell(t, outcomes)
            t.sound("gem")
            _follow(t)

    def hold(self, t: Table, player: Player, stamp: float, now: float) -> None:
        """The last draw is taken back."""
        if rules.last_decision(t.e.with_match()) in _DRAWING:
            undo_to(t, now)


class Scores(Handler):
    """What everybody has, and the press that begins the next round or ends the match."""

    name = "scores"

    def view(self, t: Table, now: float) -> scenes.Scene:
        """See Handler."""
        match = t.e.with_match()
        return scenes.Scores(
            match.round,
            match.edition.rounds,
            standings(match),
            tuple(p for p in SEATS if p in waited_for(match)),
            action_of(match),
            match.edition.unit,
            track_of(match),
            match.over,
            match.lost,
            t.e.late if match.lost else (),
        )

    def lamps(self, t: Table) -> Lamps:
        """Whose press goes on."""
        return Lamps(blinking=waited_for(t.e.with_match()))

    def down(self, t: Table, player: Player, stamp: float, now: float) -> bool:
        """Nobody solved it, and somebody presses a moment after the sand: too late, and no roll."""
        return t.e.with_match().lost and after_stop(t, player, stamp, now)

    def press(self, t: Table, player: Player, stamp: float, now: float) -> None:
        """On."""
        match = t.e.with_match()
        if player not in waited_for(match):
            t.sound("refused")
        elif match.over:
            outcomes = t.apply(Next(), now, settled=True)
            if outcomes is not None:
                told.tell(t, outcomes)
                _follow(t)
        elif match.edition.chooser == "stacks":
            next_stacks(t, now)
        else:
            begin_round(t, player, now)

    def hold(self, t: Table, player: Player, stamp: float, now: float) -> None:
        """The last draw is taken back."""
        if rules.last_decision(t.e.with_match()) in _DRAWING:
            undo_to(t, now)


class Final(Handler):
    """The ranking; a hold opens the next match for the same table."""

    name = "final"

    def view(self, t: Table, now: float) -> scenes.Scene:
        """See Handler."""
        e = t.e
        if e.solo is not None:
            from device.table.alone import view_of

            return view_of(t, now)
        if e.counting is not None:
            hands = e.counting.hands
            totals = {p: hand.points for p, hand in hands.items()}
            rows = tuple(
                Standing(p, totals[p], hands[p], rank=1 + sum(other > totals[p] for other in totals.values()))
                for p in sorted(hands, key=lambda p: (-totals[p], SEATS.index(p)))
            )
            return scenes.Final("", rows, counted=True)
        match = e.with_match()
        order = [p for group in match.ranking for p in group]
        rows = tuple(sorted(standings(match), key=lambda row: order.index(row.player)))
        return scenes.Final(match.edition.name, rows, match.edition.unit, playoff=match.winner is not None)

    def lamps(self, t: Table) -> Lamps:
        """Anybody who played may hold the button for the next match."""
        return Lamps(lit=frozenset(t.e.joined))

    def hold(self, t: Table, player: Player, stamp: float, now: float) -> None:
        """The lobby, with the same players."""
        t.begin(Evening(joined=t.e.joined, turn=t.e.turn), "lobby")
