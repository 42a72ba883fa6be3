"""The race: claims, the glass and its beats, Stop; and the playoff, which is a race without a glass."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import TYPE_CHECKING

from device.game.events import Claim, End, Flip, Outcome, Withdraw
from device.game.players import Player
from device.table import scenes, told
from device.table.glass import Play, Sand
from device.table.handler import Handler
from device.table.ready import action_of, begin_round, face, waited_for
from device.table.rows import levels, placed, track_of
from device.table.scenes import Lamps, TooLate

if TYPE_CHECKING:
    from device.table.table import Table

LAST_TICKS = 10
"""Whole seconds before the end that are ticked (ruling)."""

_DUST = 1e-6


class Race(Handler):
    """Play: claims by the time of the press, the glass, its beats, Stop."""

    name = "race"

    def view(self, t: Table, now: float) -> scenes.Scene:
        """See Handler."""
        e, match = t.e, t.e.with_match()
        at, sand = max(0.0, e.play.at(now)), e.sand
        glass = None
        if sand is not None:
            ran = min(1.0, max(0.0, 1 - sand.left(at) / sand.total))
            glass = scenes.Glass(sand.shown(at), int(sand.total), ran, match.edition.counts)
        elif e.stands is not None and e.glass is not None and match.edition.start != "first-claim":
            glass = scenes.Glass(int(e.glass), int(e.glass), 0.0, match.edition.counts)
        return scenes.Race(
            match.round,
            match.edition.rounds,
            face(t, now),
            match.lines[0] if len(match.lines) == 1 else None,
            e.stands is not None and match.symbol is not None,
            glass,
            int(at + _DUST),
            max(1, match.chance),
            match.racers,
            placed(match),
            track_of(match),
            self.out(t, at),
            levels(match, t.settings),
        )

    def lamps(self, t: Table) -> Lamps:
        """Who may still claim."""
        e, match = t.e, t.e.with_match()
        if e.stands is not None:
            return Lamps()
        claimed = {claim.player for claim in match.claims}
        out = self.out(t, e.signalled)
        return Lamps(lit=frozenset(p for p in match.racers if p not in claimed and p not in out))

    def out(self, t: Table, at: float) -> tuple[Player, ...]:
        """Whose own time is over before the others' (handicap), at this second of play."""
        if t.e.sand is None:
            return ()
        match = t.e.with_match()
        claimed = {claim.player for claim in match.claims}
        return tuple(p for p in match.racers if p not in claimed and at > self._own_end(t, p) - _DUST)

    def _own_end(self, t: Table, player: Player) -> float:
        off = t.settings.handicap.get(player, 0)
        sand = t.e.sand if off else None
        return inf if sand is None else max(sand.turned, sand.end - off)

    def down(self, t: Table, player: Player, stamp: float, now: float) -> bool:
        """A claim, counted from the moment of the press."""
        e, match = t.e, t.e.with_match()
        if player not in match.racers or player in {claim.player for claim in match.claims}:
            return False
        at = e.play.at(stamp)
        if e.stands is not None or e.play.since is None or at < 0:
            t.sound("refused")
            return True
        own_end = self._own_end(t, player)
        if at > own_end + _DUST:
            say_late(t, player, at - own_end)
            return True
        self.claim(t, player, at, now)
        return True

    def claim(self, t: Table, player: Player, at: float, now: float) -> None:
        """It counts: its place, perhaps the glass it starts, perhaps the end of the race."""
        if t.apply(Claim(player, at), now) is None:
            return
        # The sand as it is now: heard of late, a claim has turned the second glass back into the first.
        match, sand = t.e.with_match(), t.e.sand
        place = [claim.player for claim in match.claims].index(player) + 1
        left = round(sand.left(at), 3) if sand is not None else None
        t.say("claim", player=player, place=place, left=left)
        t.sound("claim", place)
        if match.phase == "check":
            # Heard of after the glass had been turned again: the round had ended with the first glass.
            over(t, "sand", match.ended, now)
        elif match.glassless:
            t.apply(End("all", at), now)
            over(t, "all", at, now)
        else:
            if not match.chance and t.apply(Flip(at), now) is not None:
                t.say("flip", seconds=t.e.glass, chance=1)
                t.change(signalled=at)
            self.end_if_all(t, at, now)

    def end_if_all(self, t: Table, at: float, now: float) -> None:
        """When everybody who still could has claimed, nobody waits for the sand."""
        match = t.e.with_match()
        if match.claims and len(match.claims) + len(self.out(t, at)) >= len(match.racers):
            t.apply(End("all", at), now)
            over(t, "all", at, now)

    def hold(self, t: Table, player: Player, stamp: float, now: float) -> None:
        """The own claim is withdrawn."""
        match = t.e.with_match()
        if player not in {claim.player for claim in match.claims}:
            return
        if t.apply(Withdraw(player, t.e.play.at(stamp)), now) is not None:
            t.say("withdrawn", player=player)

    def _signal(self, t: Table, sand: Sand) -> float:
        """The second of play at which something is to be signalled next, after the last that was; inf: nothing."""
        match, after = t.e.with_match(), t.e.signalled + _DUST
        ticks = int(sand.total) if match.edition.counts else min(LAST_TICKS, int(sand.total) - 1)
        signal = sand.end - ticks
        if signal <= after:
            signal = min((at for n in range(1, ticks) if (at := sand.end - n) > after), default=inf)
        if any(t.settings.handicap.values()):
            signal = min([signal, *(at for p in match.racers if (at := self._own_end(t, p)) > after)])
        return signal

    def due(self, t: Table) -> float:
        """The die stands, a beat, or the end of the sand."""
        e = t.e
        if e.stands is not None:
            return e.stands
        if e.play.since is None or e.stopping:
            return inf
        sand = e.sand
        if sand is None:
            return inf
        return e.play.when(min(self._signal(t, sand), sand.end))

    def stops(self, t: Table) -> float:
        """The end of the sand, where no second chance can come of it."""
        e, sand = t.e, t.e.sand
        if sand is None or e.stands is not None or e.stopping:
            return inf
        match = e.with_match()
        certain = match.claims or match.chance == 2 or not match.edition.second_chance
        return e.play.when(sand.end) if certain else inf

    def wake(self, t: Table, due: float, now: float) -> None:
        """See `due`."""
        e, match = t.e, t.e.with_match()
        if e.stands is not None:
            # The glass is turned when the symbol is seen to stand: a box that was held up costs nobody sand.
            t.change(stands=None, play=Play(since=now))
            if not match.glassless and match.edition.start != "first-claim" and t.apply(Flip(0.0), now) is not None:
                t.say("flip", seconds=e.glass, chance=1)
            return
        sand = e.sand
        assert sand is not None
        at = e.play.at(due)
        if at >= sand.end - _DUST:
            t.change(stopping="quiet", stop=due)
            if match.claims or t.undecided(due):
                t.sound("stop")
                t.change(stopping="loud")
            return
        t.change(signalled=at)
        claimed = {claim.player for claim in match.claims}
        t.sound("tick")
        if any(abs(self._own_end(t, p) - at) < _DUST for p in match.racers if p not in claimed):
            self.end_if_all(t, at, now)

    def settle(self, t: Table, now: float) -> None:
        """The sand has run, and every press that began in time is decided: Stop, or the glass once more."""
        e = t.e
        if not e.stopping or e.stop is None or t.undecided(e.stop):
            return
        match, sand = e.with_match(), e.sand
        assert sand is not None
        loud = e.stopping == "loud"
        t.change(stopping="")
        if match.claims or match.chance == 2 or not match.edition.second_chance:
            over(t, "sand", sand.end, now, loud)
        elif t.apply(Flip(sand.end), now) is not None:
            t.change(stop=None, signalled=sand.end)
            t.sound("second-chance")
            t.say("flip", seconds=e.glass, chance=2)

    def moving(self, t: Table) -> bool:
        """While the die tumbles and while play runs."""
        return t.e.stands is not None or t.e.play.since is not None


