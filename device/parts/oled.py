"""The OLED through luma: its own start-up sequence and its bus, but only the bytes that changed are sent.

One owner: nothing here locks, whoever has the Oled (see display) is the only one to call it.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterable
from typing import Any

import gpiozero
from PIL import Image

from device.errors import UserError
from device.parts.controllers import Line, Sino, Solomon
from device.parts.pages import BLANK, FULL, pages_of
from device.plain import dataclass

DRIVERS = ("ssd1306", "ssd1309", "sh1106")
INTERFACES = ("i2c", "spi")
# Quarter turns as luma counts them, and the same said in degrees. A picture of 128x64 can't stand on its side.
TURNS = {0: False, 2: True, 180: True}

_ON, _OFF, _CONTRAST = 0xAF, 0xAE, 0x81


@dataclass(frozen=True, slots=True)
class DisplaySettings:
    """Which display hangs where. `rotate`: 0, or 2 (also 180) for upside down.

    `port`, `address`: of the I2C bus; for SPI `port` and `device` (the chip select), `dc` and `reset` in BCM
    numbers; `heal`: seconds after which everything is sent again even if nothing seems wrong.
    """

    driver: str = "ssd1306"
    interface: str = "i2c"
    port: int = 1
    address: int = 0x3C
    rotate: int = 0
    device: int = 0
    dc: int = 24
    reset: int = 25
    heal: float = 30.0

    @property
    def pins(self) -> frozenset[int]:
        """Header pins the display needs for itself, in BCM numbers."""
        if self.interface == "i2c":
            return frozenset({2, 3})
        return frozenset({9, 10, 11, 8 - self.device, self.dc, self.reset})


class Oled:
    """One display. Every call may raise what the bus raises: OSError, luma's Error, lgpio's error.

    After an error the next picture begins with the whole start-up sequence again. `frames`: pictures taken;
    `healed`: how often everything was sent.
    """

    def __init__(self, line: Line, settings: DisplaySettings) -> None:
        self._driver = settings.driver
        self._line = line
        self._chip: Solomon | Sino = Sino() if settings.driver == "sh1106" else Solomon()
        self._turned = TURNS[settings.rotate]
        self._heal = settings.heal
        self._pages = BLANK
        self._level = 0xCF
        self._asleep = False
        self._sure = False
        self._healed_at = 0.0
        self.frames = self.healed = 0
        self._device, self._tap, self._init = _take(settings.driver)
        self._tap.line = line
        try:
            self.reinit()
        except BaseException:
            self._leave()
            raise

    def reinit(self) -> None:
        """The whole start-up sequence, brightness, the last picture in full, and on again (unless it sleeps)."""
        self._everything(self._init)

    def heal(self, now: float | None = None) -> None:
        """Like `reinit` without the dark moment: a chip that lost its registers unnoticed is back after it."""
        first, *rest = self._init
        self._everything((first[1:] if first[0] == _OFF else first, *rest), now)

    def show(self, picture: Image.Image, now: float | None = None) -> None:
        """Show a 128x64 picture of mode "1": what changed since the last one, or everything when that is due.

        `now`: seconds of the monotonic clock. A picture does not wake a display that sleeps.
        """
        old, pages = self._pages, pages_of(picture, self._turned)
        self._pages = pages
        self.frames += 1
        if not self._sure:
            self.reinit()
        elif self._asleep:
            return
        elif self.due(time.monotonic() if now is None else now) <= 0:
            self.heal(now)
        elif pages != old:
            self._sure = False
            chip, line = self._chip, self._line
            for window in chip.plan(old, pages):
                chip.send(line, window, pages)
            self._sure = True

    def due(self, now: float) -> float:
        """Seconds until everything is to be sent again."""
        return self._healed_at + self._heal - now

    def contrast(self, level: int) -> None:
        """Brightness, 0 to 255."""
        if level != self._level:
            self._level = level
            self._device.contrast(level)

    def sleep(self) -> None:
        """Off until `wake`."""
        if not self._asleep:
            self._asleep = True
            self._device.hide()

    def wake(self) -> None:
        """On again, with everything sent anew: who knows what the chip met in its sleep."""
        if self._asleep:
            self._asleep = False
            self.reinit()

    def close(self) -> None:
        """Off, and the bus closed. A bus that is gone raises nothing here: nobody could act on it."""
        with contextlib.suppress(Exception):
            self._device.hide()
        self.drop()

    def drop(self) -> None:
        """Close the bus without a word to the display: it doesn't answer."""
        with contextlib.suppress(Exception):
            self._line.cleanup()
        self._leave()

    def _everything(self, init: Iterable[tuple[int, ...]], now: float | None = None) -> None:
        self._sure = False
        self._chip.forget()
        for cmd in init:
            self._line.command(*cmd)
        self._device.contrast(self._level)
        self._chip.send(self._line, FULL, self._pages)
        if not self._asleep:
            self._device.show()
        self._healed_at = time.monotonic() if now is None else now
        self._sure = True
        self.healed += 1

    def _leave(self) -> None:
        if self._tap.line is not None:
            self._tap.line = None
            _spare.setdefault(self._driver, []).append((self._device, self._tap, self._init))


