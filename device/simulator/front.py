"""The outside of a simulated box: its buttons, and what its lamps, its buzzer and its display show.

Knows pins and the display chip; no sockets, no page, no rules.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from device.simulator.pins import WatchedFactory, WatchedPin


class Glass(Protocol):
    """What is asked of the model of the display chip."""

    def picture(self) -> bytes:
        """The 128x64 pixels as they are seen: 1,024 bytes, row by row, the leftmost pixel the highest bit."""

    def brightness(self) -> int:
        """0 (dark or switched off) to 255."""


class Front:
    """Buttons to press, things to see and hear. Every method may be called from any thread."""

    def __init__(
        self,
        factory: WatchedFactory,
        glass: Glass,
        buttons: Sequence[int],
        lamps: Sequence[int],
        buzzer: int,
        labels: Mapping[str, Any],
    ) -> None:
        """`buttons`, `lamps`, `buzzer`: BCM numbers. `labels`: what is printed on the box, handed on as it is.

        Its "language" is that of the start: see `speak`.
        """
        self._buttons: list[WatchedPin] = [factory.pin(number) for number in buttons]
        self._lamps: list[WatchedPin] = [factory.pin(number) for number in lamps]
        self._buzzer: WatchedPin = factory.pin(buzzer)
        self._glass = glass
        self._labels = dict(labels)
        self._language: Callable[[], str] | None = None
        self._down = [False] * 4
        self._bell: Callable[[], None] | None = None
        factory.on_change(self.ring)

    def speak(self, language: Callable[[], str]) -> None:
        """From now on `language()`, called on whatever thread, is the box's: it may be changed on the box itself."""
        self._language = language

    def on_change(self, bell: Callable[[], None]) -> None:
        """Call `bell`, on whatever thread, whenever `state` or `picture` may have changed."""
        self._bell = bell

    def ring(self) -> None:
        """Something of the box has changed (the display chip calls this, and every pin)."""
        if self._bell is not None:
            self._bell()

    def push(self, button: int, down: bool) -> None:
        """Push button 1 to 4 down, or let it come up."""
        self._buttons[button - 1].press(down)
        self._down[button - 1] = down
        self.ring()

    def state(self) -> dict[str, Any]:
        """All but the picture, as JSON would have it.

        `lamps`: four levels, 0 to 1; `down`: the buttons held; `tone`: Hz or None; `brightness`: 0 to 255;
        and the labels.
        """
        # Another language is another picture, which rings.
        language = {} if self._language is None else {"language": self._language()}
        return {
            **self._labels,
            **language,
            "lamps": [round(pin.driven, 3) for pin in self._lamps],
            "down": [number for number, down in enumerate(self._down, 1) if down],
            "tone": self._buzzer.tone,
            "brightness": self._glass.brightness(),
        }

    def picture(self) -> bytes:
        """See Glass.picture."""
        return self._glass.picture()
