"""Header, bus and display: is there what the config says, may this user have it, does it answer?"""

from __future__ import annotations

import os
from collections.abc import Iterator

from device.config import Config, DisplayConfig
from device.doctor import bootfile
from device.doctor.machine import Machine
from device.doctor.report import Finding, fault, ok, untested
from device.errors import UserError
from device.parts.factories import find_chip
from device.parts.pins import Pins

FAST = 400_000
SLOWEST_GOOD = 200_000.0
"""Hz. Between the Pi's default of 100 kHz and the 400 kHz wanted; a measured speed is lower than the real one."""
# Where i2c addresses of devices lie; the rest is reserved by the bus's specification.
ADDRESSES = range(0x08, 0x78)
DISPLAYS = (0x3C, 0x3D)


def checks(machine: Machine, config: Config) -> Iterator[Finding]:
    """All of this room."""
    chip = gpio_chip(machine)
    yield chip
    yield overlays(machine, config.pins, config.display)
    if chip.status == "ok":
        yield pins(machine, config.pins)
    else:
        yield untested("pins", "there is no chip to ask")
    if config.display.interface == "spi":
        yield spi(machine, config.display)
        return
    yield from i2c(machine, config.display)


def gpio_chip(machine: Machine) -> Finding:
    """The chip behind the header, by its label, and whether this user may open it."""
    try:
        chip = find_chip(machine.path("/dev"))
    except UserError as error:
        if "permission" in str(error):
            return _no_permission("gpio chip", machine, "gpio", sorted(machine.path("/dev").glob("gpiochip*"))[0].name)
        seen, _, do = str(error).partition(": ")
        return fault("gpio chip", seen, do or "is this a Raspberry Pi?")
    return ok("gpio chip", f"{chip.label}, {chip.path}")


def _no_permission(check: str, machine: Machine, group: str, name: str) -> Finding:
    user, owner = machine.user(), machine.group_of(machine.path(f"/dev/{name}"))
    if owner != group:
        return fault(
            check, f"/dev/{name} belongs to group {owner}", f"to be {group}'s it needs Raspberry Pi OS's udev rules"
        )
    return fault(
        check,
        f"user {user} is not in group {group} and may not open /dev/{name}",
        f"sudo usermod -aG {group} {user}, then log in again",
    )


def overlays(machine: Machine, pins: Pins, display: DisplayConfig) -> Finding:
    """Lines of config.txt that take a pin of ours."""
    text = bootfile.read(machine)
    if text is None:
        return untested("config.txt", "none on this board")
    taken = bootfile.taken_pins(text)
    ours = {
        **{p: f"button {n}" for n, p in enumerate(pins.buttons, 1)},
        **{p: f"lamp {n}" for n, p in enumerate(pins.lamps, 1)},
    }
    ours[pins.buzzer] = "the buzzer"
    ours |= (
        {2: "the display (SDA)", 3: "the display (SCL)"}
        if display.interface == "i2c"
        else dict.fromkeys(display.pins, "the display")
    )
    clashes = [
        f"{line} takes GPIO {pin}, which is {ours[pin]}" for line, took in taken for pin in sorted(took) if pin in ours
    ]
    if clashes:
        return fault(
            "config.txt", "; ".join(clashes), "take that line out of config.txt, or choose other pins under [pins]"
        )
    return ok("config.txt", "nothing there takes a pin of the box")


def pins(machine: Machine, pins: Pins) -> Finding:
    """Who holds the pins: the service, nobody, or somebody who should not."""
    wanted = (*pins.buttons, *pins.outputs)
    try:
        chip = find_chip(machine.path("/dev"))
        holders = {pin: line.holder for pin, line in machine.lines(machine.path(chip.path), wanted).items()}
    except (OSError, UserError) as error:
        return untested("pins", f"the chip does not say who holds them ({error})")
    held = {pin: holder for pin, holder in holders.items() if holder is not None}
    state = machine.service() or {}
    if state.get("ActiveState") == "active":
        if missing := [pin for pin in wanted if pin not in held]:
            listed = ", ".join(map(str, missing))
            return fault(
                "pins", f"the service runs but does not hold GPIO {listed}", "sudo systemctl restart ubongo-box"
            )
        return ok("pins", "held by the service")
    if held:
        listed = ", ".join(f"GPIO {pin} by {holder}" for pin, holder in held.items())
        return fault("pins", f"held by another program: {listed}", "stop it, or a second ubongo-box in another window")
    return ok("pins", "free")


