"""From a picture to the bytes of a display's memory, and which windows of it have changed. No bus, no device.

A page is eight rows: one byte is a column of eight pixels, the top one the lowest bit.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from PIL import Image

WIDTH, HEIGHT, PAGES = 128, 64, 8
SIZE = (WIDTH, HEIGHT)
Pages = list[bytes]
_NUMBERS = range(PAGES)
BLANK: Pages = [bytes(WIDTH)] * PAGES

_UPRIGHT, _TURNED = Image.Transpose.TRANSPOSE, Image.Transpose.TRANSVERSE


# A rectangle of the memory: first and last page, first and last column, all four included. A plain tuple, because
# some are made for every picture of a running glass.
Window = tuple[int, int, int, int]

FULL: Window = (0, PAGES - 1, 0, WIDTH - 1)


def area(window: Window) -> int:
    """How many bytes a window holds."""
    top, bottom, left, right = window
    return (bottom - top + 1) * (right - left + 1)


def pages_of(picture: Image.Image, turned: bool = False) -> Pages:
    """The eight pages of a 128x64 picture of mode "1"; `turned`: by 180 degrees, at no cost."""
    columns = picture.transpose(_TURNED if turned else _UPRIGHT).tobytes("raw", "1;R")
    return [columns[page::PAGES] for page in range(PAGES)]


def cut(pages: Pages, window: Window) -> bytes:
    """The bytes of a window, page by page."""
    top, bottom, left, right = window
    if top == bottom:
        return pages[top][left : right + 1]
    return b"".join([page[left : right + 1] for page in pages[top : bottom + 1]])


class Runs:
    """Finds, page by page, runs of columns that differ. Equal columns up to `gap` in a row are taken along."""

    def __init__(self, gap: int) -> None:
        self.gap = gap
        self._changed = re.compile(rb"[^\0]+(?:\0{1,%d}[^\0]+)*" % gap)

    def between(self, old: Pages, new: Pages) -> list[Window]:
        """The runs as windows of one page, in the order of pages and columns."""
        runs: list[Window] = []
        for page, before, after in zip(_NUMBERS, old, new, strict=True):
            if before == after:
                continue
            both = int.from_bytes(before, "little") ^ int.from_bytes(after, "little")
            left = ((both & -both).bit_length() - 1) >> 3
            right = (both.bit_length() - 1) >> 3
            if right - left <= self.gap + 1:
                runs.append((page, page, left, right))
            else:
                runs += [
                    (page, page, found.start(), found.end() - 1)
                    for found in self._changed.finditer(both.to_bytes(WIDTH, "little"))
                ]
        return runs


# More runs than this are a change of scene: looking for the best windows would cost more than it saves.
_MANY = 16


def merged(runs: Sequence[Window], overhead: int) -> list[Window]:
    """These runs as fewer rectangles wherever a common one is cheaper, given the bytes a window costs by itself."""
    if len(runs) < 2:
        return list(runs)
    if len(runs) > _MANY:
        runs = _rows(runs)
    windows: list[Window] = []
    for run in runs:
        page, _, left, right = run
        best, most = -1, 0
        for index, (top, bottom, first, last) in enumerate(windows):
            x0 = first if first < left else left
            x1 = last if last > right else right
            saved = (
                overhead
                + (right - left + 1)
                + (bottom - top + 1) * (last - first + 1)
                - (page - top + 1) * (x1 - x0 + 1)
            )
            if saved > most:
                best, most = index, saved
        if best < 0:
            windows.append(run)
        else:
            top, _, first, last = windows[best]
            windows[best] = (top, page, min(first, left), max(last, right))
    return windows


def _rows(runs: Sequence[Window]) -> list[Window]:
    rows: dict[int, Window] = {}
    for page, _, left, right in runs:
        first = rows[page][2] if page in rows else left
        rows[page] = (page, page, first, right)
    return list(rows.values())
