"""Playing alone: choosing a goal, solving against the clock, the result against the best of its kind."""

from __future__ import annotations

from dataclasses import replace
from math import ceil, inf
from typing import TYPE_CHECKING, Any

from device.game.players import SEATS, Player
from device.table import scenes, told
from device.table.evening import Solo
from device.table.glass import Play
from device.table.handler import Handler
from device.table.past import BestKey
from device.table.saves import Append, Begin
from device.table.scenes import Lamps

if TYPE_CHECKING:
    from device.table.table import Table

MINUTE = 60.0
LAST_TICKS = 10
"""Whole seconds before the end that are ticked (ruling)."""

_DUST = 1e-6


def _solo(t: Table) -> Solo:
    assert t.e.solo is not None
    return t.e.solo


def _best(t: Table, solo: Solo) -> float | None:
    head = t.e.head or {}
    key: BestKey = (str(head.get("edition", "")), str(head.get("side", "")), solo.kind, solo.number)
    return t.past.bests.get(key)


def label(kind: str, best: float | None) -> str:
    """A best result as it is shown: tasks as a number, times as m:ss; "" where there is none."""
    if best is None:
        return ""
    return f"{best:.0f}" if kind == "minutes" else f"{int(best) // 60}:{int(best) % 60:02d}"


def _pace(t: Table, solo: Solo, at: float) -> float | None:
    """Tasks ahead (or behind) of the best, had that one been solved evenly."""
    best = _best(t, solo)
    if not best or solo.stage != "running":
        return None
    tasks, seconds = (best, solo.number * MINUTE) if solo.kind == "minutes" else (solo.number, best)
    return round(solo.count("solved") - tasks * at / seconds, 1)


def view_of(t: Table, now: float) -> scenes.Scene:
    """The scene of playing alone, also behind "final"."""
    solo, e = _solo(t), t.e
    goals = t.settings.edition.goals
    if solo.stage == "goal":
        side = t.settings.side if t.settings.edition.sides else ""
        bests = tuple(label(g.kind, t.past.bests.get((t.settings.edition_id, side, g.kind, g.number))) for g in goals)
        return scenes.AloneGoal(solo.player, tuple(scenes.Goal(g.kind, g.number) for g in goals), solo.cursor, bests)
    at = solo.seconds if solo.stage == "done" else max(0.0, e.play.at(now))
    if solo.kind == "minutes" and solo.stage != "done":
        shown = max(0, ceil(solo.number * MINUTE - at - _DUST))
    else:
        shown = int(at + _DUST)
    return scenes.Alone(
        solo.player,
        scenes.Goal(solo.kind, solo.number),
        solo.stage,
        shown,
        solo.count("solved"),
        solo.count("aside"),
        _pace(t, solo, at),
        label(solo.kind, _best(t, solo)),
        solo.record,
    )


