"""A display chip as its bus sees it: registers and display memory of an SSD1306, SSD1309 or SH1106.

Pure: it imports no driver, so whoever speaks to it is tried against the data sheets and not against itself. It
takes the calls of a luma serial line (`command`, `data`, `cleanup`) and can be broken on purpose.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from PIL import Image, ImageChops

WIDTH, HEIGHT, PAGES = 128, 64, 8
KINDS = ("ssd1306", "ssd1309", "sh1106")

# Bytes that follow a command, by the data sheets (SSD1306 rev 1.5 ch. 9, SSD1309 rev 1.1 ch. 9, SH1106 V2.3).
_SOLOMON_ARGUMENTS = {
    0x20: 1, 0x21: 2, 0x22: 2, 0x26: 6, 0x27: 6, 0x29: 5, 0x2A: 5, 0x81: 1, 0x8D: 1, 0xA3: 2, 0xA8: 1, 0xD3: 1,
    0xD5: 1, 0xD9: 1, 0xDA: 1, 0xDB: 1,
}  # fmt: skip
_ARGUMENTS = {
    "ssd1306": _SOLOMON_ARGUMENTS,
    "ssd1309": {**_SOLOMON_ARGUMENTS, 0xFD: 1, 0xDC: 1},
    "sh1106": {0x81: 1, 0xA8: 1, 0xAD: 1, 0xD3: 1, 0xD5: 1, 0xD9: 1, 0xDA: 1, 0xDB: 1},
}
_HORIZONTAL, _VERTICAL, _PAGE = 0, 1, 2

Fault = BaseException | Callable[[int], BaseException | None] | None


@dataclass
class Traffic:
    """What went over the bus: transactions, and bytes with the address and control byte of each (I²C)."""

    transactions: int = 0
    commands: int = 0
    data: int = 0

    @property
    def bytes(self) -> int:
        """Everything an I²C bus carried: payload and two bytes a transaction."""
        return self.commands + self.data + 2 * self.transactions


class Chip:
    """One display. `kind`: "ssd1306", "ssd1309" or "sh1106".

    For tests: `fail` is an exception to raise instead of taking a transaction, or a function from the number of
    transactions so far to an exception or None; `taken` is how many bytes of such a transaction still get through
    (a wire that breaks in mid-frame); `stall` are seconds, or a function, that every transaction waits first.
    `changed` is called after each transaction that was taken.
    """

    def __init__(self, kind: str = "ssd1306", changed: Callable[[], None] | None = None) -> None:
        if kind not in KINDS:
            raise ValueError(f"a display chip is one of {', '.join(KINDS)}, not {kind!r}")
        self.kind = kind
        self.changed = changed
        self.fail: Fault = None
        self.taken = 0
        self.stall: float | Callable[[], None] = 0.0
        self.traffic = Traffic()
        self.log: list[tuple[str, bytes]] | None = None
        self.closed = False
        self.columns = 132 if kind == "sh1106" else 128
        self.memory = bytearray(PAGES * self.columns)
        self._arguments = _ARGUMENTS[kind]
        self._reset()

    def _reset(self) -> None:
        self.on = False
        self.contrast = 0x80 if self.kind == "sh1106" else 0x7F
        self.charge_pump = False
        self._inverse = self._all_lit = False
        self._mirrored = self._flipped = True
        self._start_line = 0
        self._mode = _PAGE
        self._column = self._page = 0
        self._first_column, self._last_column = 0, self.columns - 1
        self._first_page, self._last_page = 0, PAGES - 1
        self._waiting: list[int] = []

    def glitch(self, seed: int = 0) -> None:
        """The supply dips: every register as after reset, the memory full of noise. The bus notices nothing."""
        self._reset()
        self.memory[:] = random.Random(seed).randbytes(len(self.memory))

    @property
    def lit(self) -> bool:
        """Whether anybody can see anything: on, and (SSD1306) with its charge pump running."""
        return self.on and (self.charge_pump or self.kind != "ssd1306")

    def picture(self) -> Image.Image:
        """The picture in the memory as the viewer of a usual panel sees it when it is on, 128x64, mode "1"."""
        offset = (self.columns - WIDTH) // 2
        columns = bytearray(WIDTH * PAGES)
        for page in range(PAGES):
            start = page * self.columns + offset
            columns[page::PAGES] = self.memory[start : start + WIDTH]
        picture = Image.frombytes("1", (HEIGHT, WIDTH), bytes(columns), "raw", "1;R").transpose(
            Image.Transpose.TRANSPOSE
        )
        if self._start_line:
            rolled = Image.new("1", picture.size)
            rolled.paste(picture, (0, -self._start_line))
            rolled.paste(picture, (0, HEIGHT - self._start_line))
            picture = rolled
        if self._mirrored:
            picture = picture.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
        if self._flipped:
            picture = picture.transpose(Image.Transpose.FLIP_TOP_BOTTOM)
        if self._inverse:
            picture = ImageChops.invert(picture)
        return Image.new("1", picture.size, 1) if self._all_lit else picture

    def command(self, *cmd: int) -> None:
        """A transaction of command bytes."""
        self._transaction("command", cmd, self._take_command)

    def data(self, data: Iterable[int]) -> None:
        """A transaction of bytes for the display memory."""
        self._transaction("data", data, self._take_data)

    def cleanup(self) -> None:
        """The line was closed."""
        self.closed = True

    def _transaction(self, what: str, payload: Iterable[int], take: Callable[[Iterable[int]], None]) -> None:
        if callable(self.stall):
            self.stall()
        elif self.stall:
            time.sleep(self.stall)
        sent = bytes(payload)
        fault = self.fail(self.traffic.transactions) if callable(self.fail) else self.fail
        self.traffic.transactions += 1
        if fault is not None:
            take(sent[: self.taken])
            raise fault
        if what == "command":
            self.traffic.commands += len(sent)
        else:
            self.traffic.data += len(sent)
        if self.log is not None:
            self.log.append((what, sent))
        take(sent)
        if self.changed is not None:
            self.changed()

    def _take_command(self, sent: Iterable[int]) -> None:
        for byte in sent:
            self._waiting.append(byte)
            if len(self._waiting) > self._arguments.get(self._waiting[0], 0):
                code, *arguments = self._waiting
                self._waiting = []
                self._act(code, arguments)

    def _act(self, code: int, arguments: list[int]) -> None:
        if code <= 0x0F:
            self._column = (self._column & 0xF0) | code
        elif code <= 0x1F:
            self._column = (self._column & 0x0F) | (code & 0x0F) << 4
        elif code == 0x20 and arguments:
            self._mode = arguments[0] & 3
        elif code == 0x21 and arguments:
            self._first_column, self._last_column = arguments[0] & 0x7F, arguments[1] & 0x7F
            self._column = self._first_column
        elif code == 0x22 and arguments:
            self._first_page, self._last_page = arguments[0] & 7, arguments[1] & 7
            self._page = self._first_page
        elif 0x40 <= code <= 0x7F:
            self._start_line = code & 0x3F
        elif code == 0x81:
            self.contrast = arguments[0]
        elif code == 0x8D and arguments:
            self.charge_pump = bool(arguments[0] & 0x04)
        elif code in (0xA0, 0xA1):
            self._mirrored = code == 0xA0
        elif code in (0xA4, 0xA5):
            self._all_lit = code == 0xA5
        elif code in (0xA6, 0xA7):
            self._inverse = code == 0xA7
        elif code in (0xAE, 0xAF):
            self.on = code == 0xAF
        elif 0xB0 <= code <= 0xB7:
            self._page = code & 7
        elif 0xC0 <= code <= 0xCF:
            self._flipped = code < 0xC8

    def _take_data(self, sent: Iterable[int]) -> None:
        if self._mode == _PAGE or self.kind == "sh1106":
            for byte in sent:
                self._put(byte)
                if self._column < self.columns - 1:
                    self._column += 1
                elif self.kind != "sh1106":
                    self._column = 0
        elif self._mode == _HORIZONTAL:
            for byte in sent:
                self._put(byte)
                self._column = self._next(self._column, self._first_column, self._last_column, self.columns)
                if self._column == self._first_column:
                    self._page = self._next(self._page, self._first_page, self._last_page, PAGES)
        else:
            for byte in sent:
                self._put(byte)
                self._page = self._next(self._page, self._first_page, self._last_page, PAGES)
                if self._page == self._first_page:
                    self._column = self._next(self._column, self._first_column, self._last_column, self.columns)

    def _put(self, byte: int) -> None:
        if self._column < self.columns:
            self.memory[self._page * self.columns + self._column] = byte

    @staticmethod
    def _next(at: int, first: int, last: int, size: int) -> int:
        return first if at == last else (at + 1) % size
