"""A display on SPI: luma's own SPI line, D/C and reset on gpiozero's pins, a bus in memory."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin
from luma.core.error import DeviceNotFoundError

from device.parts.oled import DisplaySettings, Oled
from device.parts.spi import Wires, open_spi
from device.simulator.chip import Chip
from tests.parts.pictures import scene

SETTINGS = DisplaySettings(driver="ssd1309", interface="spi", port=0)


class Bus:
    """spidev's few names; what is sent goes to a modelled chip, as command or data by the level of D/C."""

    def __init__(self, factory: MockFactory, chip: Chip) -> None:
        self._dc, self._chip = factory.pin(SETTINGS.dc), chip
        self.max_speed_hz = 0
        self.opened: tuple[int, int] | None = None
        self.missing = False

    def open(self, port: int, device: int) -> None:
        if self.missing:
            raise FileNotFoundError(2, "No such file or directory")
        self.opened = (port, device)

    def writebytes(self, data: Sequence[int]) -> None:
        if self._dc.state:
            self._chip.data(data)
        else:
            self._chip.command(*data)

    def close(self) -> None:
        self.opened = None


def test_a_display_on_spi() -> None:
    factory, chip = MockFactory(pin_class=MockPWMPin), Chip("ssd1309")
    reset = factory.pin(SETTINGS.reset)
    reset.clear_states()
    bus = Bus(factory, chip)
    oled = Oled(open_spi(0, 1, SETTINGS.dc, SETTINGS.reset, factory, bus), SETTINGS)
    assert (bus.opened, bus.max_speed_hz) == ((0, 1), 8_000_000)
    assert [state.state for state in reset.states] == [0, 1]
    for number in range(5):
        oled.show(scene(number))
        assert chip.picture().tobytes() == scene(number).tobytes()
    oled.close()
    assert (chip.on, bus.opened) == (False, None)
    assert [factory.pin(pin).function for pin in (SETTINGS.dc, SETTINGS.reset)] == ["input", "input"]


def test_a_bus_that_is_missing_lets_the_pins_go() -> None:
    factory, chip = MockFactory(pin_class=MockPWMPin), Chip("ssd1309")
    for _ in range(2):
        bus = Bus(factory, chip)
        bus.missing = True
        with pytest.raises(DeviceNotFoundError):
            open_spi(0, 0, SETTINGS.dc, SETTINGS.reset, factory, bus)
    Wires(factory).setup(SETTINGS.dc, Wires.OUT)


def test_the_pins_a_display_needs() -> None:
    assert DisplaySettings().pins == {2, 3}
    assert SETTINGS.pins == {8, 9, 10, 11, 24, 25}
