"""A table on a clock of its own, and what the bench has it play: a race to be drawn, a whole evening as a script."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from random import Random
from typing import Any

from device.config import load
from device.game.chance import SeededChance
from device.game.players import Player
from device.prepare import table_settings
from device.rehearse import Rehearsal
from device.script import Script, Step
from device.store import Store
from device.table.edges import Edge
from device.table.scenes import Show
from device.table.settings import TableSettings
from device.table.table import Table

NAMES = {Player.RED: "Anna", Player.BLUE: "Ben", Player.GREEN: "Zoé", Player.YELLOW: "Max"}


def settings(**changes: Any) -> TableSettings:
    """The box's own settings with these changed."""
    return replace(table_settings(load(None, fallback=None)), names=NAMES, **changes)


class Evening:
    """A table and its clock."""

    def __init__(self, made: TableSettings, seed: int = 1) -> None:
        self.now = 0.0
        self.table = Table(made, SeededChance(seed), self.now)
        self.said: list[dict[str, Any]] = []

    def wait(self, seconds: float) -> None:
        """Let time go by; what is due happens when it is."""
        end = self.now + seconds
        while (due := self.table.due) <= end:
            self.now = max(self.now, due)
            self.table.wake(self.now)
            self.table.show(self.now)
        self.now = end
        self._listen()

    def edges(self, edges: Iterable[tuple[float, int, bool]]) -> None:
        """(seconds from now, button, down), each heard of when it happens; the clock stays at the last of them."""
        start = self.now
        for after, button, down in sorted(edges):
            self.wait(max(0.0, start + after - self.now))
            self.table.edges((Edge(button, down, start + after),), self.now)
        self._listen()

    def press(self, *buttons: int, seconds: float = 0.08) -> None:
        """Down together, up together, and until it is settled."""
        self.edges([(0.0, button, True) for button in buttons])
        self.wait(seconds)
        self.edges([(0.0, button, False) for button in buttons])
        self.wait(0.05)

    def begin(self, players: int = 4) -> None:
        """From the lobby until the first round can begin; the first joined is the youngest."""
        for button in range(1, players + 1):
            self.press(button)
        self.press(1, seconds=1.6)
        if self.table.scene.name == "youngest":
            self.press(1)

    def _listen(self) -> None:
        self.said += self.table.take_output().said


def race(seconds: float = 60.0, fps: float = 10.0) -> list[Show]:
    """What the display is told in one glass of a four-player race: two have solved it, at a third and at two."""
    evening = Evening(settings(glass_seconds=round(seconds)))
    evening.begin()
    evening.press(1)
    evening.wait(max(0.0, (evening.table.e.stands or evening.now) - evening.now))
    shows, claims = [], {round(seconds * fps / 3): 2, round(seconds * fps * 2 / 3): 4}
    for frame in range(int(seconds * fps)):
        if frame in claims:
            evening.edges([(0.0, claims[frame], True), (0.05, claims[frame], False)])
            evening.wait(1 / fps - 0.05)
        elif frame:
            evening.wait(1 / fps)
        shows.append(evening.table.show(evening.now))
    return shows


class Players:
    """Four who press by the lamps in a rehearsed evening, so that the script of it can be played again."""

    def __init__(self, made: TableSettings, seed: int) -> None:
        self._random = Random(seed)
        self._now = 0.0
        self._said: list[dict[str, Any]] = []
        self.steps: list[Step] = []
        self._box = Rehearsal(
            Script((), frozenset(), float("inf")), made, Store(None), SeededChance(seed), self._said.append
        )

    def _wait(self, seconds: float) -> None:
        self._now = round(self._now + seconds, 3)
        self._box.until(self._now)

    def _edge(self, button: int, down: bool) -> None:
        step = Step(self._now, "edge", button, down)
        self.steps.append(step)
        self._box.play(step)

    def _press(self, button: int, seconds: float = 0.08) -> None:
        self._edge(button, True)
        self._wait(seconds)
        self._edge(button, False)
        self._wait(0.05)

    @property
    def _scene(self) -> str:
        return self._box.table.scene.name

    def play(self) -> Script:
        """One evening from power-on to the final, at the pace of people."""
        for button in (1, 2, 3, 4):
            self._wait(1.0)
            self._press(button)
        self._press(1, 1.7)
        while self._scene != "final":
            self._wait(self._random.uniform(1.0, 3.0))
            self._act()
        return Script(tuple(self.steps), frozenset(), self._now + 5.0)

    def _act(self) -> None:
        lamps = self._box.table.lamps
        lit = sorted(player.button for player in lamps.lit | lamps.blinking)
        if self._scene in ("race", "playoff") and self._box.table.e.with_match().phase == "race":
            # Somebody is stuck until the sand has run.
            for button in self._random.sample(lit, min(len(lit), 3)):
                self._wait(self._random.uniform(5.0, 18.0))
                if self._scene in ("race", "playoff"):
                    self._press(button)
            while self._scene == "race":
                self._wait(1.0)
        elif self._scene == "check":
            self._wait(4.0)
            self._press(1)
        elif lit:
            self._press(lit[0])
