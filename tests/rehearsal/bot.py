"""Players that press by the lamps, and others that mash: a rehearsal played step by step, kept as a script.

`Random` is handed in, so hypothesis can shrink what it finds.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf
from random import Random
from typing import Any

from device.config import Effective, load
from device.game.chance import SeededChance
from device.game.match import Match
from device.game.players import Player, at_button
from device.prepare import table_settings
from device.rehearse import Rehearsal
from device.script import Script, Step
from device.store import Store
from device.table.settings import TableSettings


def settings(**changes: Any) -> TableSettings:
    """The box's own settings, with these config keys changed (`edition="lines"`, …)."""
    effective: Effective = load(None, settings={}, fallback=None)
    made = table_settings(effective)
    for key, value in changes.items():
        made = made.changed(key, value)
    return made


@dataclass
class Bot:
    """One evening being played. `script` is what was done so far, as `ubongo-box rehearse` reads it."""

    settings: TableSettings
    random: Random
    seed: int = 1
    now: float = 0.0
    said: list[dict[str, Any]] = field(default_factory=list)
    script: list[str] = field(default_factory=list)
    cuts: list[float] = field(default_factory=list)
    broken: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.store = Store(None)
        empty = Script((), frozenset(), inf)
        # What goes down at 0 is held as the power comes.
        self.now = 0.1
        self.box = Rehearsal(empty, self.settings, self.store, SeededChance(self.seed), self.said.append, lamps=True)

    @property
    def scene(self) -> str:
        """What is in front."""
        return "asleep" if self.box.table.asleep else self.box.table.scene.name

    @property
    def match(self) -> Match | None:
        """The running match."""
        return self.box.table.e.match

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        self.now = round(self.now + seconds, 4)
        self.box.until(self.now)

    def _do(self, line: str, *steps: Step) -> None:
        self.script.append(f"{self.now:.4f} {line}")
        for step in steps:
            self.box.play(step)

    def edge(self, button: int, down: bool) -> None:
        """A bare edge, now."""
        self._do(f"{'down' if down else 'up'} {button}", Step(self.now, "edge", button, down))

    def press(self, *players: Player, seconds: float = 0.08) -> None:
        """Down together, and up."""
        for player in players:
            self.edge(player.button, True)
        self.wait(seconds)
        for player in players:
            self.edge(player.button, False)
        self.wait(0.03)

    def hold(self, *players: Player) -> None:
        """Down for a hold, a pair or the menu, and up."""
        self.press(*players, seconds=2.1)

    def cut(self) -> None:
        """The power goes: the match is the same after it, and so is what undo would find."""
        before = self.box.table.e
        self.cuts.append(self.now)
        self._do("cut", Step(self.now, "cut"))
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

    def clock(self, seconds: float) -> None:
        """The wall clock jumps."""
        self._do(f"clock {seconds}", Step(self.now, "clock", seconds=seconds))

    def fault(self, part: str, on: bool) -> None:
        """A part breaks or heals."""
        (self.broken.add if on else self.broken.discard)(part)
        self._do(f"fault {part} {'on' if on else 'off'}", Step(self.now, "fault", part=part, on=on))

    def lit(self) -> list[Player]:
        """Whose press the box says it waits for."""
        lamps = self.box.table.lamps
        return sorted(lamps.lit | lamps.blinking, key=lambda player: player.button)

    def go_on(self, players: int) -> None:
        """One press that brings the evening on, as people would."""
        r, scene, lit = self.random, self.scene, self.lit()
        self.wait(r.choice((0.05, 0.5, 2.2)))
        if scene == "lobby":
            joined = self.box.table.e.joined
            if len(joined) < players:
                self.press(r.choice([p for p in Player if p not in joined]))
            else:
                self.hold(joined[0])
        elif scene == "final":
            self.hold(at_button(r.randint(1, 4)))
        elif scene == "race":
            self._race(lit)
        elif scene == "count":
            self.hold(Player.RED, Player.BLUE)
        elif scene in ("menu", "settings", "rules", "history"):
            self.press(Player.YELLOW)
        elif scene == "alone":
            self.press(r.choice(lit) if r.random() < 0.3 else lit[-1])
            self.wait(r.choice((1.0, 40.0)))
        elif scene == "asleep" or not lit:
            self.press(Player.RED)
        else:
            self.press(r.choice(lit))

    def _race(self, lit: list[Player]) -> None:
        r = self.random
        self.wait(r.choice((0.0, 0.001, 0.5, 7.3, 20.0, 62.0)))
        if lit and self.scene == "race":
            racers = r.sample(lit, r.randint(1, len(lit)))
            for player in racers:
                self.edge(player.button, True)
                self.wait(r.choice((0.001, 0.003, 0.01, 5.0)))
            for player in racers:
                self.edge(player.button, False)
                self.wait(r.choice((0.0, 0.03)))

    def mash(self) -> None:
        """Something nobody should do."""
        r = self.random
        some = r.sample(list(Player), r.choice((1, 1, 2, 3, 3, 4)))
        what = r.choice(
            ("press", "tap", "noise", "hold", "hold", "edge", "cut", "cut", "clock", "oled", "store", "sleep")
        )
        if what == "press":
            self.press(*some)
        elif what == "tap":
            self.press(*some, seconds=r.choice((0.001, 0.002, 0.004, 0.04)))
        elif what == "noise":
            for _ in range(r.randint(1, 40)):
                self.edge(some[0].button, r.random() < 0.5)
                self.wait(r.choice((0.0005, 0.002, 0.004, 0.02)))
            self.edge(some[0].button, False)
        elif what == "hold":
            self.hold(*some)
        elif what == "edge":
            self.edge(some[0].button, r.random() < 0.5)
        elif what == "cut" and not self.broken:
            self.cut()
        elif what == "clock":
            self.clock(r.choice((-1e8, 1e8, 0.5)))
        elif what in ("oled", "store"):
            self.fault(what, what not in self.broken)
        elif what == "sleep":
            self.wait(r.choice((3.0, 70.0, 1000.0)))
