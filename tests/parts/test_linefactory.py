"""gpiozero pins on line events: our side of it, on a kernel in memory (the real one: see the virtual Pi)."""

from __future__ import annotations

import queue
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import gpiozero
import pytest

from device.errors import UserError
from device.parts.board import Board
from device.parts.pins import DEFAULT_PINS
from device.table.edges import Edge
from tests.parts.fake_gpiod import Kernel

SOON = 20.0


class Rig:
    """A factory on a kernel in memory."""

    def __init__(self) -> None:
        from device.parts.linefactory import LineFactory

        self.kernel = KERNELS[-1]
        self.factory: Any = LineFactory(0, 0xC03111)
        self.edges: queue.SimpleQueue[Edge] = queue.SimpleQueue()
        self.boards: list[Board] = []

    def board(self, put: Callable[[Edge], None] | None = None) -> Board:
        self.boards.append(Board(DEFAULT_PINS, self.factory, put or self.edges.put))
        return self.boards[-1]

    def press(self, button: int, stamp_ns: int, down: bool = True) -> None:
        self.kernel.requests[DEFAULT_PINS.buttons[button - 1]].edge(stamp_ns, not down)


KERNELS: list[Kernel] = []


@pytest.fixture
def rig(monkeypatch: pytest.MonkeyPatch) -> Iterator[Rig]:
    kernel = Kernel()
    KERNELS.append(kernel)
    package, line = kernel.gpiod()
    for name, module in (("gpiod", package), ("gpiod.line", line), ("lgpio", kernel.lgpio())):
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.delitem(sys.modules, "device.parts.linefactory", raising=False)
    made = Rig()
    yield made
    for board in made.boards:
        board.close()
    made.factory.close()
    sys.modules.pop("device.parts.linefactory", None)
    KERNELS.pop()
    assert (kernel.requests, kernel.outputs, kernel.tones, kernel.open) == ({}, {}, {}, [])


def test_edges_come_with_the_kernels_stamp_and_the_buttons_number(rig: Rig) -> None:
    rig.board()
    now = time.monotonic_ns() - 1_000_000
    rig.press(3, now)
    rig.press(3, now + 400_000, down=False)
    assert [rig.edges.get(timeout=SOON) for _ in range(2)] == [
        Edge(3, True, now / 1e9),
        Edge(3, False, (now + 400_000) / 1e9),
    ]


def test_edges_of_several_lines_read_together_are_handed_on_in_the_order_of_their_stamps(rig: Rig) -> None:
    """The thread is held in a first callback while both lines collect edges, the later line the earlier edge."""
    in_callback, go_on = threading.Event(), threading.Event()

    def put(edge: Edge) -> None:
        if edge.button == 4:
            in_callback.set()
            assert go_on.wait(SOON)
        else:
            rig.edges.put(edge)

    rig.board(put)
    base = time.monotonic_ns() - 10_000_000
    rig.press(4, base)
    assert in_callback.wait(SOON)
    rig.press(1, base + 300_000)
    rig.press(2, base + 200_000)
    rig.press(1, base + 400_000, down=False)
    go_on.set()
    assert [rig.edges.get(timeout=SOON).button for _ in range(3)] == [2, 1, 1]


def test_levels_are_read_from_the_kernel_and_a_held_button_is_down(rig: Rig) -> None:
    rig.kernel.levels[DEFAULT_PINS.buttons[2]] = False
    board = rig.board()
    assert board.levels() == (False, False, True, False)
    rig.kernel.levels[DEFAULT_PINS.buttons[2]] = True
    assert board.levels() == (False, False, False, False)


def test_one_thread_whatever_happens(rig: Rig) -> None:
    before = threading.active_count()
    board = rig.board()
    assert threading.active_count() == before + 1
    for number in range(20):
        board.buzzer.play("claim1", float(number))
        board.lamps.show(frozenset({number % 4 + 1}), frozenset(), float(number))
        rig.press(number % 4 + 1, time.monotonic_ns(), down=bool(number % 2))
    assert threading.active_count() == before + 1


