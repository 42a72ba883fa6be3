"""The modelled chip, tried with luma's own drivers: what they draw is what it shows."""

from __future__ import annotations

import pytest
from luma.oled import device as luma_devices
from PIL import Image

from device.simulator.chip import KINDS, Chip
from tests.parts.pictures import inverted, scene


@pytest.mark.parametrize("kind", KINDS)
def test_stock_luma_draws_on_it(kind: str) -> None:
    chip = Chip(kind)
    device = getattr(luma_devices, kind)(chip)
    device.contrast(99)
    device.display(scene(3))
    assert chip.picture().tobytes() == scene(3).tobytes()
    assert (chip.lit, chip.contrast) == (True, 99)
    device.hide()
    assert not chip.lit


def test_the_bytes_of_a_stock_frame_are_those_measured_on_a_bus() -> None:
    chip = Chip("ssd1306")
    device = luma_devices.ssd1306(chip)
    before, transactions = chip.traffic.bytes, chip.traffic.transactions
    device.display(scene(1))
    assert (chip.traffic.bytes - before, chip.traffic.transactions - transactions) == (1034, 2)


def test_an_sh1106_driven_as_ssd1306_shows_something_else() -> None:
    chip = Chip("sh1106")
    luma_devices.ssd1306(chip).display(scene(3))
    assert chip.picture().tobytes() != scene(3).tobytes()


def test_an_ssd1306_driven_as_sh1106_is_two_pixels_off() -> None:
    chip = Chip("ssd1306")
    luma_devices.sh1106(chip).display(scene(3))
    # The driver's column 2 is where this chip's column 0 should be. Its charge pump is on by the same command.
    assert chip.picture().crop((2, 0, 128, 64)).tobytes() == scene(3).crop((0, 0, 126, 64)).tobytes()


@pytest.mark.parametrize(
    ("mode", "window", "sent", "places"),
    [
        pytest.param(0, (3, 4, 1, 2), 4, [(1, 3), (1, 4), (2, 3), (2, 4)], id="along the page"),
        pytest.param(1, (3, 4, 1, 2), 4, [(1, 3), (2, 3), (1, 4), (2, 4)], id="down the column"),
        pytest.param(0, (3, 3, 1, 2), 3, [(1, 3), (2, 3), (1, 3)], id="one column, around again"),
        pytest.param(0, (126, 127, 7, 7), 3, [(7, 126), (7, 127), (7, 126)], id="the last corner"),
    ],
)
def test_where_the_bytes_of_a_window_go(
    mode: int, window: tuple[int, int, int, int], sent: int, places: list[tuple[int, int]]
) -> None:
    chip = Chip("ssd1306")
    left, right, top, bottom = window
    chip.command(0x20, mode, 0x21, left, right, 0x22, top, bottom)
    chip.data(range(1, sent + 1))
    expected = {place: value for value, place in enumerate(places, 1)}
    found = {divmod(i, 128): value for i, value in enumerate(chip.memory) if value}
    assert found == expected


def test_start_line_inverse_and_all_on() -> None:
    chip = Chip("ssd1306")
    luma_devices.ssd1306(chip).display(scene(2))
    chip.command(0x40 | 10)
    rolled = Image.new("1", (128, 64))
    rolled.paste(scene(2).crop((0, 10, 128, 64)), (0, 0))
    rolled.paste(scene(2).crop((0, 0, 128, 10)), (0, 54))
    assert chip.picture().tobytes() == rolled.tobytes()
    chip.command(0x40, 0xA7)
    assert chip.picture().tobytes() == inverted(scene(2)).tobytes()
    chip.command(0xA5)
    assert chip.picture().tobytes() == b"\xff" * 1024


def test_a_fault_takes_only_what_got_through() -> None:
    chip = Chip("ssd1306")
    chip.command(0x20, 0)
    chip.fail, chip.taken = OSError(121, "Remote I/O error"), 2
    with pytest.raises(OSError, match="Remote"):
        chip.data([7, 7, 7])
    assert bytes(chip.memory[:4]) == b"\x07\x07\0\0"
    assert chip.traffic.data == 0


def test_it_tells_of_every_change_and_of_the_end() -> None:
    heard = []
    chip = Chip(changed=lambda: heard.append(1))
    chip.command(0xAF)
    chip.data([1])
    chip.cleanup()
    assert (len(heard), chip.closed) == (2, True)


def test_an_unknown_kind_is_refused() -> None:
    with pytest.raises(ValueError, match="ssd1306, ssd1309, sh1106"):
        Chip("ssd1327")
