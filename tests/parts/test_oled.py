"""Our way of sending against luma's own drivers and a model of the chips: same picture, fewer bytes."""

from __future__ import annotations

import errno
import random
import subprocess
import sys
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from luma.core.error import DeviceNotFoundError
from luma.oled import device as luma_devices
from PIL import Image, ImageDraw

from device.errors import UserError
from device.parts.oled import DRIVERS, DisplaySettings, Oled, open_oled
from device.simulator.chip import Chip
from tests.parts.pictures import played, scene, steps

FOREVER = 1e9


def opened(driver: str = "ssd1306", rotate: int = 0, heal: float = FOREVER) -> tuple[Chip, Oled]:
    chip = Chip(driver)
    return chip, open_oled(DisplaySettings(driver=driver, rotate=rotate, heal=heal), chip)


def sent_by(chip: Chip, act: Callable[[], None]) -> list[tuple[str, bytes]]:
    chip.log = []
    act()
    log, chip.log = chip.log, None
    return log


@pytest.mark.parametrize("driver", DRIVERS)
def test_the_start_up_sequence_is_lumas_own(driver: str) -> None:
    stock = Chip(driver)
    stock.log = []
    getattr(luma_devices, driver)(stock)
    ours = Chip(driver)
    ours.log = []
    open_oled(DisplaySettings(driver=driver), ours)
    assert ours.log[0] == stock.log[0]
    assert ours.log[-1] == ("command", b"\xaf")
    assert ours.memory == stock.memory
    assert (ours.lit, ours.contrast) == (True, 0xCF)


@settings(max_examples=60, deadline=None)
@given(steps, st.sampled_from(DRIVERS), st.sampled_from([0, 2, 180]))
def test_the_memory_is_always_the_picture(
    plan: list[tuple[str, int, int, int, int, int]], driver: str, rotate: int
) -> None:
    chip, oled = opened(driver, rotate)
    for picture in played(plan):
        oled.show(picture)
        seen = chip.picture()
        assert (seen.transpose(Image.Transpose.ROTATE_180) if rotate else seen).tobytes() == picture.tobytes()
    oled.close()
    assert not chip.on


@pytest.mark.parametrize(
    ("driver", "first", "second", "third"),
    [
        pytest.param(
            "ssd1306",
            [("command", b"\x21\x28\x2a\x22\x02\x02"), ("data", b"\x10\x10\x10")],
            [("data", b"\x30\x30\x30")],
            [("command", b"\x21\x28\x28\x22\x04\x06"), ("data", b"\xff\xff\xff")],
            id="ssd1306",
        ),
        pytest.param(
            "ssd1309",
            [("command", b"\x21\x28\x2a\x22\x02\x02"), ("data", b"\x10\x10\x10")],
            [("data", b"\x30\x30\x30")],
            [("command", b"\x21\x28\x28\x22\x04\x06"), ("data", b"\xff\xff\xff")],
            id="ssd1309",
        ),
        pytest.param(
            "sh1106",
            [("command", b"\xb2\x0a\x12"), ("data", b"\x10\x10\x10")],
            [("command", b"\x0a\x12"), ("data", b"\x30\x30\x30")],
            [
                ("command", b"\xb4\x0a\x12"),
                ("data", b"\xff"),
                ("command", b"\xb5\x0a\x12"),
                ("data", b"\xff"),
                ("command", b"\xb6\x0a\x12"),
                ("data", b"\xff"),
            ],
            id="sh1106",
        ),
    ],
)
def test_byte_for_byte(
    driver: str,
    first: list[tuple[str, bytes]],
    second: list[tuple[str, bytes]],
    third: list[tuple[str, bytes]],
) -> None:
    chip, oled = opened(driver)
    picture = Image.new("1", (128, 64))
    draw = ImageDraw.Draw(picture)
    draw.line((40, 20, 42, 20), fill=1)
    assert sent_by(chip, lambda: oled.show(picture)) == first
    draw.line((40, 21, 42, 21), fill=1)
    assert sent_by(chip, lambda: oled.show(picture)) == second
    draw.line((40, 32, 40, 55), fill=1)
    assert sent_by(chip, lambda: oled.show(picture)) == third
    assert sent_by(chip, lambda: oled.show(picture)) == []


def test_only_the_columns_or_the_pages_of_a_window_are_set_where_the_rest_stands() -> None:
    chip, oled = opened()
    picture = Image.new("1", (128, 64))
    picture.putpixel((40, 20), 1)
    oled.show(picture)
    picture.putpixel((90, 20), 1)
    assert sent_by(chip, lambda: oled.show(picture))[0] == ("command", b"\x21\x5a\x5a")
    picture.putpixel((90, 40), 1)
    assert sent_by(chip, lambda: oled.show(picture))[0] == ("command", b"\x22\x05\x05")


