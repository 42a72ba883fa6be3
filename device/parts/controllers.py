"""How the controller chips want to be spoken to: where a window goes and what it costs on the bus. No luma, no errors.

Figures are from the data sheets: SSD1306 rev 1.5 (ch. 10.1), SSD1309 rev 1.1, SH1106 V2.3.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from device.parts.pages import FULL, PAGES, Pages, Runs, Window, area, cut, merged


class Line(Protocol):
    """A luma serial line: I2C, SPI, or a model of a chip."""

    def command(self, *cmd: int) -> None:
        """Send command bytes, at most 32."""

    def data(self, data: Iterable[int]) -> None:
        """Send bytes for the display memory."""

    def cleanup(self) -> None:
        """Close the bus."""


_EVERYTHING = area(FULL)


class Solomon:
    """SSD1306 and SSD1309: a window of columns and pages is set, its bytes then run through it and wrap around.

    After a full window the chip stands at its first byte again, so the same window costs no command the next time.
    """

    # Address and control byte of two I2C transactions, and the six bytes of a window.
    OVERHEAD = 10
    SAME = 2

    def __init__(self) -> None:
        self._runs = Runs(self.OVERHEAD)
        self._window: Window | None = None

    def forget(self) -> None:
        """Nothing is known about where the chip stands."""
        self._window = None

    def plan(self, old: Pages, new: Pages) -> list[Window]:
        """The windows to send: few bytes in all, found fast rather than proven fewest."""
        runs = self._runs.between(old, new)
        if not runs:
            return runs
        last, again = self._window, 0
        if last is not None:
            top, bottom, left, right = last
            for page, _, first, end in runs:
                if page < top or page > bottom or first < left or end > right:
                    break
            else:
                # All of it lies in the window that stands, which is nearly free to fill again.
                again = self.SAME + area(last)
                if again <= self.OVERHEAD:
                    return [last]
        windows = merged(runs, self.OVERHEAD)
        cost = self.OVERHEAD * len(windows) + sum(map(area, windows))
        if last is not None and 0 < again <= cost:
            return [last]
        return windows if cost < self.OVERHEAD + _EVERYTHING else [FULL]

    def send(self, line: Line, window: Window, pages: Pages) -> None:
        """Set the window where it isn't set, and fill it."""
        last, self._window = self._window, None
        if window != last:
            top, bottom, left, right = window
            if last is None or last[2:] != (left, right):
                if last is None or last[:2] != (top, bottom):
                    line.command(0x21, left, right, 0x22, top, bottom)
                else:
                    line.command(0x21, left, right)
            else:
                line.command(0x22, top, bottom)
        line.data(cut(pages, window))
        self._window = window


class Sino:
    """SH1106: one page at a time, columns counted from 2 in a memory that is 132 wide."""

    OFFSET = 2
    # Two I2C transactions and the three bytes that name a page and a column.
    OVERHEAD = 7

    def __init__(self) -> None:
        self._runs = Runs(self.OVERHEAD - 1)
        self._page = -1

    def forget(self) -> None:
        """Nothing is known about where the chip stands."""
        self._page = -1

    def plan(self, old: Pages, new: Pages) -> list[Window]:
        """The windows to send, each within one page, those of the page the chip stands in first."""
        runs = self._runs.between(old, new)
        if self._page > 0 and len(runs) > 1:
            runs.sort(key=lambda run: (run[0] - self._page) % PAGES)
        return runs

    def send(self, line: Line, window: Window, pages: Pages) -> None:
        """Page by page: name the place, fill it."""
        top, bottom, left, right = window
        first = left + self.OFFSET
        column = (first & 0x0F, 0x10 | first >> 4)
        for page in range(top, bottom + 1):
            last, self._page = self._page, -1
            if page == last:
                line.command(*column)
            else:
                line.command(0xB0 | page, *column)
            line.data(pages[page][left : right + 1])
            self._page = page
