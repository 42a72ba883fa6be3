"""Boxes to be measured: the real service on mock pins that date every change, a bus that blocks, a card that stalls.

Only what a slow display and a slow card do is put on; nothing of the box is replaced or left out.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from gpiozero.pins.mock import MockFactory, MockPin, MockPWMPin

from device.config import load
from device.game.chance import SeededChance
from device.parts.oled import DisplaySettings, open_oled
from device.parts.pins import DEFAULT_PINS
from device.service import Service
from device.simulator.chip import Chip
from device.store import Store

WRITE = 0.093
"""Seconds of stock luma's 1,034 bytes at the Pi's default 100 kHz, nine clocks a byte: here every transaction's."""
STALL = 5.0
"""Seconds a write to the card takes: far more than any appointment may be late."""
PATIENCE = 60.0
"""Seconds after which the bench gives up: something does not work at all."""


class DatedPin(MockPWMPin):  # type: ignore[misc]  # gpiozero ships no types
    """A mock pin that remembers when its level changed to what, in seconds of the monotonic clock."""

    def __init__(self, factory: MockFactory, info: Any) -> None:
        self.changes: list[tuple[float, float]] = []
        super().__init__(factory, info)

    def since(self, began: float) -> list[float]:
        """When it changed from `began` on, in seconds after that."""
        return [at - began for at, _ in self.changes if at >= began]

    def _change_state(self, value: float) -> bool:
        changed: bool = super()._change_state(value)
        if changed:
            self.changes.append((time.monotonic(), float(value)))
            # gpiozero's mock pins keep every state they ever had.
            del self.states[:-2]
        return changed


class SlowStore(Store):
    """A store on a card of which every write stalls while `slow`, for STALL seconds or until `slow` is over."""

    def __init__(self, path: Path) -> None:
        self.awake = threading.Event()
        self.awake.set()
        self.stalling = False
        super().__init__(path)

    @property
    def slow(self) -> bool:
        """Whether writes stall."""
        return not self.awake.is_set()

    @slow.setter
    def slow(self, slow: bool) -> None:
        (self.awake.clear if slow else self.awake.set)()

    def flush(self) -> None:
        """See Store.flush."""
        if self.unsaved and self.slow:
            self.stalling = True
            self.awake.wait(STALL)
            self.stalling = False
        super().flush()


class Box:
    """One box, switched on at once, with its store and config file. glass: seconds, below what the config allows."""

    def __init__(self, path: Path, config: Path, glass: float, write: float = WRITE) -> None:
        self.factory = MockFactory(pin_class=DatedPin)
        self.chip = Chip()
        self.chip.stall = write
        self.store = SlowStore(path)
        self.said: list[dict[str, Any]] = []
        self._news = threading.Condition()
        self._error: BaseException | None = None
        effective = load(config)
        # The config asks for 5 seconds at least: 500 ends of that would be most of an hour.
        changed: dict[str, Any] = {"glass_seconds": glass}
        effective = replace(effective, config=replace(effective.config, **changed))
        self.service = Service(
            effective,
            self.store,
            self.factory,
            lambda: open_oled(DisplaySettings(), line=self.chip),
            chance=SeededChance(1),
            say=self._hear,
        )
        self._thread = threading.Thread(target=self._run, name="service", daemon=True)
        self._thread.start()
        self.wait(lambda said: any(one["what"] == "scene" for one in said), 0)

    def _run(self) -> None:
        try:
            self.service.run()
        except BaseException as error:
            self._error = error

    def _hear(self, one: dict[str, Any]) -> None:
        with self._news:
            self.said.append(one)
            self._news.notify_all()

    def stop(self) -> None:
        """Switch it off."""
        self.store.slow = False
        self.service.stop()
        self._thread.join(PATIENCE)
        self.factory.close()

    def wait(self, happened: Callable[[Sequence[dict[str, Any]]], bool], since: int) -> None:
        """Until this is true of what was said since then (a length of `said`)."""
        end = time.monotonic() + PATIENCE
        with self._news:
            while not happened(self.said[since:]):
                if self._error is not None:
                    raise self._error
                if not self._news.wait(max(0.0, end - time.monotonic())):
                    raise TimeoutError(f"the box does not go on; it said last: {self.said[-5:]}")

    def scene(self, name: str, since: int) -> None:
        """Until it is in this scene, entered since then."""
        self.wait(lambda said: any(one["what"] == "scene" and one["scene"] == name for one in said), since)

    def button(self, number: int) -> MockPin:
        """The pin of button 1 to 4."""
        return self.factory.pin(DEFAULT_PINS.buttons[number - 1])

    def lamp(self, number: int) -> DatedPin:
        """The pin of lamp 1 to 4."""
        pin: DatedPin = self.factory.pin(DEFAULT_PINS.lamps[number - 1])
        return pin

    @property
    def buzzer(self) -> DatedPin:
        """The buzzer's pin."""
        pin: DatedPin = self.factory.pin(DEFAULT_PINS.buzzer)
        return pin

    def press(self, *numbers: int, seconds: float = 0.032) -> None:
        """Down together, and up: 32 ms is just more than the bounces of one edge may last."""
        for number in numbers:
            self.button(number).drive_low()
        time.sleep(seconds)
        for number in numbers:
            self.button(number).drive_high()

    @property
    def end(self) -> float | None:
        """When the last race ended by the table's own reckoning, in seconds of the monotonic clock."""
        stop: float | None = self.service._table.e.stop  # said nowhere: the transcript has no such clock
        return stop


def bounce(seed: int, seconds: float = 0.003) -> list[float]:
    """Times within `seconds` at which a contact opens and closes again, ending closed."""
    draw = random.Random(seed)
    return sorted(draw.uniform(0.0, seconds) for _ in range(2 * draw.randint(1, 4)))
