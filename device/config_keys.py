"""Every key of the config file by its full name: its default, and the check that says what would be right.

No file and no precedence here: see config.
"""

from __future__ import annotations

import datetime
import re
import unicodedata
from collections.abc import Callable, Mapping
from typing import Any

from device.game.players import SEATS
from device.parts.pins import DEFAULT_PINS
from device.plain import dataclass

LEVELS = ("green", "yellow", "orange", "red")
SYMBOLS = ("shield", "hand", "gazelle", "snake", "elephant", "mask")
DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
LONGEST_NAME = 10

Check = Callable[[Any], Any]


class Wrong(Exception):
    """The value is wrong; the text says what would be right."""


@dataclass(frozen=True, slots=True)
class Key:
    """A key's default and its check, which gives the value as the config holds it or raises Wrong."""

    default: Any
    check: Check


def shown(value: Any) -> str:
    """A value as a short text for an error: as TOML writes it, cut where it is long."""
    text = {True: "true", False: "false"}[value] if isinstance(value, bool) else f"{value!r}"
    return text if len(text) <= 40 else text[:37] + "..."


def _one_of(*choices: str) -> Check:
    def check(value: Any) -> str:
        if not isinstance(value, str) or value not in choices:
            raise Wrong("must be " + " or ".join(f'"{c}"' for c in choices))
        return value

    return check


def _whole(low: int, high: int, means: str = "") -> Check:
    def check(value: Any) -> int:
        # A bool is an int in Python, not in a config file.
        if type(value) is not int or not low <= value <= high:
            raise Wrong(f"must be a whole number from {low} to {high}{means}")
        return value

    return check


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise Wrong("must be true or false")
    return value


def _or_none(check: Check) -> Check:
    return lambda value: None if value is None else check(value)


def _text(value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise Wrong('must be a text, as "classic"')
    return value


def _name(value: Any) -> str:
    name = unicodedata.normalize("NFC", value).strip() if isinstance(value, str) else ""
    if not 1 <= len(name) <= LONGEST_NAME or not name.isprintable():
        raise Wrong(f"must be a name of 1 to {LONGEST_NAME} letters")
    return name


def _address(value: Any) -> int:
    if type(value) is not int or not 0x08 <= value <= 0x77:
        raise Wrong("must be an I2C address from 0x08 to 0x77 without quotes; displays have 0x3C or 0x3D")
    return value


def _rotate(value: Any) -> int:
    if type(value) is not int or value not in (0, 2):
        raise Wrong("must be 0, or 2 for a display that hangs upside down")
    return value


def _pin(value: Any) -> int:
    if type(value) is not int:
        raise Wrong("must be a GPIO number (BCM), as 18")
    return value


def _four_pins(value: Any) -> tuple[int, ...]:
    if not isinstance(value, list | tuple) or len(value) != 4 or not all(type(pin) is int for pin in value):
        raise Wrong("must be four GPIO numbers (BCM), red, blue, green, yellow, as [5, 6, 13, 19]")
    return tuple(value)


def _symbols(value: Any) -> tuple[str, ...]:
    good = isinstance(value, list | tuple) and all(isinstance(symbol, str) for symbol in value)
    if not good or sorted(value) != sorted(SYMBOLS):
        raise Wrong(f"must be these six in the order of your boards, top to bottom: {', '.join(SYMBOLS)}")
    return tuple(value)


def _time(value: Any) -> str:
    if isinstance(value, datetime.time):
        return f"{value:%H:%M}"
    match = re.fullmatch(r"(\d{1,2}):(\d\d)", value, re.ASCII) if isinstance(value, str) else None
    if match is None or int(match[1]) > 23 or int(match[2]) > 59:
        raise Wrong('must be a time of day, as "19:30"')
    return f"{int(match[1]):02}:{match[2]}"


KEYS: Mapping[str, Key] = {
    "edition": Key("classic", _text),
    "side": Key("A", _one_of("A", "B")),
    "scoring": Key("track", _one_of("track", "no-luck")),
    "bag": Key("box", _one_of("box", "cloth")),
    "cards": Key("all", _one_of("all", "first-only")),
    "glass_seconds": Key(None, _or_none(_whole(5, 600, " seconds, or be left out for the edition's own"))),
    "glass_start": Key(None, _or_none(_one_of("roll", "ready"))),
    "sound": Key(True, _flag),
    "brightness": Key(200, _whole(1, 255)),
    "language": Key("en", _one_of("en", "fr", "de")),
    "symbols": Key(SYMBOLS, _symbols),
    **{f"players.{player}": Key(None, _name) for player in SEATS},
    **{f"levels.{player}": Key("green", _one_of(*LEVELS)) for player in SEATS},
    **{f"handicap.{player}": Key(0, _whole(0, 600, " seconds")) for player in SEATS},
    "pins.buttons": Key(DEFAULT_PINS.buttons, _four_pins),
    "pins.lamps": Key(DEFAULT_PINS.lamps, _four_pins),
    "pins.buzzer": Key(DEFAULT_PINS.buzzer, _pin),
    "pins.pin_factory": Key("auto", _one_of("auto", "lgpio", "gpiod", "mock")),
    "display.driver": Key("ssd1306", _one_of("ssd1306", "ssd1309", "sh1106")),
    "display.interface": Key("i2c", _one_of("i2c", "spi")),
    "display.port": Key(1, _whole(0, 31, ", the bus")),
    "display.address": Key(0x3C, _address),
    "display.rotate": Key(0, _rotate),
    "display.device": Key(0, _whole(0, 1, ", the chip select of an SPI display")),
    "display.dc": Key(24, _whole(0, 27, ", the GPIO of an SPI display's D/C wire")),
    "display.reset": Key(25, _whole(0, 27, ", the GPIO of an SPI display's reset wire")),
    "game_night.day": Key(None, _or_none(_one_of(*DAYS))),
    "game_night.time": Key(None, _or_none(_time)),
}

TABLES = tuple(dict.fromkeys(key.partition(".")[0] for key in KEYS if "." in key))

# What can be set on the box, in the order in which it is offered; "edition" is added by whoever knows them all.
CHOICES: Mapping[str, tuple[Any, ...]] = {
    "side": ("A", "B"),
    "scoring": ("track", "no-luck"),
    "bag": ("box", "cloth"),
    "glass_seconds": (None, 20, 30, 45, 50, 60, 75, 90, 120, 180),
    "sound": (True, False),
    "brightness": (40, 80, 120, 160, 200, 255),
    "language": ("en", "fr", "de"),
    "cards": ("all", "first-only"),
    **{f"handicap.{player}": (0, 5, 10, 15, 20, 30) for player in SEATS},
    **{f"levels.{player}": LEVELS for player in SEATS},
}
