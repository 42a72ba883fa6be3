"""The box by script: the service's loop in virtual time, as fast as it can, with parts in memory.

Plays a script of button edges, prints what happened as one JSON object a line. No thread, no real clock, no pins.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from math import inf
from pathlib import Path
from typing import Any

from device.config import COMMAND_LINE, Effective, load
from device.errors import UserError
from device.game.chance import Chance, SeededChance, SystemChance
from device.game.players import Player, in_seat_order
from device.prepare import cut_off, summary, table_settings
from device.screen.draw import draw
from device.screen.lists import pages
from device.script import Script, Step, load_script
from device.store import Store
from device.table.edges import Edge
from device.table.past import Past
from device.table.saves import Append, Begin, Finish
from device.table.scenes import Lamps, Show
from device.table.settings import TableSettings
from device.table.table import Output, Table

_EVENING = datetime(2026, 1, 2, 19, 30)
"""What the wall clock says when a rehearsal begins: a label only, and always the same."""

RETRY = 1.0
"""Seconds after which a part that refused is tried again without anything else to do."""
FRAME, COARSE_FRAME = 0.1, 1.0
"""Seconds between two pictures of a running glass: as on the box for --frames, else as few as the digits need."""

_SLACK = 1e-7

Say = Callable[[dict[str, Any]], None]


class _Screen:
    """The display in memory: takes one picture at a time, or refuses it."""

    def __init__(self, frames: Path | None) -> None:
        self.broken = False
        self._frames = frames
        self._count = 0
        self._shown: Show | None = None
        self._picture: bytes = b""

    def show(self, show: Show, scene: str) -> bool:
        """Whether the picture of this scene arrived."""
        if self.broken:
            self._shown = None
            return False
        if show == self._shown:
            return True
        self._shown = show
        picture = draw(show)
        if self._frames is None:
            return True
        data = picture.tobytes()
        if data != self._picture:
            path = self._frames / f"{self._count:04d}-{scene}.png"
            try:
                picture.save(path)
            except OSError as error:
                raise UserError(f"{path}: cannot be written: {error.strerror or error}") from None
            self._count += 1
        self._picture = data
        return True


class Rehearsal:
    """One run of a script. say: gets every object of the transcript."""

    def __init__(
        self,
        script: Script,
        settings: TableSettings,
        store: Store,
        chance: Chance,
        say: Say,
        *,
        frames: Path | None = None,
        lamps: bool = False,
    ) -> None:
        self._script, self._settings, self._store, self._chance, self._say = script, settings, store, chance, say
        self._screen = _Screen(frames)
        self._frame = COARSE_FRAME if frames is None else FRAME
        self._tells_lamps = lamps
        self._lamps: Lamps | None = None
        self._down = set(script.held)
        self._jumped = timedelta()
        self._trouble: dict[str, float] = {}
        self._now = 0.0
        # Until when the box hears of nothing, and what it will hear then.
        self._deaf: float | None = None
        self._unheard: list[Edge] = []
        if script.running is not None and store.running() is None:
            cut = script.running
            store.save([Begin(cut.head), Append(cut.events, cut.mark)], cut.when)
        self._table = self._switch_on()
        self._collect()

    def run(self) -> None:
        """Play it all."""
        for step in self._script.steps:
            if step.at > self._script.end:
                break
            self.play(step)
        self.until(self._script.end)
        self._flush_mark()

    def _switch_on(self) -> Table:
        table = Table(
            self._settings,
            self._chance,
            self._now,
            held=frozenset(self._down),
            running=cut_off(self._store.running()),
            past=self._past(),
            frame=self._frame,
            rule_pages=pages,
        )
        # Five marks a second are only worth their wake-ups where a store that refuses them is told of.
        table.marks.asked = self._store.broken
        return table

    def until(self, at: float) -> None:
        """Everything that is due before `at`: an edge at that very moment comes first."""
        if self._deaf is not None:
            if at <= self._deaf:
                self._now = at
                return
            self._now, self._deaf = self._deaf, None
            unheard, self._unheard = self._unheard, []
            self._table.edges(unheard, self._now)
            self._collect()
        while (due := min(self._table.due, *self._trouble.values(), inf)) < at - _SLACK:
            self._now = max(self._now, due)
            self._table.pass_marks(self._now)
            self._table.wake(self._now)
            self._collect(touched=False)
        self._table.pass_marks(at)
        self._now = at

    def play(self, step: Step) -> None:
        """Everything that is due before this step, and the step."""
        self.until(step.at)
        table = self._table
        if step.verb == "edge":
            (self._down.add if step.on else self._down.discard)(step.button)
            edge = Edge(step.button, step.on, self._now)
            if self._deaf is not None:
                self._unheard.append(edge)
                return
            table.edges((edge,), self._now)
        elif step.verb == "deaf":
            self._deaf = max(self._deaf or 0.0, step.at + step.seconds)
            return
        elif step.verb == "game-night":
            table.game_night(self._now)
        elif step.verb == "clock":
            self._jumped += timedelta(seconds=max(-6e10, min(step.seconds, 2e11)))
        elif step.verb == "fault" and step.part == "oled":
            self._screen.broken = step.on
        elif step.verb == "fault":
            self._flush_mark()
            self._store.broken = table.marks.asked = step.on
            if "store" in self._trouble:
                self._trouble["store"] = self._now
        elif step.verb == "cut":
            self._cut()
        self._collect()

    def _cut(self) -> None:
        # The newest mark was written when it fell due, 0.2 s ago at the most: only this loop did not ask for it.
        self._flush_mark()
        self._store.cut()
        self._trouble.clear()
        self._deaf, self._unheard = None, []
        self._lamps = None
        self._settings = _with_made_on_the_box(self._store, self._settings)
        self._table = self._switch_on()

    def _when(self) -> str:
        try:
            return (_EVENING + timedelta(seconds=self._now) + self._jumped).isoformat(" ", "seconds")
        except OverflowError:
            return ""

    @property
    def table(self) -> Table:
        """The table that is played on: another one after each cut."""
        return self._table

    def _collect(self, touched: bool = True) -> None:
        """Bring out what came of the last input; not `touched`: of a wake-up, so what is shown only ran on."""
        table = self._table
        out = table.take_output()
        if out.saves:
            self._keep(out.saves)
            out.said += table.take_output().said
        elif self._trouble.get("store", inf) <= self._now:
            self._store.flush()
            self._tell_store()
            out.said += table.take_output().said
        if touched or out.said or min(table.picture_due, self._trouble.get("oled", inf)) <= self._now + _SLACK:
            self._draw(out)
        for one in out.said:
            self._say({"t": round(self._now, 3), **one})
        self._say_lamps()

    def _draw(self, out: Output) -> None:
        table = self._table
        show = table.show(self._now)
        arrived = self._screen.show(show, "asleep" if table.asleep else table.scene.name)
        if not arrived and "oled" not in self._trouble:
            table.tell("oled", "the display does not answer: playing on without it", gone=True)
        elif arrived and self._trouble.pop("oled", None) is not None:
            table.tell("oled", "the display answers again", gone=False)
        if not arrived:
            self._trouble["oled"] = self._now + RETRY
        out.said += table.take_output().said

    def _keep(self, saves: list[Any]) -> None:
        self._store.save(saves, self._when())
        self._tell_store()
        if any(isinstance(save, Finish) for save in saves):
            self._table.past = self._past()

    def _past(self) -> Past:
        """What the store knows, and what a recorded script says was known before it."""
        found, before = summary(self._store.past(), self._settings.editions), self._script.past
        bests = dict(before.bests)
        for key, value in found.bests.items():
            better = max if key[2] == "minutes" else min
            bests[key] = better(value, bests.get(key, value))
        return Past(bests, found.pages or before.pages)

    def _flush_mark(self) -> None:
        if (mark := self._table.marks.owed()) is not None:
            self._store.save([mark], self._when())

    def _tell_store(self) -> None:
        trouble, known = self._store.trouble, "store" in self._trouble
        if trouble is None and known:
            del self._trouble["store"]
            self._table.tell("store", "the store can be written again: nothing is missing", gone=False)
        elif trouble is not None:
            self._trouble["store"] = self._now + RETRY
            if not known:
                self._table.tell("store", trouble, gone=True)

    def _say_lamps(self) -> None:
        if self._tells_lamps and (lamps := self._table.lamps) != self._lamps:
            self._lamps = lamps
            self._say(
                {
                    "t": round(self._now, 3),
                    "what": "lamps",
                    "lit": _by_button(lamps.lit),
                    "blinking": _by_button(lamps.blinking),
                }
            )


class Replayed:
    """Chance as a recorded script has it, and `otherwise` where that is used up or does not fit."""

    def __init__(self, numbers: Sequence[int], otherwise: Chance) -> None:
        self._numbers, self._otherwise = deque(numbers), otherwise

    def below(self, limit: int) -> int:
        """See Chance.below."""
        number = self._numbers.popleft() if self._numbers else limit
        return number if number < limit else self._otherwise.below(limit)


def _by_button(players: frozenset[Player]) -> list[str]:
    return [str(p) for p in in_seat_order(players)]


def _with_made_on_the_box(store: Store, settings: TableSettings) -> TableSettings:
    """The settings as they are after a power cut: those made on the box are in the store."""
    for key, value in store.settings().items():
        settings = settings.changed(key, value)
    return settings


def rehearse(
    script: Script,
    settings: TableSettings,
    *,
    store: Store | None = None,
    seed: int | None = None,
    frames: Path | None = None,
    lamps: bool = False,
) -> list[dict[str, Any]]:
    """Play a script and give its transcript (for tests and tools; the command prints it as it goes)."""
    said: list[dict[str, Any]] = []
    chance = _chance(script, seed)
    Rehearsal(script, settings, store or Store(None), chance, said.append, frames=frames, lamps=lamps).run()
    return said


def _chance(script: Script, seed: int | None) -> Chance:
    return Replayed(script.chance, SystemChance() if seed is None else SeededChance(seed))


def effective_of(script: Script, name: str, settings: Mapping[str, Any]) -> Effective:
    """The config a recorded script was played with; UserError if it cannot be had here."""
    try:
        return load(None, overrides=script.config, settings=settings, fallback=None)
    except UserError as error:
        raise UserError(f"{name}: {str(error).removeprefix(f'{COMMAND_LINE}: ')} (or give --config)") from None


def command(args: argparse.Namespace) -> int:
    """`ubongo-box rehearse`: exit 0, or a UserError (2) with nothing played."""
    script = load_script(args.script, sys.stdin.buffer if args.script == "-" else None)
    if args.frames is not None:
        try:
            args.frames.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UserError(f"{args.frames}: cannot hold the frames: {error.strerror}") from None
    store = Store(args.store)
    try:
        if args.config is None:
            effective = effective_of(script, args.script, store.settings())
        else:
            effective = load(args.config, settings=store.settings(), fallback=None)

        def say(one: dict[str, Any]) -> None:
            print(json.dumps(one, ensure_ascii=False))

        for warning in (*effective.warnings, *([store.trouble] if store.trouble else [])):
            say({"t": 0.0, "what": "notice", "about": "store", "text": warning})
        chance = _chance(script, args.seed)
        settings = table_settings(effective)
        Rehearsal(script, settings, store, chance, say, frames=args.frames, lamps=args.lamps).run()
    finally:
        store.close()
    return 0
