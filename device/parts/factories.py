"""Which library drives the pins, chosen by name and never silently. The GPIO chip is found by its label."""

from __future__ import annotations

import fcntl
import os
import struct
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import gpiozero

from device.errors import UserError
from device.parts import lg

CHOICES = ("auto", "gpiod", "lgpio", "mock")
# What the kernel calls the chip behind the header, newest board first: Pi 5, Pi 4, everything before.
# With each, the revision to go by where the board's own can't be read (gpiozero asks for one; the headers are alike).
LABELS = {"pinctrl-rp1": 0xC04170, "pinctrl-bcm2711": 0xC03111, "pinctrl-bcm2835": 0xA02082}

# From linux/gpio.h: _IOR(0xB4, 0x01, struct gpiochip_info), which is name, label, number of lines.
_GET_CHIPINFO = 0x8044B401
_CHIPINFO = struct.Struct("32s32sI")


class Chip(NamedTuple):
    """/dev/gpiochip`number`, and its label."""

    number: int
    label: str

    @property
    def path(self) -> str:
        """The device file."""
        return f"/dev/gpiochip{self.number}"


def find_chip(dev: Path = Path("/dev")) -> Chip:
    """The chip behind the header: gpiochip0 or, on a Pi 5 with an older kernel, gpiochip4. Raises UserError."""
    seen: dict[str, Chip] = {}
    refused: list[str] = []
    for path in sorted(dev.glob("gpiochip[0-9]*")):
        try:
            label = _label(path)
        except PermissionError:
            refused.append(str(path))
        except OSError:
            continue
        else:
            seen.setdefault(label, Chip(int(path.name.removeprefix("gpiochip")), label))
    for label in LABELS:
        if label in seen:
            return seen[label]
    if refused:
        raise UserError(
            f"no permission to open {refused[0]}: add this user to the group gpio"
            " (sudo usermod -aG gpio NAME) and log in again",
            code=1,
        )
    here = f"only {', '.join(sorted(seen))}" if seen else "no /dev/gpiochip"
    raise UserError(f"no Raspberry Pi pins here ({here}): on any other computer use ubongo-box simulate", code=1)


def _label(path: Path) -> str:
    descriptor = os.open(path, os.O_RDWR | os.O_CLOEXEC)
    try:
        answer = fcntl.ioctl(descriptor, _GET_CHIPINFO, bytes(_CHIPINFO.size))
    finally:
        os.close(descriptor)
    _, label, _ = _CHIPINFO.unpack(answer)
    return bytes(label).rstrip(b"\0").decode("ascii", "replace")


def open_factory(choice: str | None = None) -> gpiozero.Factory:
    """The pins of this board, by name. "auto" (None): the kernel's line events through gpiod, else lgpio alone.

    "mock" are gpiozero's pins in memory. Raises UserError: unknown name, no library, no chip, no permission.
    """
    choice = choice or "auto"
    if choice == "mock":
        from gpiozero.pins.mock import MockFactory, MockPWMPin

        return MockFactory(pin_class=MockPWMPin)
    if choice not in CHOICES:
        raise UserError(f"pin library {choice!r} is none of {', '.join(CHOICES)}")
    chip = find_chip()
    ways: dict[str, Callable[[Chip], gpiozero.Factory]] = {"gpiod": _by_gpiod, "lgpio": _by_lgpio}
    missing: list[str] = []
    for name in ("gpiod", "lgpio") if choice == "auto" else (choice,):
        try:
            return ways[name](chip)
        except ImportError as trouble:
            missing.append(f"{name}: {trouble}")
        except Exception as trouble:
            raise UserError(f"{chip.path} can't be opened by {name} ({trouble})", code=1) from trouble
    raise UserError(
        f"no library for the pins ({'; '.join(missing)}): sudo apt install python3-lgpio,"
        " or pip install 'ubongo-box[pi]'",
        code=1,
    )


def _by_gpiod(chip: Chip) -> gpiozero.Factory:
    lg.load()
    from device.parts.linefactory import LineFactory

    return LineFactory(chip.number, LABELS[chip.label])


def _by_lgpio(chip: Chip) -> gpiozero.Factory:
    lg.load()
    from device.parts.lgpiofactory import LgpioFactory

    return LgpioFactory(chip.number, LABELS[chip.label])
