"""Pictures to page bytes, and the windows that have changed."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from device.parts.controllers import Sino, Solomon
from device.parts.pages import BLANK, FULL, PAGES, WIDTH, Pages, Runs, Window, area, cut, merged, pages_of
from tests.parts.pictures import played, steps


def page_bytes_by_the_data_sheet(picture: Image.Image) -> Pages:
    """Slowly: byte of page p and column x has pixel (x, 8p + bit) in each bit."""
    return [
        bytes(sum(bool(picture.getpixel((x, 8 * p + bit))) << bit for bit in range(8)) for x in range(WIDTH))
        for p in range(PAGES)
    ]


def test_a_byte_is_a_column_of_eight_pixels_with_the_top_one_lowest() -> None:
    picture = Image.new("1", (128, 64))
    for place in [(0, 0), (1, 7), (127, 63), (64, 8), (64, 9)]:
        picture.putpixel(place, 1)
    pages = [bytearray(128) for _ in range(8)]
    pages[0][0], pages[0][1], pages[7][127], pages[1][64] = 0x01, 0x80, 0x80, 0x03
    assert pages_of(picture) == [bytes(page) for page in pages]


@settings(max_examples=20, deadline=None)
@given(steps)
def test_pages_of_any_picture(plan: list[tuple[str, int, int, int, int, int]]) -> None:
    picture = played(plan)[-1]
    assert pages_of(picture) == page_bytes_by_the_data_sheet(picture)
    upside_down = picture.transpose(Image.Transpose.ROTATE_180)
    assert pages_of(picture, turned=True) == page_bytes_by_the_data_sheet(upside_down)


def changed(*places: tuple[int, int]) -> Pages:
    """Black but for the byte of each (page, column)."""
    pages = [bytearray(128) for _ in range(8)]
    for page, column in places:
        pages[page][column] = 0xFF
    return [bytes(page) for page in pages]


@pytest.mark.parametrize(
    ("places", "windows"),
    [
        pytest.param([], [], id="nothing"),
        pytest.param([(3, 7)], [(3, 3, 7, 7)], id="one byte"),
        pytest.param([(0, 0), (7, 127)], [(0, 0, 0, 0), (7, 7, 127, 127)], id="two corners"),
        pytest.param([(2, 5), (2, 16)], [(2, 2, 5, 16)], id="a gap no dearer than a window is sent"),
        pytest.param([(2, 5), (2, 17)], [(2, 2, 5, 5), (2, 2, 17, 17)], id="a wider one skipped"),
        pytest.param([(p, 60) for p in range(1, 6)], [(1, 5, 60, 60)], id="a tall line is one window"),
        pytest.param([(1, 10), (2, 14)], [(1, 2, 10, 14)], id="neighbours share a window"),
        pytest.param([(1, 10), (2, 60)], [(1, 1, 10, 10), (2, 2, 60, 60)], id="strangers do not"),
    ],
)
def test_windows_of_a_change(places: list[tuple[int, int]], windows: list[Window]) -> None:
    runs = Runs(Solomon.OVERHEAD).between(BLANK, changed(*places))
    assert merged(runs, Solomon.OVERHEAD) == windows


@settings(max_examples=150, deadline=None)
@given(steps, st.sampled_from([Solomon, Sino]))
def test_windows_hold_every_change_and_never_cost_more_than_everything(
    plan: list[tuple[str, int, int, int, int, int]], kind: type[Solomon] | type[Sino]
) -> None:
    old = BLANK
    for picture in played(plan):
        new = pages_of(picture)
        chip = kind()
        windows = chip.plan(old, new)
        patched = [bytearray(page) for page in old]
        for window in windows:
            top, bottom, left, right = window
            width = right - left + 1
            block = cut(new, window)
            for row, page in enumerate(range(top, bottom + 1)):
                patched[page][left : right + 1] = block[row * width : (row + 1) * width]
        assert [bytes(page) for page in patched] == new
        cost = sum(chip.OVERHEAD + area(window) for window in windows)
        everything = chip.OVERHEAD * (1 if kind is Solomon else PAGES) + area(FULL)
        assert cost <= everything
        old = new
