"""The four buttons: their edges, dated by the pin's own event, and their levels. No filter, no meaning, no thread.

gpiozero's Button is not used: its hold thread and its `bounce_time` both do what the table does itself.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import gpiozero

from device.parts.guard import Guard
from device.table.edges import Edge

Put = Callable[[Edge], None]


class ArcadeButton(gpiozero.InputDevice):  # type: ignore[misc]  # gpiozero ships no types
    """One button to ground, pulled up by its pin: low is down."""

    def __init__(self, number: int, pin: int, factory: gpiozero.Factory, put: Put, guard: Guard) -> None:
        super().__init__(pin, pull_up=True, pin_factory=factory)
        self._number, self._put, self._guard = number, put, guard
        self._name = f"button {number} (GPIO {pin})"
        before, ticks, after = time.monotonic(), factory.ticks(), time.monotonic()
        self._same_clock = before <= ticks <= after
        self._down = False
        try:
            self.pin.edges = "both"
            self.pin.when_changed = self._changed
            self._down = bool(self.is_active)
        except BaseException:
            self.close()
            raise

    def _changed(self, ticks: float, state: float) -> None:
        """The pin's event. It may run in the only event thread there is: enqueue, and let nothing out."""
        try:
            now = time.monotonic()
            if self._same_clock:
                # A stamp from the future is none of this clock's: kernels before 5.7 gave wall-clock time.
                stamp = ticks if ticks <= now else now
            else:
                stamp = now - self.pin_factory.ticks_diff(self.pin_factory.ticks(), ticks)
            self._down = not state
            self._put(Edge(self._number, self._down, stamp))
        except Exception as trouble:
            self._guard.met(trouble, self._name)

    def down(self) -> bool:
        """Whether the button is down now; if the pin can't be read, whether its last edge went down."""
        try:
            return bool(self.is_active)
        except Exception as trouble:
            self._guard.met(trouble, self._name)
            return self._down

    def close(self) -> None:
        """No further edge is reported once this returns."""
        if self.pin is not None:
            self.pin.when_changed = None
        super().close()


class Buttons:
    """The four buttons, clockwise from 1."""

    def __init__(self, pins: tuple[int, int, int, int], factory: gpiozero.Factory, put: Put, guard: Guard) -> None:
        self._buttons: list[ArcadeButton] = []
        try:
            for number, pin in enumerate(pins, 1):
                self._buttons.append(ArcadeButton(number, pin, factory, put, guard))
        except BaseException:
            self.close()
            raise

    def levels(self) -> tuple[bool, bool, bool, bool]:
        """Which are down now."""
        one, two, three, four = self._buttons
        return one.down(), two.down(), three.down(), four.down()

    def close(self) -> None:
        """Close the pins."""
        for button in reversed(self._buttons):
            button.close()
