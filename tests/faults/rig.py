"""The real service on mock pins: real store, real threads, a modelled display. Nothing here replaces a part of it.

What happens is waited for by what the box says; a press lasts as long as a finger takes, that is all the sleeping.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

import gpiozero
from gpiozero.pins.mock import MockFactory, MockPin, MockPWMPin

from device.config import load
from device.game.chance import Chance, SeededChance
from device.notify import Notify
from device.parts.board import open_factory
from device.parts.oled import DisplaySettings, Oled, open_oled
from device.parts.pins import DEFAULT_PINS
from device.service import Service
from device.simulator.chip import Chip
from device.store import Store
from device.table import gestures, results

PATIENCE = 60.0
"""Seconds after which a test that waits for something has failed. Nothing is judged by how long it took."""
TAP = 0.05
"""Seconds a finger stays on a button."""
APART = 0.04
"""Seconds between two presses: a button's bounces are over by then."""

LOOK, HOLD, MENU = 0.2, 0.6, 0.8
"""Seconds in place of 2, 1.5 and 2: see conftest. The soak's hour leaves them as they are."""

One = Mapping[str, Any]
SHORT: Mapping[str, Any] = {"glass_seconds": 5}


def held_factory(pins: set[int]) -> MockFactory:
    """Mock pins of which these are held down to ground, whatever pulls them up."""

    class Held(MockPWMPin):  # type: ignore[misc]  # gpiozero ships no types
        def _set_pull(self, value: str) -> None:
            super()._set_pull(value)
            if self.info.name in {f"GPIO{pin}" for pin in pins}:
                self._change_state(False)

    return MockFactory(pin_class=Held)