def test_outputs_begin_and_end_at_zero_and_are_given_back(rig: Rig) -> None:
    board = rig.board()
    assert rig.kernel.outputs == dict.fromkeys(DEFAULT_PINS.outputs, 0)
    assert all(call[2] == 0 for call in rig.kernel.calls if call[0] in ("claim", "write"))
    board.lamps.show(frozenset({1}), frozenset(), 0.0)
    assert rig.kernel.outputs[DEFAULT_PINS.lamps[0]] == 1
    board.buzzer.play("stop", 0.0)
    rig.kernel.calls.clear()
    board.close()
    freed = [call[1] for call in rig.kernel.calls if call[0] == "free"]
    assert sorted(freed) == sorted(DEFAULT_PINS.outputs)
    for line in DEFAULT_PINS.outputs:
        last = [call for call in rig.kernel.calls if call[1] == line and call[0] != "free"][-1:]
        assert last == [("write", line, 0)] or line in DEFAULT_PINS.lamps[1:]


def test_stop_sets_the_line_itself_before_its_tone_begins(rig: Rig) -> None:
    board = rig.board()
    rig.kernel.calls.clear()
    board.buzzer.play("stop", 0.0)
    assert rig.kernel.calls == [("write", 18, 1), ("tone", 18, 440.0, 50.0)]
    rig.kernel.calls.clear()
    board.buzzer.beat(1.5)
    assert rig.kernel.calls == [("tone", 18, 0, 0), ("write", 18, 0)]


def test_a_line_that_cannot_be_read_any_more_silences_no_other(rig: Rig) -> None:
    rig.board()
    rig.kernel.requests[DEFAULT_PINS.buttons[0]].broken = True
    rig.press(1, time.monotonic_ns())
    rig.press(2, time.monotonic_ns())
    assert rig.edges.get(timeout=SOON).button == 2


def test_a_callback_that_raises_ends_nothing(rig: Rig) -> None:
    heard = threading.Event()

    class Careless(gpiozero.InputDevice):  # type: ignore[misc]  # gpiozero ships no types
        def changed(self, _ticks: float, state: float) -> None:
            if not state:
                raise ValueError("careless")
            heard.set()

    device = Careless(5, pull_up=True, pin_factory=rig.factory)
    device.pin.when_changed = device.changed
    rig.kernel.requests[5].edge(1, False)
    rig.kernel.requests[5].edge(2, True)
    assert heard.wait(SOON)
    assert rig.factory.watch.faults == 1
    device.close()


def test_closing_one_button_silences_no_other(rig: Rig) -> None:
    board = rig.board()
    board.buttons._buttons[0].close()
    rig.press(2, time.monotonic_ns())
    assert rig.edges.get(timeout=SOON).button == 2


def test_a_second_copy_is_refused_and_the_first_plays_on(rig: Rig) -> None:
    from device.parts.linefactory import LineFactory

    rig.board()
    # Another process: its factory knows nothing of the pins here, only the kernel does.
    second: Any = LineFactory(0, 0xC03111)
    second.pins, second._reservations = {}, type(second._reservations)(list)
    outputs = dict(rig.kernel.outputs)
    with pytest.raises(UserError, match="in use by another program"):
        Board(DEFAULT_PINS, second, lambda _edge: None)
    second.close()
    assert rig.kernel.outputs == outputs
    rig.press(1, time.monotonic_ns())
    assert rig.edges.get(timeout=SOON).button == 1


def test_what_gpiozero_forbids_is_forbidden_here(rig: Rig) -> None:
    pin = rig.factory.pin(5)
    pin.function = "input"
    with pytest.raises(gpiozero.PinSetInput):
        pin.state = 1
    with pytest.raises(gpiozero.PinInvalidPull):
        pin.pull = "sideways"
    with pytest.raises(gpiozero.PinInvalidBounce):
        pin.bounce = 0.01
    with pytest.raises(gpiozero.PinInvalidEdges):
        pin.edges = "some"
    with pytest.raises(gpiozero.PinPWMFixedValue):
        pin.frequency = 440
    pin.function = "output"
    with pytest.raises(gpiozero.PinFixedPull):
        pin.pull = "up"
    with pytest.raises(gpiozero.PinInvalidFunction):
        pin.function = "alt0"


def test_the_boards_revision_may_be_hidden(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    """A sandbox hides /proc/cpuinfo: the label of the chip says enough."""

    def hidden() -> int:
        raise gpiozero.PinUnknownPi("unable to locate Pi revision")

    monkeypatch.setattr("gpiozero.pins.local.get_pi_revision", hidden)
    assert rig.factory.board_info.model == "4B"