@pytest.mark.parametrize("driver", DRIVERS)
@pytest.mark.parametrize("taken", [0, 1, 3])
def test_after_a_fault_at_any_transaction_the_next_picture_is_whole(driver: str, taken: int) -> None:
    """NACK in mid-frame: the window half set, the data half written, and then the chip loses its registers too."""
    pictures = [scene(number) for number in range(4)]
    chip, oled = opened(driver)
    oled.show(pictures[0])
    start = chip.traffic.transactions
    oled.show(pictures[1])
    length = chip.traffic.transactions - start
    assert length > 1
    for at in range(length):
        chip, oled = opened(driver)
        oled.show(pictures[0])
        broken = chip.traffic.transactions + at
        chip.taken = taken
        chip.fail = lambda count, broken=broken: OSError(errno.EREMOTEIO, "gone") if count == broken else None
        with pytest.raises(OSError, match="gone"):
            oled.show(pictures[1])
        chip.fail = None
        chip.glitch(seed=at)
        oled.show(pictures[2])
        assert chip.picture().tobytes() == pictures[2].tobytes()
        assert chip.lit
        oled.show(pictures[3])
        assert chip.picture().tobytes() == pictures[3].tobytes()


@pytest.mark.parametrize("driver", DRIVERS)
def test_a_chip_that_lost_its_memory_unnoticed_is_healed_in_time_without_going_dark(driver: str) -> None:
    chip, oled = opened(driver, heal=30.0)
    oled.heal(now=100.0)
    oled.contrast(77)
    oled.show(scene(1), now=110.0)
    chip.glitch()
    oled.show(scene(1), now=129.0)
    assert not chip.lit
    assert oled.due(129.0) == pytest.approx(1.0)
    log = sent_by(chip, lambda: oled.show(scene(1), now=130.0))
    dark = [b"\xae" in sent[:1] for what, sent in log if what == "command"]
    assert chip.picture().tobytes() == scene(1).tobytes()
    assert (chip.lit, chip.contrast, any(dark)) == (True, 77, False)


def test_sleep_keeps_it_dark_and_waking_sends_everything() -> None:
    chip, oled = opened()
    oled.show(scene(1))
    oled.sleep()
    assert not chip.on
    chip.glitch()
    assert sent_by(chip, lambda: oled.show(scene(2))) == []
    assert not chip.on
    oled.wake()
    assert chip.lit
    assert chip.picture().tobytes() == scene(2).tobytes()


def test_brightness_is_sent_once_and_again_after_a_fault() -> None:
    chip, oled = opened()
    assert sent_by(chip, lambda: oled.contrast(9)) == [("command", b"\x81\x09")]
    assert sent_by(chip, lambda: oled.contrast(9)) == []
    chip.glitch()
    oled.reinit()
    assert chip.contrast == 9


def test_closing_darkens_and_closes_the_bus_even_if_nobody_answers() -> None:
    chip, oled = opened()
    chip.fail = DeviceNotFoundError("I2C device not found on address: 0x3C")
    oled.close()
    assert chip.closed
    chip, oled = opened()
    oled.close()
    assert (chip.on, chip.closed) == (False, True)


def test_a_display_looked_for_a_hundred_times_makes_one_luma_device() -> None:
    """luma hooks every device it makes into the interpreter's exit and so keeps it for ever."""
    script = (
        "import atexit, contextlib\n"
        "hooks = []; real = atexit.register\n"
        "atexit.register = lambda f, *a, **k: (hooks.append(f), real(f, *a, **k))\n"
        "from device.parts.oled import DisplaySettings, open_oled\n"
        "from device.simulator.chip import Chip\n"
        "chip = Chip(); chip.fail = OSError(6, 'nobody')\n"
        "for _ in range(100):\n"
        "    with contextlib.suppress(OSError): open_oled(DisplaySettings(), chip)\n"
        "print(sum(f.__module__.startswith('luma') for f in hooks))\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr) == ("1\n", "")


def test_nothing_is_sent_at_the_interpreters_exit() -> None:
    script = (
        "import atexit\n"
        "from device.simulator.chip import Chip\n"
        "chip = Chip()\n"
        "atexit.register(lambda: print(chip.log))\n"
        "from device.parts.oled import DisplaySettings, open_oled\n"
        "oled = open_oled(DisplaySettings(), chip)\n"
        "chip.log = []\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr) == ("[]\n", "")


@pytest.mark.parametrize(
    ("settings_", "message"),
    [
        pytest.param(DisplaySettings(driver="ssd1327"), "display.driver", id="driver"),
        pytest.param(DisplaySettings(interface="usb"), "display.interface", id="interface"),
        pytest.param(DisplaySettings(rotate=1), "display.rotate", id="on its side"),
        pytest.param(DisplaySettings(interface="spi"), "display.interface", id="spi without pins"),
    ],
)
def test_settings_that_cannot_be(settings_: DisplaySettings, message: str) -> None:
    with pytest.raises(UserError, match=message):
        open_oled(settings_)


@pytest.mark.parametrize("driver", DRIVERS)
def test_a_running_glass_takes_few_bytes(driver: str) -> None:
    """A frame of falling sand is tens of bytes where luma's own display() sends over a thousand."""
    chip, oled = opened(driver)
    grains = random.Random(7)
    picture = Image.new("1", (128, 64))
    draw = ImageDraw.Draw(picture)
    draw.polygon([(97, 2), (127, 2), (112, 32), (127, 62), (97, 62), (111, 32)], outline=1)
    oled.show(picture)
    before, frames = chip.traffic.bytes, 100
    for frame in range(frames):
        draw.point((112 + grains.randrange(-3, 4), 34 + frame % 26), fill=frame % 2)
        oled.show(picture)
    assert chip.picture().tobytes() == picture.tobytes()
    assert (chip.traffic.bytes - before) / frames < 20
