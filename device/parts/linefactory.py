"""gpiozero pins on the kernel's line events: inputs through gpiod 2.x, outputs and tones through lgpio.

lgpio alone looks at its inputs all the time; here one thread sleeps in the kernel until an edge comes. Measured on
the virtual Pi with four buttons waiting: 50 wake-ups a second and 4 % of its slow core, against 1,135 and 25 %. The
50 are lgpio's thread for outputs; it stays, because a tone made by a Python thread would stutter.
"""

from __future__ import annotations

import contextlib
import os
import select
import threading
from importlib import import_module
from typing import Any

import gpiozero
import lgpio
from gpiozero.pins.local import LocalPiFactory, LocalPiPin

# Typed where it is installed and unknown where it isn't: as Any, mypy says the same on every machine. The 1.6 that
# Debian 12 packages under this name has no gpiod.line, so it counts as not installed.
gpiod: Any = import_module("gpiod")
line: Any = import_module("gpiod.line")

_PULLS = {"up": line.Bias.PULL_UP, "down": line.Bias.PULL_DOWN, "floating": line.Bias.DISABLED}
_EDGES = {"both": line.Edge.BOTH, "rising": line.Edge.RISING, "falling": line.Edge.FALLING}
_CONSUMER = "ubongo-box"
# Edges the kernel keeps for a line while the thread is not at it; 16 is its own figure. A pin in a storm of a
# thousand a second may so be left for a quarter of a second.
_BUFFER = 256


class LineFactory(LocalPiFactory):  # type: ignore[misc]  # gpiozero ships no types
    """Pins of /dev/gpiochip`chip`; `revision` is gone by where the board's own can't be read."""

    def __init__(self, chip: int, revision: int) -> None:
        super().__init__()
        self._fallback = revision
        self.pin_class = LinePin
        self.handle: int | None = None
        self.lines = gpiod.Chip(f"/dev/gpiochip{chip}")
        try:
            self.handle = lgpio.gpiochip_open(chip)
            self.watch = Watch()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Let every pin go and end the thread."""
        super().close()
        if hasattr(self, "watch"):
            self.watch.close()
        if self.handle is not None:
            lgpio.gpiochip_close(self.handle)
            self.handle = None
        self.lines.close()

    def _get_revision(self) -> int:
        try:
            revision: int = super()._get_revision()
        except (gpiozero.PinUnknownPi, OSError, ValueError):
            return self._fallback
        return revision


class LinePin(LocalPiPin):  # type: ignore[misc]  # gpiozero ships no types
    """One line: nobody's at first, then gpiod's as an input or lgpio's as an output."""

    def __init__(self, factory: LineFactory, info: Any) -> None:
        super().__init__(factory, info)
        self._request: Any = None
        self._reading = threading.Lock()
        self._output = False
        self._pull = "floating"
        self._edges = "both"
        self._watched = False
        self._tone: tuple[float, float] | None = None

    def close(self) -> None:
        """Give the line back to the kernel."""
        self.when_changed = None
        self._release()

    def _release(self) -> None:
        if self._tone is not None:
            self._set_frequency(None)
        if self._output:
            self._output = False
            lgpio.gpio_free(self.factory.handle, self._number)
        if self._request is not None:
            with self._reading:
                self._request.release()
            self._request = None

    def _request_input(self) -> None:
        settings = gpiod.LineSettings(
            direction=line.Direction.INPUT,
            bias=_PULLS[self._pull],
            edge_detection=_EDGES[self._edges] if self._watched else line.Edge.NONE,
        )
        if self._request is not None:
            with self._reading:
                self._request.reconfigure_lines({self._number: settings})
        else:
            self._request = self.factory.lines.request_lines(
                {self._number: settings}, consumer=_CONSUMER, event_buffer_size=_BUFFER
            )

    def _get_function(self) -> str:
        return "output" if self._output else "input"

    def _set_function(self, value: str) -> None:
        if value not in ("input", "output"):
            raise gpiozero.PinInvalidFunction(f"invalid function {value!r} for pin {self!r}")
        if value == "output":
            self.when_changed = None
            if not self._output:
                self._release()
                lgpio.gpio_claim_output(self.factory.handle, self._number, 0)
                self._output = True
        elif self._output or self._request is None:
            self._release()
            self._request_input()

    def _get_state(self) -> float:
        if self._tone is not None:
            return self._tone[1]
        if self._output:
            return float(lgpio.gpio_read(self.factory.handle, self._number))
        if self._request is None:
            self._request_input()
        with self._reading:
            return float(self._request.get_value(self._number) is line.Value.ACTIVE)

    def _set_state(self, value: float) -> None:
        if not self._output:
            raise gpiozero.PinSetInput(f"cannot set state of pin {self!r}")
        if self._tone is not None:
            self._tone = (self._tone[0], value)
            lgpio.tx_pwm(self.factory.handle, self._number, self._tone[0], value * 100)
        else:
            lgpio.gpio_write(self.factory.handle, self._number, bool(value))

    def _get_pull(self) -> str:
        return self._pull

    def _set_pull(self, value: str) -> None:
        if self._output:
            raise gpiozero.PinFixedPull(f"cannot set pull on non-input pin {self!r}")
        if self.info.pull not in (value, ""):
            raise gpiozero.PinFixedPull(f"{self!r} has a physical pull-{self.info.pull} resistor")
        if value not in _PULLS:
            raise gpiozero.PinInvalidPull(f"invalid pull {value!r} for pin {self!r}")
        self._pull = value
        self._request_input()

    def _get_frequency(self) -> float | None:
        return None if self._tone is None else self._tone[0]

    def _set_frequency(self, value: float | None) -> None:
        if value:
            if not self._output:
                raise gpiozero.PinPWMFixedValue(f"cannot start PWM on pin {self!r}")
            self._tone = (value, 0.0 if self._tone is None else self._tone[1])
            if self._tone[1]:
                lgpio.tx_pwm(self.factory.handle, self._number, value, self._tone[1] * 100)
        elif self._tone is not None:
            self._tone = None
            lgpio.tx_pwm(self.factory.handle, self._number, 0, 0)

    def _get_bounce(self) -> None:
        return None

    def _set_bounce(self, value: float | None) -> None:
        if value is not None:
            raise gpiozero.PinInvalidBounce(f"{self!r} reports every edge: filter them yourself")

    def _get_edges(self) -> str:
        return self._edges

    def _set_edges(self, value: str) -> None:
        if value not in _EDGES:
            raise gpiozero.PinInvalidEdges(f"invalid edge {value!r} for pin {self!r}")
        self._edges = value
        if self._watched:
            self._request_input()

    def _enable_event_detect(self) -> None:
        self._watched = True
        self._request_input()
        self.factory.watch.add(self._request.fd, self)

    def _disable_event_detect(self) -> None:
        if self._watched:
            self._watched = False
            self.factory.watch.remove(self._request.fd)
            self._request_input()

    def read(self) -> list[Any]:
        """The edges that wait; called by the watching thread."""
        with self._reading:
            if self._request is None or not self._watched:
                return []
            events: list[Any] = self._request.read_edge_events()
            return events

    def fire(self, stamp_ns: int, high: bool) -> None:
        """Hand one edge to whoever watches the pin."""
        with self._when_changed_lock:
            if self._when_changed is not None:
                self._call_when_changed(stamp_ns / 1e9, int(high))