def i2c(machine: Machine, display: DisplayConfig) -> Iterator[Finding]:
    """Bus, its speed, who answers."""
    bus = i2c_bus(machine, display.port)
    yield bus
    if bus.status != "ok":
        yield untested("bus speed", "there is no bus")
        yield untested("display", "there is no bus")
        return
    path = machine.path(f"/dev/i2c-{display.port}")
    try:
        there = machine.answers(path, ADDRESSES)
    except OSError as error:
        yield untested("bus speed", f"the bus can't be used ({error.strerror})")
        yield untested("display", f"the bus can't be used ({error.strerror})")
        return
    yield bus_speed(machine, display, there)
    yield display_answers(display, there)


def i2c_bus(machine: Machine, port: int) -> Finding:
    """Whether the bus is there and may be opened by this user."""
    name = f"i2c-{port}"
    path = machine.path(f"/dev/{name}")
    if not path.exists():
        text = bootfile.read(machine)
        if text is not None and bootfile.i2c_on(text):
            if machine.path("/sys/module/i2c_dev").exists():
                return fault("i2c bus", f"no /dev/{name}, though config.txt switches it on", "reboot")
            return fault(
                "i2c bus",
                f"no /dev/{name}: module i2c-dev is not loaded",
                "sudo modprobe i2c-dev, and run deploy.sh again",
            )
        return fault("i2c bus", f"no /dev/{name}: I2C is off", "run deploy.sh again (it edits config.txt), then reboot")
    if not os.access(path, os.R_OK | os.W_OK):
        return _no_permission("i2c bus", machine, "i2c", name)
    return ok("i2c bus", f"/dev/{name}")


def bus_speed(machine: Machine, display: DisplayConfig, there: list[int]) -> Finding:
    """As the kernel was told, or else measured on the display with bytes that it ignores."""
    raw = machine.path(f"/sys/class/i2c-adapter/i2c-{display.port}/of_node/clock-frequency")
    try:
        hertz, how = float(int.from_bytes(raw.read_bytes(), "big")), "set"
    except OSError:
        if display.address not in there:
            return untested("bus speed", "nobody answers to measure it with")
        try:
            hertz, how = machine.bus_speed(machine.path(f"/dev/i2c-{display.port}"), display.address), "measured"
        except OSError:
            return untested("bus speed", "the display stopped answering while it was measured")
    text = f"{hertz / 1000:.0f} kHz ({how})"
    if hertz < SLOWEST_GOOD:
        return fault(
            "bus speed",
            f"{text}: pictures lag",
            "dtparam=i2c_arm_baudrate=400000 in config.txt (deploy.sh does it), then reboot",
        )
    return ok("bus speed", text)


def display_answers(display: DisplayConfig, there: list[int]) -> Finding:
    """Whether the display answers where the config says."""
    listed = ", ".join(f"0x{address:02X}" for address in there) or "nobody"
    if display.address in there:
        return ok("display", f"0x{display.address:02X} answers (on the bus: {listed})")
    for address in DISPLAYS:
        if address in there:
            return fault(
                "display",
                f"it answers at 0x{address:02X}, not 0x{display.address:02X}",
                f"[display] address = 0x{address:02X} in the config",
            )
    return fault(
        "display",
        f"nothing answers at 0x{display.address:02X} (on the bus: {listed})",
        "check its four wires: VCC to pin 1, SDA 3, SCL 5, GND 9; is it an SPI module?",
    )


def spi(machine: Machine, display: DisplayConfig) -> Finding:
    """Whether the SPI device is there; an SPI display never answers."""
    name = f"spidev{display.port}.{display.device}"
    path = machine.path(f"/dev/{name}")
    if not path.exists():
        return fault("display", f"no /dev/{name}: SPI is off", "run deploy.sh again (it edits config.txt), then reboot")
    if not os.access(path, os.R_OK | os.W_OK):
        return _no_permission("display", machine, "spi", name)
    return untested("display", f"/dev/{name} is there, but an SPI display never answers", "look at it with --parts")
