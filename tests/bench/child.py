"""Item 5's two processes: the box until its buttons answer and its first picture is sent, and the floor under it.

The floor imports and builds the same parts with stock classes: the pins as mock pins, luma's display on a bus that
takes everything, and one picture. Run as a file, so that nothing else of the bench is imported.
"""

import os
import sys
import time


class Bus:
    """In place of smbus2's: an I2C bus that takes everything. `pictures`: transactions of more than a few bytes."""

    pictures = 0

    def __init__(self, *_bus: object) -> None:
        pass

    def i2c_rdwr(self, *messages: object) -> None:
        """Take a transaction."""
        Bus.pictures += sum(getattr(message, "len", 0) > 33 for message in messages)

    def write_i2c_block_data(self, *_what: object) -> None:
        """Take a command."""

    def close(self) -> None:
        """Closed."""


def report(ready: float) -> None:
    """CPU seconds until ready and until now, peak memory in KiB, modules; and nothing of the end is measured."""
    now = time.process_time()
    status = open("/proc/self/status", encoding="ascii").read()  # noqa: SIM115  # the process ends here
    peak = status.partition("VmHWM:")[2].split()[0]
    ours = sum(name.partition(".")[0] == "device" for name in sys.modules)
    print(ready, now, peak, len(sys.modules) - ours, ours, flush=True)
    if "names" in sys.argv:
        print(*sorted(sys.modules), flush=True)
    os._exit(0)


def box(store: str) -> None:
    """`ubongo-box run` on mock pins."""
    from device.cli import main
    from device.notify import Notify

    def ready(_: Notify) -> None:
        at = time.process_time()
        # Opening it sends one picture, black; the second is the lobby.
        while Bus.pictures < 2:
            time.sleep(0.001)
        report(at)

    setattr(Notify, "ready", ready)  # noqa: B010  # where systemd would be told
    main(["run", "--pins", "mock", "--store", store])


def floor() -> None:
    """The same parts, bare."""
    import gpiozero
    from gpiozero.pins.mock import MockFactory, MockPWMPin
    from luma.core.interface.serial import i2c
    from luma.oled.device import ssd1306
    from PIL import Image

    factory = MockFactory(pin_class=MockPWMPin)
    parts = [
        *(gpiozero.InputDevice(pin, pull_up=True, pin_factory=factory) for pin in (5, 6, 13, 19)),
        *(gpiozero.LED(pin, pin_factory=factory) for pin in (17, 27, 22, 23)),
        gpiozero.OutputDevice(18, pin_factory=factory),
    ]
    display = ssd1306(i2c(port=1, address=0x3C))
    display.display(Image.new("1", (128, 64)))
    assert len(parts) == 9
    report(time.process_time())


def bare() -> None:
    """Python itself."""
    report(time.process_time())


if __name__ == "__main__":
    what = sys.argv[1]
    if what != "bare":
        import smbus2

        setattr(smbus2, "SMBus", Bus)  # noqa: B010  # luma opens it by this name
    if what == "box":
        box(sys.argv[2])
    elif what == "floor":
        floor()
    else:
        bare()
