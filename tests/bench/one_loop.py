"""The peer of items 2 to 4: a box as one writes it first. One loop polls, draws, sends and sleeps; luma and gpiozero.

Written for the comparison, in good faith: it stamps with the monotonic clock and its card is quick.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable
from importlib import import_module
from random import Random

import gpiozero
from gpiozero.pins.mock import MockFactory
from PIL import Image, ImageDraw

from device.parts.pins import DEFAULT_PINS
from tests.bench.rig import WRITE, DatedPin

REST = 0.01
"""Seconds it sleeps between two looks at the buttons."""


class Slow:
    """A bus that blocks as long as one picture takes, once a picture."""

    def command(self, *_cmd: int) -> None:
        """Take a transaction of command bytes at once."""

    def data(self, _data: Iterable[int]) -> None:
        """Take the bytes of a picture."""
        time.sleep(WRITE)

    def cleanup(self) -> None:
        """Closed."""


class OneLoop:
    """One race after the other. `stops`, `lamps`: seconds from the sand's end, and from a press, to the pin."""

    def __init__(self) -> None:
        self.stops: list[float] = []
        self.lamps: list[float] = []
        self._factory = MockFactory(pin_class=DatedPin)
        pins = DEFAULT_PINS
        self._buttons = [gpiozero.Button(pin, pin_factory=self._factory) for pin in pins.buttons]
        self._lamps = [gpiozero.LED(pin, pin_factory=self._factory) for pin in pins.lamps]
        self._buzzer = gpiozero.TonalBuzzer(pins.buzzer, pin_factory=self._factory)
        self._tone = gpiozero.tones.Tone(frequency=440.0)
        self._display = import_module("luma.oled.device").ssd1306(serial_interface=Slow())
        self._display.cleanup = lambda: None

    @classmethod
    def played(cls, races: int) -> OneLoop:
        """So many races, each with one press by somebody, at some time."""
        loop, draw = cls(), Random(1)
        for _ in range(races):
            loop.race(draw.uniform(0.12, 0.25), draw.uniform(0.0, 0.1))
        loop.close()
        return loop

    def race(self, glass: float, press: float) -> None:
        """One glass of so many seconds, and a press after so many."""
        for lamp in self._lamps:
            lamp.on()
        end = time.monotonic() + glass
        pressed: list[float] = []

        def finger() -> None:
            time.sleep(press)
            pressed.append(time.monotonic())
            self._factory.pin(DEFAULT_PINS.buttons[0]).drive_low()

        thread = threading.Thread(target=finger)
        thread.start()
        while self._turn(end):
            time.sleep(REST)
        thread.join()
        self.stops.append(self._first(DEFAULT_PINS.buzzer, end))
        self._turn(end)
        self.lamps.append(self._first(DEFAULT_PINS.lamps[0], pressed[0]))
        self._factory.pin(DEFAULT_PINS.buttons[0]).drive_high()
        self._buzzer.stop()

    def _turn(self, end: float) -> bool:
        """Once round; False when the sand has run."""
        for button, lamp in zip(self._buttons, self._lamps, strict=True):
            if button.is_pressed:
                lamp.off()
        left = end - time.monotonic()
        if left <= 0:
            self._buzzer.play(self._tone)
            return False
        picture = Image.new("1", (128, 64))
        ImageDraw.Draw(picture).text((40, 20), f"{left:.0f}", fill=1)
        self._display.display(picture)
        return True

    def _first(self, number: int, since: float) -> float:
        pin: DatedPin = self._factory.pin(number)
        return pin.since(since)[0]

    def close(self) -> None:
        """Let the pins go."""
        for device in (*self._buttons, *self._lamps, self._buzzer):
            device.close()
        self._factory.close()
