"""Everything on the pins, opened in order and closed in reverse. First and last act: 0 on every output."""

from __future__ import annotations

from collections.abc import Callable

import gpiozero

from device.errors import UserError
from device.parts.buttons import Buttons
from device.parts.buzzer import Buzzer
from device.parts.factories import open_factory
from device.parts.guard import Guard, Tell
from device.parts.lamps import LampRow
from device.parts.pins import Pins
from device.table.edges import Edge

__all__ = ["Board", "open_factory"]


class Board:
    """Buzzer, lamps and buttons. `put` gets every edge, from the library's event thread.

    `tell(about, text)` hears once of each kind of error that was met and lived through. Raises UserError if a pin
    can't be had.
    """

    def __init__(
        self,
        pins: Pins,
        factory: gpiozero.Factory,
        put: Callable[[Edge], None],
        tell: Tell | None = None,
    ) -> None:
        self._closed = False
        self.guard = Guard("pins", tell)
        opened: list[Buzzer | LampRow] = []
        try:
            self.buzzer = Buzzer(pins.buzzer, factory, self.guard)
            opened.append(self.buzzer)
            self.lamps = LampRow(pins.lamps, factory, self.guard)
            opened.append(self.lamps)
            self.buttons = Buttons(pins.buttons, factory, put, self.guard)
        except Exception as trouble:
            for part in reversed(opened):
                part.close()
            raise _refusal(trouble) from trouble

    def levels(self) -> tuple[bool, bool, bool, bool]:
        """Which buttons are down now."""
        return self.buttons.levels()

    def close(self) -> None:
        """Buzzer quiet and lamps dark, written before any pin is let go; closing again does nothing."""
        if self._closed:
            return
        self._closed = True
        self.buzzer.silence()
        self.lamps.show(frozenset(), frozenset(), 0.0)
        self.buttons.close()
        self.lamps.close()
        self.buzzer.close()


def _refusal(trouble: Exception) -> UserError:
    if "busy" in str(trouble).lower():
        return UserError(
            "the GPIO pins are in use by another program, most likely a second ubongo-box:"
            " stop that one first (sudo systemctl stop ubongo-box)",
            code=1,
        )
    return UserError(f"the GPIO pins can't be opened ({trouble or type(trouble).__name__}): see [pins]", code=1)