class Box:
    """One box from power-on to its end. As a context it is switched on, and at the end it must have gone out clean.

    connect: opens the display, by default the modelled chip `chip`. store: a path, an open Store or None (memory).
    """

    def __init__(
        self,
        store: Path | Store | None = None,
        *,
        settings: Mapping[str, Any] = SHORT,
        chip: Chip | None = None,
        connect: Callable[[], Oled] | None = None,
        chance: Chance | None = None,
        say: Callable[[dict[str, Any]], None] | None = None,
        power_off: Callable[[], None] | None = None,
        notify: Notify | None = None,
        scripts: Path | None = None,
        factory: gpiozero.Factory | None = None,
    ) -> None:
        self.said: list[One] = []
        self.chip = chip or Chip("ssd1306")
        self.factory = factory or open_factory("mock")
        self.pins = DEFAULT_PINS
        self.store = store if isinstance(store, Store) else Store(store)
        self._news = threading.Condition()
        self._say = say
        self._read = 0
        self.error: BaseException | None = None
        effective = load(None, fallback=None, overrides=settings, settings=self.store.settings())
        self.service = Service(
            effective,
            self.store,
            self.factory,
            connect or (lambda: open_oled(DisplaySettings(), line=self.chip)),
            chance=chance or SeededChance(1),
            say=self._hear,
            power_off=power_off,
            notify=notify,
            scripts=scripts,
        )
        self._thread = threading.Thread(target=self._run, name="service")

    def _run(self) -> None:
        try:
            self.service.run()
        except BaseException as error:
            self.error = error
        finally:
            with self._news:
                self._news.notify_all()

    def _hear(self, one: dict[str, Any]) -> None:
        with self._news:
            self.said.append(one)
            self._news.notify_all()
        if self._say is not None:
            self._say(one)

    # On and off

    def start(self) -> Box:
        """Switch it on and wait for its first scene."""
        self._thread.start()
        self.wait("scene")
        return self

    def stop(self) -> None:
        """Ask it to end, and wait until it has."""
        self.service.stop()
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive(), "the service does not end"

    def __enter__(self) -> Box:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        alive = self._thread.is_alive()
        self.stop()
        if kind is None:
            if self.error is not None:
                raise self.error
            assert alive, "the service ended by itself"

    @property
    def alive(self) -> bool:
        """Whether the loop still runs."""
        return self._thread.is_alive()

    # Fingers

    def _pin(self, button: int) -> MockPin:
        return self.factory.pin(self.pins.buttons[button - 1])

    def down(self, *buttons: int) -> None:
        """A finger on each of these."""
        for button in buttons:
            self._pin(button).drive_low()

    def up(self, *buttons: int) -> None:
        """Off again."""
        for button in buttons:
            self._pin(button).drive_high()

    def press(self, *buttons: int, seconds: float = TAP) -> None:
        """One after the other."""
        for button in buttons:
            self.down(button)
            time.sleep(seconds)
            self.up(button)
            time.sleep(APART)

    def hold(self, *buttons: int) -> None:
        """All of them together: one or two for a hold, three for the menu."""
        needed = gestures.MENU if len(buttons) > 2 else gestures.HOLD
        self.down(*buttons)
        time.sleep(needed + 0.15)
        self.up(*buttons)
        time.sleep(APART)

    # Eyes and ears

    def wait(self, what: str, count: int = 1, timeout: float = PATIENCE, **fields: Any) -> One:
        """The next thing said of this kind, after whatever was waited for before; the last of `count`."""
        end = time.monotonic() + timeout
        with self._news:
            while True:
                while self._read < len(self.said):
                    one = self.said[self._read]
                    self._read += 1
                    if one["what"] == what and all(one.get(key) == value for key, value in fields.items()):
                        count -= 1
                        if not count:
                            return one
                left = end - time.monotonic()
                if left <= 0 or (self._thread.ident is not None and not self._thread.is_alive()):
                    heard = [one for one in self.said if one["what"] == what]
                    raise AssertionError(f"never said: {what} {fields}; said: {heard[-5:]}; error: {self.error!r}")
                self._news.wait(min(left, 0.5))

    def until(self, happened: Callable[[], bool], why: str) -> None:
        """Wait until this is so."""
        end = time.monotonic() + PATIENCE
        while not happened():
            assert time.monotonic() < end, f"never happened: {why}"
            with self._news:
                self._news.wait(0.02)

    def of(self, what: str) -> list[One]:
        """All that was said of this kind."""
        with self._news:
            return [one for one in self.said if one["what"] == what]

    def notices(self, about: str) -> list[str]:
        """The texts of the notices about this."""
        return [one["text"] for one in self.of("notice") if one["about"] == about]

    @property
    def buzzes(self) -> bool:
        """Whether the buzzer's pin is driven."""
        return bool(self.factory.pin(self.pins.buzzer).state)

    @property
    def lit(self) -> tuple[bool, ...]:
        """The lamps' pins."""
        return tuple(bool(self.factory.pin(pin).state) for pin in self.pins.lamps)

    @property
    def dark(self) -> bool:
        """Buzzer 0, lamps 0, display off."""
        return not self.buzzes and not any(self.lit) and not self.chip.lit

    # What players do

    def look(self) -> None:
        """At each other's boards, until a press goes on."""
        time.sleep(results.LOOK + 0.1)

    def to_race(self, players: tuple[int, ...] = (1, 2)) -> None:
        """From the lobby into the first race; the first of them rolls."""
        self.press(*players)
        self.wait("joined", len(players))
        self.hold(players[0])
        self.wait("scene", scene="youngest")
        self.press(players[0])
        self.wait("scene", scene="ready")
        self.press(players[0])
        self.wait("flip")

    def to_draw(self, players: tuple[int, ...] = (1, 2)) -> None:
        """All claim, look, and go on to the bag."""
        self.press(*players)
        self.wait("scene", scene="check")
        self.to_bag(players[0])

    def to_bag(self, player: int) -> None:
        """From the check: look, and this player goes on to the bag."""
        self.look()
        self.press(player)
        self.wait("scene", scene="draw")

    def to_scores(self, players: tuple[int, ...] = (1, 2)) -> None:
        """Each draws."""
        for player in players:
            self.press(player)
            self.wait("gem")
        self.wait("scene", scene="scores")