class _Tap:
    """Stands between luma's device and the line: at first it notes what the device sends, later it passes it on."""

    def __init__(self) -> None:
        self.noted: list[tuple[int, ...]] = []
        self.line: Line | None = None

    def command(self, *cmd: int) -> None:
        if self.line is None:
            self.noted.append(cmd)
        else:
            self.line.command(*cmd)


_Device = tuple[Any, _Tap, list[tuple[int, ...]]]
# luma registers every device it makes for the interpreter's exit and so keeps it; a display that is looked for all
# evening must not make a new one each time.
_spare: dict[str, list[_Device]] = {}


def _take(driver: str) -> _Device:
    """A luma device and the start-up sequence it sends: its own, but without its picture, brightness and "on"."""
    if _spare.get(driver):
        return _spare[driver].pop()
    from luma.oled import device as luma_devices  # late: it costs as much as gpiozero, and starts threads

    tap = _Tap()
    # `display`: our own way to send pictures; `cleanup`: luma's hook at exit would speak to a bus closed long ago.
    ours = {"display": lambda _self, _image: None, "cleanup": lambda _self: None}
    made = type(driver, (getattr(luma_devices, driver),), ours)(serial_interface=tap)
    return made, tap, [cmd for cmd in tap.noted if cmd[0] not in (_ON, _CONTRAST)]


def open_oled(settings: DisplaySettings, line: Line | None = None, factory: gpiozero.Factory | None = None) -> Oled:
    """Open the bus (or take `line`), start the display up and show black.

    `factory`: for the two extra wires of an SPI display. Raises UserError for settings that can't be, and whatever
    the bus raises: OSError, luma's Error.
    """
    if settings.driver not in DRIVERS:
        raise UserError(f"display.driver: {settings.driver!r} is none of {', '.join(DRIVERS)}")
    if settings.interface not in INTERFACES:
        raise UserError(f"display.interface: {settings.interface!r} is none of {', '.join(INTERFACES)}")
    if settings.rotate not in TURNS:
        raise UserError(f"display.rotate: {settings.rotate!r} is neither 0 nor 2 (upside down)")
    if line is None:
        line = _open_line(settings, factory)
    try:
        return Oled(line, settings)
    except BaseException:
        with contextlib.suppress(Exception):
            line.cleanup()
        raise


def _open_line(settings: DisplaySettings, factory: gpiozero.Factory | None) -> Line:
    if settings.interface == "spi":
        from device.parts.spi import open_spi

        return open_spi(settings.port, settings.device, settings.dc, settings.reset, factory)
    from luma.core.interface.serial import i2c  # late: see _take

    # luma gives a bus that it opens itself up to 4 KiB at once, one that it is handed only 32 bytes.
    line: Line = i2c(port=settings.port, address=settings.address)
    return line
