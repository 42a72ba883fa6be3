"""One evening at a rehearsed box, step by step: what is done to it, the script that is kept of it, and what came of it.

Who plays, and how, is elsewhere: see players.py.
"""

from __future__ import annotations

from math import inf
from typing import Any

from device.config import load
from device.game.chance import SeededChance
from device.game.match import Match
from device.game.players import Player
from device.prepare import table_settings
from device.rehearse import Rehearsal
from device.script import Script, read_script
from device.store import Store
from tests.rehearsal.scripts import One

HOLD = 2.1
"""Seconds on a button for any gesture: longer than a hold and than three buttons for the menu."""


class Evening:
    """`config`: keys of the config file that differ. said: the transcript; cuts: when the power went."""

    def __init__(self, seed: int = 1, **config: Any) -> None:
        self.settings = table_settings(load(None, overrides=config, fallback=None))
        self.lines = [f"#!config {key} = {value!r}" for key, value in config.items()]
        self.said: list[One] = []
        self.cuts: list[float] = []
        self.broken: set[str] = set()
        # What goes down at 0 is held as the power comes.
        self.now = 0.1
        chance, nothing = SeededChance(seed), Script((), frozenset(), inf)
        self.box = Rehearsal(nothing, self.settings, Store(None), chance, self.said.append, lamps=True)

    @property
    def script(self) -> str:
        """All that was done, up to now, as `ubongo-box rehearse` reads it."""
        return "\n".join([*self.lines, f"{self.now:.4f} end"])

    @property
    def scene(self) -> str:
        """What is in front."""
        return "asleep" if self.box.table.asleep else self.box.table.scene.name

    @property
    def match(self) -> Match | None:
        """The running match."""
        return self.box.table.e.match

    def awaited(self) -> list[int]:
        """The buttons whose lamps are lit or blink."""
        lamps = self.box.table.lamps
        return [player.button for player in Player if player in lamps.lit | lamps.blinking]

    def wait(self, seconds: float) -> None:
        """Time passes."""
        self.now = round(self.now + seconds, 4)
        self.box.until(self.now)

    def do(self, what: str) -> None:
        """One line of the script, now."""
        line = f"{self.now:.4f} {what}"
        self.lines.append(line)
        for step in read_script(line, "evening").steps:
            self.box.play(step)

    def press(self, *buttons: int, seconds: float = 0.08) -> None:
        """Down together, and up."""
        for button in buttons:
            self.do(f"down {button}")
        self.wait(seconds)
        for button in buttons:
            self.do(f"up {button}")
        self.wait(0.03)

    def hold(self, *buttons: int) -> None:
        """Down for a hold, a pair or the menu, and up."""
        self.press(*buttons, seconds=HOLD)

    def menu(self, down: int) -> None:
        """Open the menu and choose the line so far down."""
        self.hold(2, 3, 4)
        for _ in range(down):
            self.press(2)
        self.press(3)

    def fault(self, part: str, on: bool) -> None:
        """A part breaks or heals."""
        (self.broken.add if on else self.broken.discard)(part)
        self.do(f"fault {part} {'on' if on else 'off'}")

    def cut(self) -> None:
        """The power goes: the match is the same after it, and so is what undo would find."""
        before = self.box.table.e
        self.cuts.append(self.now)
        self.do("cut")
        after = self.box.table.e
        if before.head is None:
            assert after.head is None
        else:
            assert after.match == before.match
            if before.match is not None and after.match is not None:
                assert [word for word, *_ in after.match.past] == [word for word, *_ in before.match.past]
            if before.solo is not None and after.solo is not None:
                assert after.solo.marks == before.solo.marks
            racing = before.scene == "race" and before.match is not None and before.match.phase == "race"
            if racing or (before.solo is not None and before.solo.stage == "running"):
                assert -1e-3 <= before.play.at(self.now) - after.play.before <= 0.25
        self.wait(0.01)
