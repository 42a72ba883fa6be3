"""config.txt as far as it can spoil a box: is I2C on, and which lines take pins. Lines in [sections] of other boards
are left out: only [all], and what stands before any section, counts for every board."""

from __future__ import annotations

import re

from device.doctor.machine import Machine

PLACES = ("/boot/firmware/config.txt", "/boot/config.txt")

# Overlays of Raspberry Pi's firmware that take header pins, with the pins they take if no parameter says otherwise
# (its README of overlays), and the parameter that says it.
OVERLAYS: dict[str, tuple[frozenset[int], str]] = {
    "gpio-shutdown": (frozenset({3}), "gpio_pin"),
    "gpio-poweroff": (frozenset({26}), "gpiopin"),
    "gpio-fan": (frozenset({12}), "gpiopin"),
    "gpio-ir": (frozenset({18}), "gpio_pin"),
    "gpio-ir-tx": (frozenset({18}), "gpio_pin"),
    "w1-gpio": (frozenset({4}), "gpiopin"),
    "pwm": (frozenset({18}), "pin"),
    "pwm-2chan": (frozenset({18, 19}), "pin"),
    "audremap": (frozenset({12, 13}), ""),
}
_I2S = frozenset({18, 19, 20, 21})
_I2S_CARDS = re.compile(r"(hifiberry|iqaudio|justboom|allo|audioinjector|googlevoicehat|i2s|max98357a|rpi-dac)")


def read(machine: Machine) -> str | None:
    """The file that the firmware reads; None where there is none."""
    for place in PLACES:
        text = machine.text(place)
        if text is not None:
            return text
    return None


def lines(text: str) -> list[str]:
    """What counts for every board, comments and blanks taken off."""
    section, found = "all", []
    for raw in text.splitlines():
        line = raw.split("#")[0].strip()
        if match := re.fullmatch(r"\[(.+)\]", line):
            section = match[1]
        elif line and section == "all":
            found.append(line)
    return found


def i2c_on(text: str) -> bool:
    """Whether the header's I2C bus is switched on; the last word counts."""
    on = False
    for line in lines(text):
        if line.startswith("dtparam="):
            for item in line.removeprefix("dtparam=").split(","):
                key, _, value = item.partition("=")
                if key in ("i2c_arm", "i2c", "i2c1"):
                    on = value in ("", "on", "true", "yes", "1")
    return on


def taken_pins(text: str) -> list[tuple[str, frozenset[int]]]:
    """Lines that take header pins, with the pins."""
    found = []
    for line in lines(text):
        key, _, rest = line.partition("=")
        name, *parameters = rest.split(",")
        if line in ("dtparam=i2s=on", "dtparam=i2s") or (key == "dtoverlay" and _I2S_CARDS.match(name)):
            found.append((line, _I2S))
        elif key == "dtoverlay" and name in OVERLAYS:
            pins, parameter = OVERLAYS[name]
            given = dict(item.partition("=")[::2] for item in parameters)
            if given.get(parameter, "").isdigit():
                pins = frozenset({int(given[parameter])})
            found.append((line, pins))
    return found
