"""From a picture to the bytes of a display's memory, and which windows of it have changed. No bus, no device.

A page is eight rows: one byte is a column of eight pixels, the top one the lowest bit.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from PIL import Image

WIDTH, HEIGHT, PAGES = 128, 64, 8
SIZE = (WIDTH, HEIGHT)
Pages = list[bytes]
BLANK: Pages = [bytes(WIDTH)] * PAGES

_UPRIGHT, _TURNED = Image.Transpose.TRANSPOSE, Image.Transpose.TRANSVERSE


class Window(NamedTuple):
    """A rectangle of the memory: pages `top` to `bottom`, columns `left` to `right`, all four included."""

    top: int
    bottom: int
    left: int
    right: int

    @property
    def area(self) -> int:
        """Bytes it holds."""
        return (self.bottom - self.top + 1) * (self.right - self.left + 1)


FULL = Window(0, PAGES - 1, 0, WIDTH - 1)


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
        runs = []
        for page in range(PAGES):
            before, after = old[page], new[page]
            if before == after:
                continue
            both = int.from_bytes(before, "little") ^ int.from_bytes(after, "little")
            left = ((both & -both).bit_length() - 1) >> 3
            right = (both.bit_length() - 1) >> 3
            if right - left <= self.gap + 1:
                runs.append(Window(page, page, left, right))
            else:
                runs += [
                    Window(page, page, found.start(), found.end() - 1)
                    for found in self._changed.finditer(both.to_bytes(WIDTH, "little"))
                ]
        return runs


# More runs than this are a change of scene: looking for the best windows would cost more than it saves.
_MANY = 16


def merged(runs: Sequence[Window], overhead: int) -> list[Window]:
    """These runs as fewer rectangles wherever a common one is cheaper, given the bytes a window costs by itself."""
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
            windows[best] = Window(top, page, min(first, left), max(last, right))
    return windows


def _rows(runs: Sequence[Window]) -> list[Window]:
    rows: dict[int, Window] = {}
    for run in runs:
        old = rows.get(run.top)
        rows[run.top] = run if old is None else old._replace(right=run.right)
    return list(rows.values())


def around(windows: Sequence[Window]) -> Window:
    """The smallest window that holds all of these."""
    return Window(
        min(w.top for w in windows),
        max(w.bottom for w in windows),
        min(w.left for w in windows),
        max(w.right for w in windows),
    )