class Alone(Handler):
    """The goal is chosen as in the menu; then the own button starts and solves, any other sets aside."""

    name = "alone"

    def view(self, t: Table, now: float) -> scenes.Scene:
        """See Handler."""
        return view_of(t, now)

    def lamps(self, t: Table) -> Lamps:
        """Choosing: all four. Then the own button, while playing the others too."""
        solo = _solo(t)
        if solo.stage == "goal":
            return Lamps(lit=frozenset(SEATS))
        own = frozenset({solo.player})
        if solo.stage == "ready":
            return Lamps(blinking=own)
        return Lamps(lit=frozenset(SEATS) - own, blinking=own)

    def press(self, t: Table, player: Player, stamp: float, now: float) -> None:
        """See the class; start and tasks count from the moment the button went down."""
        solo = _solo(t)
        if solo.stage == "goal":
            self._choose(t, solo, player.button, now)
        elif solo.stage == "ready":
            if player != solo.player:
                t.sound("refused")
                return
            # From the same edge of the press as the tasks, so that what lies between is exact.
            began = now if t.pressed_since is None else t.pressed_since
            t.e = t.e.at("alone", solo=replace(solo, stage="running"), play=Play(since=began), signalled=0.0)
            self._keep(t, "start", now)
        elif solo.stage == "running":
            down = t.pressed_since
            at = t.e.play.at(now if down is None else down)
            if solo.kind == "minutes" and at > solo.number * MINUTE + _DUST:
                return
            self._mark(t, solo, "solved" if player == solo.player else "aside", max(0.0, at), now)

    def _choose(self, t: Table, solo: Solo, button: int, now: float) -> None:
        edition = t.settings.edition
        if button in (1, 2):
            step = -1 if button == 1 else 1
            t.change(solo=replace(solo, cursor=(solo.cursor + step) % len(edition.goals)))
            return
        if button == 4:
            t.go("lobby", solo=None)
            return
        goal = edition.goals[solo.cursor]
        side = t.settings.side if edition.sides else ""
        head = {
            "kind": "alone",
            "edition": edition.id,
            "edition_name": edition.name,
            "side": side,
            "players": [solo.player],
            "names": {p: t.settings.names[p] for p in (solo.player,) if p in t.settings.names},
            "goal": {"kind": goal.kind, "number": goal.number},
        }
        t.save(Begin(head))
        t.e = t.e.at(
            "alone",
            head=head,
            play=Play(),
            solo=replace(solo, stage="ready", kind=goal.kind, number=goal.number),
        )

    def _keep(self, t: Table, what: str, now: float) -> None:
        event: dict[str, Any] = {"event": what, "at": round(t.e.play.at(now), 3)}
        t.save(Append((event,), t.mark(now), settled=True))

    def _mark(self, t: Table, solo: Solo, kind: str, at: float, now: float) -> None:
        solo = replace(solo, marks=(*solo.marks, (kind, round(at, 3))))
        t.change(solo=solo)
        if kind == "solved":
            t.sound("claim")
        self._keep(t, kind, now)
        if solo.kind == "tasks" and solo.count("solved") >= solo.number:
            self._done(t, at, now)

    def hold(self, t: Table, player: Player, stamp: float, now: float) -> None:
        """The last task, solved or set aside, is taken back."""
        solo = _solo(t)
        if solo.stage != "running" or player != solo.player or not solo.marks:
            return
        t.change(solo=replace(solo, marks=solo.marks[:-1]))
        t.say("undone", decision=solo.marks[-1][0])
        self._keep(t, "undo", now)

    def due(self, t: Table) -> float:
        """The last ten seconds' beats and the end of the minutes."""
        solo, e = _solo(t), t.e
        if solo.stage != "running" or solo.kind != "minutes" or e.play.since is None or e.stopping:
            return inf
        end = solo.number * MINUTE
        beats = [end - n for n in range(1, LAST_TICKS + 1) if end - n > e.signalled + _DUST]
        return e.play.when(min([*beats, end]))

    def stops(self, t: Table) -> float:
        """The end of the minutes."""
        solo, e = _solo(t), t.e
        running = solo.stage == "running" and solo.kind == "minutes" and not e.stopping
        return e.play.when(solo.number * MINUTE) if running else inf

    def wake(self, t: Table, due: float, now: float) -> None:
        """See `due`."""
        at, end = t.e.play.at(due), _solo(t).number * MINUTE
        if at < end - _DUST:
            t.change(signalled=at)
            t.sound("tick")
            return
        t.sound("stop")
        t.change(stopping="loud", stop=due)
        self.settle(t, now)

    def settle(self, t: Table, now: float) -> None:
        """The minutes are over, and no press that began in time is still down or undecided."""
        solo, e = _solo(t), t.e
        if not e.stopping or e.stop is None or t.undecided(e.stop):
            return
        down = t.held_since(solo.player)
        if down is not None and down <= e.stop:
            return
        self._done(t, solo.number * MINUTE, now)

    def _done(self, t: Table, seconds: float, now: float) -> None:
        solo = replace(_solo(t), stage="done", seconds=round(seconds, 3))
        best, solved = _best(t, solo), solo.count("solved")
        result = solved if solo.kind == "minutes" else solo.seconds
        better = best is None or (result > best if solo.kind == "minutes" else result < best)
        solo = replace(solo, record=better and solved > 0)
        t.change(solo=solo)
        goal = f"{solo.number} {solo.kind}"
        t.say(
            "alone",
            goal=goal,
            solved=solved,
            aside=solo.count("aside"),
            seconds=solo.seconds,
            record=solo.record,
        )
        t.finish(told.solo_result(t.e.head or {}, solo, unfinished=False))
        t.sound("record" if solo.record else "final")
        t.go("final", play=Play(seconds), stopping="", stop=None)

    def moving(self, t: Table) -> bool:
        """While the clock runs: its seconds."""
        return t.e.play.since is not None
