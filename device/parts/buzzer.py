"""The buzzer: one tune at a time, the newest one. The loop says when the next note is due; no thread of ours.

A tone's own waves are the pin's business (PWM). Its first wave is not: lgpio begins a PWM up to 20 ms late, so the
pin is set by hand first, on the thread that calls.
"""

from __future__ import annotations

import time
from math import inf

import gpiozero

from device.parts.guard import Guard
from device.parts.sounds import STOP_SECONDS, TUNES, Note

# The square wave that is loudest on a passive buzzer.
_HALF = 0.5


class Tone(gpiozero.OutputDevice):  # type: ignore[misc]  # gpiozero ships no types
    """A passive buzzer that starts at once and is really low when it is quiet.

    gpiozero's TonalBuzzer is neither: stopping lgpio's PWM leaves the pin as it happens to be.
    """

    def sound(self, hertz: float) -> None:
        """Sound at `hertz`; the pin has changed when this returns."""
        pin = self.pin
        if pin.frequency is None:
            pin.state = 1
        try:
            pin.frequency = hertz
            pin.state = _HALF
        except gpiozero.PinPWMUnsupported:
            pin.state = 1

    def still(self) -> None:
        """Quiet, and the pin at 0."""
        pin = self.pin
        if pin.frequency is not None:
            pin.frequency = None
        pin.state = 0


OVER_STOP = ("stop", "second-chance")


class Buzzer:
    """Plays the sounds of `sounds.TUNES`. `stop_seconds`: how long Stop buzzes."""

    stop_seconds = STOP_SECONDS

    def __init__(self, pin: int, factory: gpiozero.Factory, guard: Guard) -> None:
        self._guard = guard
        self._notes: tuple[Note, ...] = ()
        self._next = 0
        self._due: float | None = None
        self._stop_until = -inf
        self._sounding = False
        self._tone = Tone(pin, initial_value=False, pin_factory=factory)

    def play(self, sound: str, now: float | None = None) -> float | None:
        """Begin `sound` at once instead of whatever sounds; returns when `beat` is due. An unknown one is silence.

        Stop is heard to its end: only itself and the second chance, which takes it back, are played over it.
        `now`: seconds of the monotonic clock.
        """
        now = time.monotonic() if now is None else now
        if now < self._stop_until and sound in TUNES and sound not in OVER_STOP:
            return self._due
        # Quiet first, so that the new sound's own first wave is the pin's next change.
        self.silence()
        if sound not in TUNES:
            return None
        self._notes = TUNES[sound]
        self._due = now
        if sound == "stop":
            self._stop_until = now + STOP_SECONDS
        return self.beat(now)

    def beat(self, now: float) -> float | None:
        """Play the notes that are due by `now`; returns when the next one is, None when it is quiet."""
        if self._due is None or now < self._due:
            return self._due
        hertz = 0.0
        while self._due <= now and self._next < len(self._notes):
            note = self._notes[self._next]
            self._next += 1
            self._due += note.seconds
            hertz = note.hertz
        if self._due <= now:
            self.silence()
        else:
            self._set(hertz)
        return self._due

    def silence(self) -> None:
        """Quiet at once."""
        self._notes, self._next, self._due, self._stop_until = (), 0, None, -inf
        self._set(0)

    def close(self) -> None:
        """Quiet first, then the pin is closed."""
        if not self._tone.closed:
            self.silence()
            try:
                self._tone.still()
                self._tone.close()
            except Exception as trouble:
                self._guard.met(trouble, "buzzer")

    def _set(self, hertz: float) -> None:
        if not hertz and not self._sounding:
            return
        try:
            if hertz:
                self._sounding = True
                self._tone.sound(hertz)
            else:
                self._tone.still()
                self._sounding = False
        except Exception as trouble:
            self._guard.met(trouble, f"buzzer ({self._tone.pin})")
