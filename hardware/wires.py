"""The one table of what is connected to what: every wire of the box, from the code's default pins.

Drawings and documents are made from this; nothing here knows how they look. Stands apart from the program: nothing
in device/ imports hardware/.
"""

from __future__ import annotations

from dataclasses import dataclass

from device.game.players import SEATS
from device.parts.pins import DEFAULT_PINS, Pins

# The 40-pin header, the same on every Raspberry Pi since the B+: position -> what it carries.
POWER = {1: "3V3", 17: "3V3", 2: "5V", 4: "5V"} | dict.fromkeys((6, 9, 14, 20, 25, 30, 34, 39), "GND")
_BCM = {
    3: 2, 5: 3, 7: 4, 8: 14, 10: 15, 11: 17, 12: 18, 13: 27, 15: 22, 16: 23, 18: 24, 19: 10, 21: 9, 22: 25,
    23: 11, 24: 8, 26: 7, 27: 0, 28: 1, 29: 5, 31: 6, 32: 12, 33: 13, 35: 19, 36: 16, 37: 26, 38: 20, 40: 21,
}  # fmt: skip # one row a half of the header reads better than one number a line
HEADER: dict[int, str] = {pin: POWER.get(pin) or f"GPIO {_BCM[pin]}" for pin in range(1, 41)}
POSITION: dict[int, int] = {bcm: pin for pin, bcm in _BCM.items()}

COLOURS = {"red": "#d3342f", "blue": "#2767c8", "green": "#2c8f43", "yellow": "#e0a800"}
NET_COLOURS = {"5V": "#e4572e", "3V3": "#e58a9b", "GND": "#333333", "SDA": "#7b4fb5", "SCL": "#0d8f8f"}
BUZZER_COLOUR = "#8a5a33"


@dataclass(frozen=True, slots=True)
class Wire:
    """From a position of the header to a terminal of a part. `bcm` is None for power and ground."""

    position: int
    part: str
    terminal: str
    colour: str
    bcm: int | None = None

    @property
    def net(self) -> str:
        """What the header says there: "GPIO 17", "5V", "GND"."""
        return HEADER[self.position]


def wires(pins: Pins = DEFAULT_PINS) -> tuple[Wire, ...]:
    """Every wire that ends at the header; grouped by part, in the order in which they are best made."""
    oled = [
        Wire(1, "display", "VCC", NET_COLOURS["3V3"]),
        Wire(POSITION[2], "display", "SDA", NET_COLOURS["SDA"], 2),
        Wire(POSITION[3], "display", "SCL", NET_COLOURS["SCL"], 3),
        Wire(9, "display", "GND", NET_COLOURS["GND"]),
    ]
    colours = [COLOURS[player] for player in SEATS]
    buttons = [
        Wire(POSITION[bcm], f"button {number}", "switch", colour, bcm)
        for number, (bcm, colour) in enumerate(zip(pins.buttons, colours, strict=True), 1)
    ]
    driver = [
        Wire(2, "driver", "5V", NET_COLOURS["5V"]),
        Wire(20, "driver", "GND", NET_COLOURS["GND"]),
        Wire(POSITION[pins.buzzer], "driver", "IN1", BUZZER_COLOUR, pins.buzzer),
    ]
    lamps = [
        Wire(POSITION[bcm], "driver", f"IN{number + 1}", colour, bcm)
        for number, (bcm, colour) in enumerate(zip(pins.lamps, colours, strict=True), 1)
    ]
    return (*oled, *buttons, Wire(39, "buttons", "GND", NET_COLOURS["GND"]), *driver, *lamps)


def loads() -> tuple[tuple[int, str, str], ...]:
    """The driver's channels: (number, what hangs on it, its colour)."""
    lamps = [(n + 1, f"lamp {n}", COLOURS[player]) for n, player in enumerate(SEATS, 1)]
    return ((1, "buzzer", BUZZER_COLOUR), *lamps)


def pulled(bcm: int) -> str:
    """What the chip does to a pin from power-on until a program takes it: "up" for GPIO 0-8, else "down"."""
    return "up" if bcm <= 8 else "down"
