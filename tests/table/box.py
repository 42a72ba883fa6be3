"""A table to play on by hand: its loop as the service runs it, with what was said. Tests nothing itself."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Any

from device.config import load
from device.game.chance import SeededChance
from device.prepare import table_settings
from device.screen.lists import pages
from device.table.edges import Edge
from device.table.past import Past
from device.table.saves import Save
from device.table.scenes import Scene
from device.table.settings import TableSettings
from device.table.table import Table

One = dict[str, Any]


def settings(**config: Any) -> TableSettings:
    """The box's own settings, with these keys of the config ("players__red" for "players.red")."""
    overrides = {key.replace("__", "."): value for key, value in config.items()}
    return table_settings(load(None, overrides=overrides, fallback=None))


class Box:
    """A table and its loop. `wakes`: when the loop woke although no button moved."""

    def __init__(self, held: frozenset[int] = frozenset(), past: Past | None = None, **config: Any) -> None:
        self.table = Table(settings(**config), SeededChance(1), 0.0, held=held, past=past, frame=0.1, rule_pages=pages)
        self.now = 0.0
        self.said: list[One] = []
        self.saves: list[Save] = []
        self.sounds: list[tuple[float, str]] = []
        self.power_off = False
        self.wakes: list[float] = []
        self.collect()

    def collect(self) -> None:
        """Take what came of the last input, and show the picture."""
        out = self.table.take_output()
        self.said += [{"t": round(self.now, 4), **one} for one in out.said]
        self.sounds += [(round(self.now, 4), sound) for sound in out.sounds]
        self.saves += out.saves
        self.power_off |= out.power_off
        self.table.show(self.now)

    def until(self, now: float) -> None:
        """Let time pass."""
        while (due := self.table.due) < now - 1e-9:
            self.now = max(self.now, due)
            self.wakes.append(round(self.now, 4))
            self.table.pass_marks(self.now)
            self.table.wake(self.now)
            self.collect()
        self.table.pass_marks(now)
        self.now = now

    def edge(self, button: int, down: bool, at: float, heard: float | None = None) -> None:
        """A bare edge, which the loop may hear of later than it was."""
        self.until(at if heard is None else heard)
        self.table.edges((Edge(button, down, at),), self.now)
        self.collect()

    def press(self, *buttons: int, at: float | None = None, seconds: float = 0.08) -> None:
        """Down together and up, half a second after what was before if no time is given."""
        at = self.now + 0.5 if at is None else at
        for button in buttons:
            self.edge(button, True, at)
        for button in buttons:
            self.edge(button, False, at + seconds)
        self.until(at + seconds + 0.0031)

    def hold(self, *buttons: int, at: float | None = None) -> None:
        """Down together for 2.1 s."""
        self.press(*buttons, at=at, seconds=2.1)

    def start(self, players: int = 4, first: int = 1) -> None:
        """From the lobby to the scene before the first round."""
        self.press(*range(1, players + 1))
        self.hold(1)
        if self.scene == "youngest":
            self.press(first)

    def race(self, players: int = 4, first: int = 1) -> float:
        """From the lobby into the first race; when the die stood."""
        self.start(players, first)
        self.press(first)
        self.until(self.now + 0.7)
        (flip,) = self.of("flip")
        return float(flip["t"])

    def round(self, roller: int, first: int, *draws: int) -> None:
        """A whole round of red and blue up to its scores: who rolls, who is first, the buttons of the gems drawn."""
        self.press(roller)
        self.until(self.now + 1)
        self.press(first)
        self.press(3 - first)
        self.press(1, at=self.now + 3)
        for button in draws:
            self.press(button)

    def menu(self, down: int = 0) -> None:
        """The menu, with the cursor so far down."""
        self.hold(2, 3, 4)
        for _ in range(down):
            self.press(2)

    def of(self, *whats: str) -> list[One]:
        """What was said of these kinds."""
        return [one for one in self.said if one["what"] in whats]

    def seconds(self, what: str) -> list[float]:
        """When this was said."""
        return [one["t"] for one in self.of(what)]

    @property
    def scene(self) -> str:
        """The scene in front."""
        return str(self.of("scene")[-1]["scene"])

    @property
    def shown(self) -> Scene:
        """What the display shows."""
        return self.table.show(self.now).scene

    @property
    def quiet(self) -> bool:
        """Nothing will ever happen by itself."""
        return self.table.due == inf


Does = Callable[[Box], object]