def say_late(t: Table, player: Player, by: float) -> None:
    """Too late: told once a player and race."""
    if player in {late.player for late in t.e.late}:
        return
    t.change(late=(*t.e.late, TooLate(player, round(by, 3))))
    t.say("late", player=player, by=round(by, 3))
    t.sound("late")


def over(t: Table, reason: str, at: float, now: float, loud: bool = False, outcomes: Sequence[Outcome] = ()) -> None:
    """The race is over after `at` seconds of play; the match has been told, with these outcomes, unless it is sand."""
    e = t.e
    stop = now if e.play.since is None else e.play.when(at)
    if e.with_match().phase == "race" and reason == "sand":
        outcomes = t.apply(End("sand", at), now) or ()
    if not loud:
        t.sound("stop")
    t.say("stop", reason=reason)
    told.tell(t, outcomes)
    t.go(told.scene_of(t.e.with_match()), play=Play(at), stop=stop, stopping="", stands=None, ready=False)


class Playoff(Race):
    """The tied play one more task, without a glass; the first to solve wins."""

    name = "playoff"

    def view(self, t: Table, now: float) -> scenes.Scene:
        """See Handler."""
        e, match = t.e, t.e.with_match()
        rolling = match.phase == "playoff"
        roller = match.starter or match.tied[0]
        line = match.lines[0] if len(match.lines) == 1 else None
        return scenes.Playoff(
            match.tied,
            roller,
            rolling,
            e.stands is not None and match.symbol is not None,
            None if rolling else face(t, now),
            None if rolling else line,
            action_of(match),
        )

    def lamps(self, t: Table) -> Lamps:
        """The roller; then the tied."""
        match = t.e.with_match()
        return Lamps(blinking=waited_for(match)) if match.phase == "playoff" else super().lamps(t)

    def down(self, t: Table, player: Player, stamp: float, now: float) -> bool:
        """A claim, once the symbol stands."""
        return t.e.with_match().phase == "race" and super().down(t, player, stamp, now)

    def press(self, t: Table, player: Player, stamp: float, now: float) -> None:
        """The roll."""
        if t.e.with_match().phase == "playoff":
            begin_round(t, player, now)

    def moving(self, t: Table) -> bool:
        """Only while the die tumbles: no glass runs."""
        return t.e.stands is not None
