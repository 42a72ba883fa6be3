"""The box at the table: presses go to the guest's pins, and what comes of them is held against the twin."""

from __future__ import annotations

from pathlib import Path

from tests.virtual_pi.machine import VirtualPi, until
from tests.virtual_pi.twin import Twin

# Cloth: the colours drawn are presses, so what a whole match shows is known beforehand.
SETTINGS = 'bag = "cloth"\nglass_seconds = 15\nbrightness = 150\n'
# Button and gem.
RUBY, AMBER = 1, 4


class Box:
    """The box at the table: presses go to the pins, and what comes of them is held against the twin."""

    def __init__(self, pi: VirtualPi, settings: Path) -> None:
        self.pi, self.settings = pi, settings

    def twin(self) -> Twin:
        """The twin, taken up from the box's store."""
        return Twin(self.settings, self.pi.store()).resumed()

    def scene(self) -> str:
        """Where the match stands, by the store."""
        return self.twin().table.scene.name

    def agrees(self, scene: str, ready: float = 0.0) -> None:
        """Wait until store, display and lamps all say this scene, the display to the last pixel."""

        def same() -> bool:
            look = self.pi.look()
            twin = Twin(self.settings, look.store).resumed()
            twin.wait(ready)
            return (
                twin.table.scene.name == scene and look.picture == twin.picture() and set(twin.lit()) <= set(look.lit)
            )

        until(same, f"{scene} on the display, pixel for pixel, and its lamps")

    def played(self) -> float:
        """Seconds of the running glass that are on disk."""
        return float(Twin(self.settings, self.pi.store()).kept.mark.get("played", 0.0))

    def events(self) -> int:
        """Decisions that are on disk."""
        return len(Twin(self.settings, self.pi.store()).kept.events)

    def races(self, after: float = 0.0) -> None:
        """Wait until the glass has run for longer than that."""
        until(lambda: self.played() > after, "the glass runs")

    def press(self, button: int, then: str, seconds: float = 0.1) -> None:
        """Press, and wait for the scene that must follow."""
        self.pi.press(button, seconds)
        self.agrees(then)

    def round(self, roller: int) -> None:
        """A whole round that both players solve, from its roll to its scores."""
        self.pi.press(roller)
        self.races()
        self.pi.press(1)
        self.pi.press(2)
        self.agrees("check", ready=3.0)
        self.press(1, "draw")
        self.press(RUBY, "draw")
        self.pi.press(AMBER)
