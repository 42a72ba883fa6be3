"""A table of players that goes by the lamps: plays whole matches of any edition, and keeps the script of them."""

from __future__ import annotations

from math import inf
from random import Random
from typing import Any

from device.config import load
from device.game.chance import SeededChance
from device.game.players import Player
from device.prepare import table_settings
from device.rehearse import Rehearsal
from device.script import Script, read_script
from device.store import Store
from tests.rehearsal.scripts import One, of


class Evening:
    """One evening. `text`: its script so far; `said`: what came of it."""

    def __init__(self, players: int, seed: int, **config: Any) -> None:
        settings = table_settings(load(None, overrides=config, fallback=None))
        self.players, self.random = players, Random(seed)
        self.text = "".join(f"#!config {key} = {value!r}\n" for key, value in config.items())
        self.cuts: list[float] = []
        self.said: list[One] = []
        self.now = 0.0
        empty = Script((), frozenset(), inf)
        self.box = Rehearsal(empty, settings, Store(None), SeededChance(seed), self.said.append)

    def do(self, line: str, lasts: float = 0.5) -> None:
        """One line of the script, now; then time passes."""
        self.now = round(self.now, 3)
        self.text += f"{self.now} {line}\n"
        for step in read_script(f"{self.now} {line}", "bot").steps:
            self.box.play(step)
        self.pass_(lasts)

    def pass_(self, seconds: float) -> None:
        """Time passes."""
        self.now = round(self.now + seconds, 3)
        self.box.until(self.now)

    @property
    def scene(self) -> str:
        """The scene in front."""
        return str(of(self.said, "scene")[-1]["scene"])

    def awaited(self) -> list[int]:
        """The buttons whose lamps are lit or blink."""
        lamps = self.box.table.lamps
        return [player.button for player in Player if player in lamps.lit | lamps.blinking]

    def menu(self, down: int) -> None:
        """Open the menu and choose the line so far down."""
        self.do("hold 2 3 4", 3)
        for _ in range(down):
            self.do("press 2")
        self.do("press 3")

    def cut(self) -> None:
        """The power goes; somebody plays on, from where a race rests too."""
        self.cuts.append(self.now)
        self.do("cut", 1)
        while self.scene in ("resume", "paused"):
            self.do("press 4")

    def step(self) -> None:
        """The next thing that people would do."""
        scene = self.scene
        if scene == "lobby":
            for button in range(1, self.players + 1):
                self.do(f"press {button}")
            self.do("hold 1", 3)
        elif scene in ("race", "playoff") and not self.awaited():
            self.pass_(0.8)
        elif scene == "race" or (scene == "playoff" and len(self.awaited()) > 1):
            self.race()
        elif self.awaited():
            self.do(f"press {self.random.choice(self.awaited())}")
        else:
            self.pass_(2)

    def race(self) -> None:
        """Some solve it, or nobody does; a round that nothing would end is given up."""
        e = self.box.table.e
        racers = self.awaited()
        solved = self.random.sample(racers, self.random.randint(0, len(racers)))
        for button in solved:
            if self.scene not in ("race", "playoff"):
                return
            self.pass_(self.random.choice((0.4, 3.0, 8.0)))
            self.do(f"press {button}", 0.2)
        if self.scene == "race" and e.sand is None and not solved and self.random.random() < 0.7:
            self.menu(2)
        elif self.scene == "race" and self.box.table.e.sand is not None:
            self.pass_(float(self.box.table.e.sand.total))
