"""An SPI display's wires for luma: the bus through spidev or lgpio, D/C and reset through gpiozero's pins.

luma alone would want RPi.GPIO for those two, which no Pi 5 has. Imported only for a display on SPI.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

import gpiozero

from device.errors import UserError
from device.parts import lg
from device.parts.controllers import Line

# Seconds the reset wire is held low, and waited for afterwards. The data sheets ask for 3 µs (SSD1306) and 10 µs
# (SH1106); slow wiring gets plenty.
RESET = 0.001
SPEED_HZ = 8_000_000


class Wires:
    """D/C and reset as luma wants to be handed them: the few names of RPi.GPIO that it uses."""

    LOW, HIGH, OUT = 0, 1, "out"

    def __init__(self, factory: gpiozero.Factory) -> None:
        self._factory = factory
        self._pins: dict[int, gpiozero.OutputDevice] = {}

    def setup(self, pin: int, _direction: str) -> None:
        """Make `pin` an output at 0."""
        self._pins[pin] = gpiozero.OutputDevice(pin, initial_value=False, pin_factory=self._factory)

    def output(self, pin: int, level: int) -> None:
        """Write 0 or 1."""
        self._pins[pin].value = level

    def cleanup(self, _pins: Sequence[int] = ()) -> None:
        """Let the pins go."""
        while self._pins:
            _, device = self._pins.popitem()
            device.close()


class LgpioBus:
    """lgpio's SPI behind the few names of spidev that luma uses; its errors become OSError."""

    def __init__(self) -> None:
        self._lgpio: Any = lg.load()
        self._handle: int | None = None
        self.max_speed_hz = SPEED_HZ
        self.mode = 0

    def open(self, port: int, device: int) -> None:
        """Open /dev/spidev`port`.`device`."""
        try:
            self._handle = self._lgpio.spi_open(port, device, SPEED_HZ, 0)
        except self._lgpio.error as trouble:
            raise OSError(f"/dev/spidev{port}.{device}: {trouble}") from trouble

    def writebytes(self, data: Sequence[int]) -> None:
        """Send bytes, at most 4096."""
        try:
            self._lgpio.spi_write(self._handle, bytes(data))
        except self._lgpio.error as trouble:
            raise OSError(f"SPI: {trouble}") from trouble

    def close(self) -> None:
        """Close the bus."""
        if self._handle is not None:
            self._lgpio.spi_close(self._handle)
            self._handle = None


class SpiLine:
    """luma's SPI line, which also lets go of its two pins in the end (luma leaves those it was handed)."""

    def __init__(self, line: Any, wires: Wires) -> None:
        self._line, self._wires = line, wires
        self.command = line.command
        self.data = line.data

    def cleanup(self) -> None:
        """Close the bus and the pins."""
        try:
            self._line.cleanup()
        finally:
            self._wires.cleanup()


def open_spi(port: int, device: int, dc: int, reset: int, factory: gpiozero.Factory | None, bus: Any = None) -> Line:
    """luma's SPI line on /dev/spidev`port`.`device`, with D/C and reset on these BCM pins.

    `bus`: something like a spidev.SpiDev, for tests. Raises UserError without a pin factory, else what the bus does.
    """
    if factory is None:
        raise UserError("display.interface: spi needs the box's pins for D/C and reset, and they can't be opened")
    from luma.core.interface.serial import spi

    wires = Wires(factory)
    try:
        line = spi(
            spi=bus or _bus(), gpio=wires, port=port, device=device, bus_speed_hz=SPEED_HZ,
            gpio_DC=dc, gpio_RST=reset, reset_hold_time=RESET, reset_release_time=RESET,
        )  # fmt: skip
    except BaseException:
        wires.cleanup()
        raise
    return SpiLine(line, wires)


def _bus() -> Any:
    try:
        return import_module("spidev").SpiDev()
    except ImportError:
        return LgpioBus()