class Watch:
    """The one thread that waits for edges, of all pins together. `faults`: callbacks that raised."""

    def __init__(self) -> None:
        self.faults = 0
        self._pins: dict[int, LinePin] = {}
        self._poll = select.epoll()
        self._bell = os.eventfd(0, os.EFD_CLOEXEC | os.EFD_NONBLOCK)
        self._poll.register(self._bell, select.EPOLLIN)
        self._thread: threading.Thread | None = None
        self._closed = False

    def add(self, descriptor: int, pin: LinePin) -> None:
        """Report edges that come on `descriptor` to `pin`."""
        self._pins[descriptor] = pin
        self._poll.register(descriptor, select.EPOLLIN)
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="edges", daemon=True)
            self._thread.start()

    def remove(self, descriptor: int) -> None:
        """Report no more of them."""
        self._pins.pop(descriptor, None)
        with contextlib.suppress(OSError):
            self._poll.unregister(descriptor)

    def close(self) -> None:
        """End the thread."""
        if not self._closed:
            self._closed = True
            os.eventfd_write(self._bell, 1)
            if self._thread is not None and self._thread is not threading.current_thread():
                self._thread.join(1)
            self._poll.close()
            os.close(self._bell)

    def _run(self) -> None:
        while True:
            ready = self._poll.poll()
            if self._closed:
                return
            edges = []
            for descriptor, _ in ready:
                pin = self._pins.get(descriptor)
                if pin is not None:
                    try:
                        edges += [(event.timestamp_ns, pin, event.event_type) for event in pin.read()]
                    except OSError:
                        # A line that can't be read any more would be ready for ever.
                        self.faults += 1
                        self.remove(descriptor)
            edges.sort(key=lambda edge: edge[0])
            for stamp, pin, kind in edges:
                try:
                    pin.fire(stamp, kind is gpiod.EdgeEvent.Type.RISING_EDGE)
                except Exception:
                    self.faults += 1
