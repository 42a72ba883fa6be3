"""gpiozero's own lgpio pins, for a board whose revision can't be read. Imported only where lgpio is used."""

from __future__ import annotations

import gpiozero
from gpiozero.pins.lgpio import LGPIOFactory


class LgpioFactory(LGPIOFactory):  # type: ignore[misc]  # gpiozero ships no types
    """Pins of /dev/gpiochip`chip`; `revision` is gone by where the sandbox hides the board's own."""

    def __init__(self, chip: int, revision: int) -> None:
        self._fallback = revision
        super().__init__(chip)

    def _get_revision(self) -> int:
        try:
            revision: int = super()._get_revision()
        except (gpiozero.PinUnknownPi, OSError, ValueError):
            return self._fallback
        return revision
