"""The four lamps: lit, blinking or dark. The loop says when it is time to blink; nothing here runs by itself."""

from __future__ import annotations

import gpiozero

from device.parts.guard import Guard

# Seconds a blinking lamp is on, and then off.
BLINK = 0.5


class LampRow:
    """Lamps 1 to 4, clockwise. All blinking ones blink together, and begin with light."""

    def __init__(self, pins: tuple[int, int, int, int], factory: gpiozero.Factory, guard: Guard) -> None:
        self._guard = guard
        self._lamps: list[gpiozero.LED] = []
        self._on = [False] * 4
        self._lit: frozenset[int] = frozenset()
        self._blinking: frozenset[int] = frozenset()
        self._since = 0.0
        try:
            for pin in pins:
                self._lamps.append(gpiozero.LED(pin, initial_value=False, pin_factory=factory))
        except BaseException:
            self.close()
            raise

    def show(self, lit: frozenset[int], blinking: frozenset[int], now: float) -> float | None:
        """Light these, let those blink, darken the rest. `now`: seconds; returns when `beat` is due, or None."""
        if blinking and not self._blinking:
            self._since = now
        self._lit, self._blinking = lit, blinking
        return self.beat(now)

    def beat(self, now: float) -> float | None:
        """Blink if it is time; returns when it will be next, in the seconds of `now`, None if nothing blinks."""
        phase = int((now - self._since) / BLINK + 1e-6)
        shining = self._lit if phase % 2 else self._lit | self._blinking
        for index, lamp in enumerate(self._lamps):
            on = index + 1 in shining
            if on != self._on[index]:
                self._on[index] = on
                try:
                    lamp.value = on
                except Exception as trouble:
                    self._guard.met(trouble, f"lamp {index + 1} ({lamp.pin})")
        return self._since + (phase + 1) * BLINK if self._blinking else None

    def close(self) -> None:
        """Dark first, then the pins are closed."""
        self._lit = self._blinking = frozenset()
        self.beat(self._since)
        for lamp in reversed(self._lamps):
            try:
                lamp.off()
                lamp.close()
            except Exception as trouble:
                self._guard.met(trouble, "lamps")
