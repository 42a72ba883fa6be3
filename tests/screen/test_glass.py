"""The hourglass: sand only ever goes down, and little changes from frame to frame."""

from __future__ import annotations

from PIL import Image, ImageChops

from device.screen import samples as sampled
from device.screen.draw import draw
from device.screen.glass import HEIGHT, WIDTH, hourglass, lying
from device.table.scenes import Show

STEPS = [n / 60 for n in range(61)]
UPPER, LOWER = (0, 0, WIDTH, HEIGHT // 2 + 1), (0, HEIGHT // 2 + 1, WIDTH, HEIGHT)


def count(picture: Image.Image) -> int:
    return picture.histogram()[255]


def test_sand_leaves_the_upper_bulb_and_fills_the_lower() -> None:
    above = [count(hourglass(ran).crop(UPPER)) for ran in STEPS]
    below = [count(hourglass(ran).crop(LOWER)) for ran in STEPS]
    assert above == sorted(above, reverse=True)
    assert below == sorted(below)
    assert len(set(above)) > 50
    assert len(set(below)) > 50


def test_full_and_empty_show_no_sand_where_none_is() -> None:
    empty_glass = ImageChops.logical_and(hourglass(0.0), hourglass(1.0))
    assert count(hourglass(1.0).crop(UPPER)) == count(empty_glass.crop(UPPER))
    assert count(hourglass(0.0).crop(LOWER)) == count(empty_glass.crop(LOWER))


def test_sand_falls_only_between_the_first_grain_and_the_last() -> None:
    assert hourglass(0.5, 7).tobytes() != hourglass(0.5, 8).tobytes() != hourglass(0.5).tobytes()
    assert hourglass(1.0, 7).tobytes() == hourglass(1.0).tobytes()


def test_a_glass_beyond_its_ends_is_full_or_empty() -> None:
    assert hourglass(-0.1).tobytes() == hourglass(0.0).tobytes()
    assert hourglass(1.1).tobytes() == hourglass(1.0).tobytes()


def test_a_lying_glass_keeps_sand_in_both_bulbs() -> None:
    picture = lying()
    assert picture.size == (HEIGHT, WIDTH)
    assert count(picture.crop((0, 0, HEIGHT // 2, WIDTH))) > 150
    assert count(picture.crop((HEIGHT // 2 + 1, 0, HEIGHT, WIDTH))) > 150


def test_few_columns_change_from_frame_to_frame() -> None:
    """What the display sends is whole columns of eight rows: at ten frames a second a minute's glass changes few."""
    changed, before = 0, None
    for frame in range(601):
        picture = draw(Show(sampled.race(frame / 600)))
        if before is not None:
            differ = ImageChops.logical_xor(picture, before)
            for top in range(0, 64, 8):
                changed += sum(1 for column in differ.crop((0, top, 128, top + 8)).getprojection()[0] if column)
        before = picture
    assert changed / 600 < 15
