"""gpiozero's mock pins with a bell on them: whoever draws the box hears of every change and polls nothing.

No knowledge of what hangs on which pin, and none of the page.
"""

from __future__ import annotations

from collections.abc import Callable

from gpiozero.pins.mock import MockFactory, MockPWMPin

_KEPT_STATES = 16


class WatchedPin(MockPWMPin):  # type: ignore[misc]  # gpiozero has no types, so its classes are Any
    """A mock pin that tells its factory when its level, tone or direction changed."""

    def _change_state(self, value: float) -> bool:
        changed: bool = super()._change_state(value)
        if changed:
            # A mock pin remembers every level it ever had, which a blinking lamp makes a leak.
            del self.states[:-_KEPT_STATES]
            self.factory.ring()
        return changed

    def _set_frequency(self, value: float | None) -> None:
        before = self._frequency
        super()._set_frequency(value)
        if value != before:
            self.factory.ring()

    def _set_function(self, value: str) -> None:
        super()._set_function(value)
        self.factory.ring()

    @property
    def driven(self) -> float:
        """What the pin puts out: 0 (off, or no output at all) to 1."""
        return float(self._state) if self._function == "output" else 0.0

    @property
    def tone(self) -> float | None:
        """The square wave it puts out, in Hz; None when it is silent."""
        return float(self._frequency) if self._frequency and self.driven > 0 else None

    def press(self, down: bool) -> None:
        """What a button to the pin's other rail does: to ground where the pin is pulled up, and the reverse."""
        if self._function != "input":
            return  # before the service has set its pins up, and after it closed them, a button leads nowhere
        if down == (self._pull == "up"):
            self.drive_low()
        else:
            self.drive_high()


class WatchedFactory(MockFactory):  # type: ignore[misc]  # as above
    """Mock pins of a Pi 3 (40-pin header); `ring` is called, on the thread that caused it, at every change."""

    def __init__(self) -> None:
        self._bell: Callable[[], None] | None = None
        super().__init__(revision="a02082", pin_class=WatchedPin)

    def on_change(self, bell: Callable[[], None]) -> None:
        """Call `bell` at every change from now on. It must be quick and must not raise."""
        self._bell = bell

    def ring(self) -> None:
        """A pin has changed."""
        if self._bell is not None:
            self._bell()
