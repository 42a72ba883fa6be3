"""Which pin does what, in BCM numbers. Why these: see DEFAULT_PINS. Nothing is opened here."""

from __future__ import annotations

from device.plain import dataclass

I2C_PINS = frozenset({2, 3})
SPI_PINS = frozenset({7, 8, 9, 10, 11})
UART_PINS = frozenset({14, 15})
# The BCM283x and RP1 pull GPIO 0-8 up and 9-27 down from power-on until a program says otherwise.
PULLED_DOWN = frozenset(range(9, 28))
HEADER_PINS = frozenset(range(28))


@dataclass(frozen=True, slots=True)
class Pins:
    """BCM numbers: buttons 1 to 4 and lamps 1 to 4 clockwise, and the buzzer."""

    buttons: tuple[int, int, int, int]
    lamps: tuple[int, int, int, int]
    buzzer: int

    @property
    def outputs(self) -> tuple[int, ...]:
        """Everything the box drives."""
        return (*self.lamps, self.buzzer)

    def fault(self, taken: frozenset[int] = frozenset()) -> tuple[str, str] | None:
        """What makes these pins unusable, as (key of the config, reason), or None.

        `taken`: pins the display's own wires need (SPI with its D/C and reset).
        """
        seen: dict[int, str] = {}
        for key, pins in (("buttons", self.buttons), ("lamps", self.lamps), ("buzzer", (self.buzzer,))):
            for pin in pins:
                if pin not in HEADER_PINS:
                    return key, f"GPIO {pin} is not on the header: 4 to 27 are"
                if pin in I2C_PINS:
                    return key, f"GPIO {pin} belongs to the display's I2C bus (2 and 3)"
                if pin in (0, 1):
                    return key, f"GPIO {pin} is kept for the EEPROM of an add-on board"
                if pin in taken:
                    return key, f"GPIO {pin} belongs to the display's SPI bus"
                if pin in seen:
                    return key, f"GPIO {pin} is used twice (also in {seen[pin]})"
                if key != "buttons" and pin not in PULLED_DOWN:
                    return key, f"GPIO {pin} is pulled up at power-on, so it would be on: take one of 9 to 27"
                seen[pin] = key
        return None


# Buttons switch to ground against the pin's own pull-up, so whatever pull power-on brings does no harm. Lamps and
# buzzer are pulled down at power-on and so stay dark and silent until the program runs; 18 also carries hardware
# PWM. Each kind is one bunch on the header: pins 11-16 to the driver, 29-39 to the buttons; I2C, UART, SPI and the
# two more wires of an SPI display (24, 25) stay free.
DEFAULT_PINS = Pins(buttons=(5, 6, 13, 19), lamps=(17, 27, 22, 23), buzzer=18)
