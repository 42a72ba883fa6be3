"""As much of gpiod 2.x and lgpio as the line factory uses, in memory, for machines without a GPIO chip.

What they do on a real kernel is shown on the virtual Raspberry Pi; here it is our side that is tried.
"""

from __future__ import annotations

import enum
import os
from dataclasses import dataclass
from types import ModuleType
from typing import Any


class Value(enum.Enum):
    INACTIVE = 0
    ACTIVE = 1


Bias = enum.Enum("Bias", "PULL_UP PULL_DOWN DISABLED")
Direction = enum.Enum("Direction", "INPUT OUTPUT")
Edge = enum.Enum("Edge", "NONE RISING FALLING BOTH")
Kind = enum.Enum("Kind", "RISING_EDGE FALLING_EDGE")


@dataclass
class Event:
    timestamp_ns: int
    event_type: Kind
    line_offset: int


@dataclass
class LineSettings:
    direction: Direction
    bias: Bias
    edge_detection: Edge


class Request:
    """One line; its descriptor is a pipe that holds a byte for each edge that waits."""

    def __init__(self, kernel: Kernel, offset: int, settings: LineSettings) -> None:
        self.kernel, self.offset, self.settings = kernel, offset, settings
        self.waiting: list[Event] = []
        self.fd, self._end = os.pipe()
        self.broken = False

    def edge(self, stamp_ns: int, high: bool) -> None:
        self.kernel.levels[self.offset] = high
        if self.settings.edge_detection is Edge.BOTH:
            kind = Kind.RISING_EDGE if high else Kind.FALLING_EDGE
            self.waiting.append(Event(stamp_ns, kind, self.offset))
            os.write(self._end, b"x")

    def read_edge_events(self) -> list[Event]:
        if self.broken:
            raise OSError(19, "No such device")
        os.read(self.fd, 4096)
        events, self.waiting = self.waiting, []
        return events

    def get_value(self, _line: int) -> Value:
        return Value(int(self.kernel.levels.get(self.offset, self.settings.bias is Bias.PULL_UP)))

    def reconfigure_lines(self, config: dict[int, LineSettings]) -> None:
        self.settings = config[self.offset]

    def release(self) -> None:
        del self.kernel.requests[self.offset]
        os.close(self.fd)
        os.close(self._end)


class Kernel:
    """The chip: who holds which line, what is on it, and every call lgpio had."""

    def __init__(self) -> None:
        self.requests: dict[int, Request] = {}
        self.levels: dict[int, bool] = {}
        self.outputs: dict[int, int] = {}
        self.tones: dict[int, tuple[float, float]] = {}
        self.calls: list[tuple[Any, ...]] = []
        self.open: list[str] = []

    def gpiod(self) -> tuple[ModuleType, ModuleType]:
        """The modules gpiod and gpiod.line."""
        kernel = self

        class Chip:
            def __init__(self, path: str) -> None:
                kernel.open.append(path)

            def request_lines(self, config: dict[int, LineSettings], **_: object) -> Request:
                ((offset, settings),) = config.items()
                if offset in kernel.requests or offset in kernel.outputs:
                    raise OSError(16, "Device or resource busy")
                kernel.requests[offset] = Request(kernel, offset, settings)
                return kernel.requests[offset]

            def close(self) -> None:
                kernel.open.pop()

        line = ModuleType("gpiod.line")
        line.__dict__.update(Bias=Bias, Direction=Direction, Edge=Edge, Value=Value)
        package = ModuleType("gpiod")
        package.__dict__.update(
            Chip=Chip, LineSettings=LineSettings, line=line, EdgeEvent=type("EdgeEvent", (), {"Type": Kind})
        )
        return package, line

    def lgpio(self) -> ModuleType:
        """The module lgpio."""

        class error(Exception):  # lgpio's own name
            pass

        def claim(_handle: int, line: int, level: int) -> None:
            self.calls.append(("claim", line, level))
            if line in self.requests or line in self.outputs:
                raise error("'GPIO busy'")
            self.outputs[line] = level

        def write(_handle: int, line: int, level: int) -> None:
            self.calls.append(("write", line, int(level)))
            self.outputs[line] = int(level)

        def tone(_handle: int, line: int, hertz: float, duty: float) -> None:
            self.calls.append(("tone", line, hertz, duty))
            self.tones.pop(line, None)
            if hertz:
                self.tones[line] = (hertz, duty)

        def free(_handle: int, line: int) -> None:
            self.calls.append(("free", line))
            del self.outputs[line]

        module = ModuleType("lgpio")
        module.__dict__.update(
            error=error, gpio_claim_output=claim, gpio_write=write, tx_pwm=tone, gpio_free=free,
            gpio_read=lambda _handle, line: self.outputs[line],
            gpiochip_open=lambda _number: 7, gpiochip_close=lambda _handle: None,
        )  # fmt: skip
        return module
