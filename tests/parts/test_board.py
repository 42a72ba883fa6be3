"""The board on gpiozero's real classes and mock pins: first and last act, edges and their stamps, lamps, tunes."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import gpiozero
import pytest
from gpiozero.pins.mock import MockFactory, MockPin, MockPWMPin

from device.errors import UserError
from device.parts.board import Board
from device.parts.pins import DEFAULT_PINS, PULLED_DOWN, Pins
from device.table.edges import Edge


class Bench:
    """A board on mock pins, what came in and what was told."""

    def __init__(self) -> None:
        self.factory = MockFactory(pin_class=MockPWMPin)
        self.edges: list[Edge] = []
        self.told: list[tuple[str, str]] = []
        self.board = Board(
            DEFAULT_PINS, self.factory, self.edges.append, lambda about, text: self.told.append((about, text))
        )

    def button(self, number: int) -> MockPin:
        return self.factory.pin(DEFAULT_PINS.buttons[number - 1])

    def outputs(self) -> list[MockPin]:
        return [self.factory.pin(pin) for pin in DEFAULT_PINS.outputs]

    def lamps(self) -> list[bool]:
        return [bool(self.factory.pin(pin).state) for pin in DEFAULT_PINS.lamps]


@pytest.fixture
def bench() -> Iterator[Bench]:
    made = Bench()
    yield made
    made.board.close()
    made.factory.reset()


def test_the_first_act_is_zero_on_every_output() -> None:
    """After a crash the kernel may still drive them."""
    factory = MockFactory(pin_class=MockPWMPin)
    pins = [factory.pin(number) for number in DEFAULT_PINS.outputs]
    for pin in pins:
        pin.function = "output"
        pin.state = 1
    board = Board(DEFAULT_PINS, factory, lambda _edge: None)
    assert [(pin.function, pin.state) for pin in pins] == [("output", 0)] * 5
    board.close()


def test_the_last_act_is_zero_before_any_pin_is_let_go(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.board.lamps.show(frozenset({1, 2, 3}), frozenset({4}), 0.0)
    bench.board.buzzer.play("stop", 0.0)
    seen: list[list[float]] = []
    real_close = MockPWMPin.close

    def close(pin: MockPWMPin) -> None:
        seen.append([output.state for output in bench.outputs()])
        real_close(pin)

    monkeypatch.setattr(MockPWMPin, "close", close)
    bench.board.close()
    assert len(seen) == 9
    assert seen == [[0.0] * 5] * 9
    assert [pin.function for pin in bench.outputs()] == ["input"] * 5
    bench.board.close()
    assert len(seen) == 9


def test_no_thread_is_made() -> None:
    before = threading.active_count()
    factory = MockFactory(pin_class=MockPWMPin)
    board = Board(DEFAULT_PINS, factory, lambda _edge: None)
    for number in range(10):
        board.buzzer.play(["roll", "claim1", "stop", "tick"][number % 4], number / 100)
        board.lamps.show(frozenset(), frozenset({1, 2, 3, 4}), number / 100)
    assert threading.active_count() == before
    board.close()
    assert threading.active_count() == before


def test_an_edge_carries_the_time_of_the_pins_own_event(bench: Bench) -> None:
    """Ten milliseconds may pass between the event and the callback: the stamp is the event's."""
    device = bench.board.buttons._buttons[0]
    event = time.monotonic() - 0.010
    device.pin.when_changed(event, 0)
    device.pin.when_changed(event + 0.004, 1)
    assert bench.edges == [Edge(1, True, event), Edge(1, False, event + 0.004)]


def test_every_edge_of_every_button_comes_bounces_and_all(bench: Bench) -> None:
    before = time.monotonic()
    for number in (2, 4):
        for _ in range(3):
            bench.button(number).drive_low()
            bench.button(number).drive_high()
    assert [(edge.button, edge.down) for edge in bench.edges] == [
        (number, down) for number in (2, 4) for _ in range(3) for down in (True, False)
    ]
    stamps = [edge.stamp for edge in bench.edges]
    assert stamps == sorted(stamps)
    assert before <= stamps[0] <= stamps[-1] <= time.monotonic()


class Microseconds(MockFactory):  # type: ignore[misc]  # gpiozero ships no types
    """Ticks as a remote factory has them: microseconds of a clock of its own, wrapping at 32 bits."""

    offset = 0

    def ticks(self) -> int:
        return (int(time.monotonic() * 1e6) + self.offset) % 2**32

    @staticmethod
    def ticks_diff(later: int, earlier: int) -> float:
        return ((later - earlier) % 2**32) / 1e6


def test_ticks_of_another_clock_are_turned_into_ours() -> None:
    factory = Microseconds(pin_class=MockPWMPin)
    factory.offset = 2**32 - int(time.monotonic() * 1e6) % 2**32 - 1000  # about to wrap
    edges: list[Edge] = []
    board = Board(DEFAULT_PINS, factory, edges.append)
    now, ticks = time.monotonic(), factory.ticks()
    board.buttons._buttons[2].pin.when_changed((ticks - 250_000) % 2**32, 0)
    board.close()
    assert edges[0].button == 3
    assert edges[0].stamp == pytest.approx(now - 0.25, abs=0.2)


def test_a_stamp_of_the_wall_clock_is_not_believed(bench: Bench) -> None:
    """Kernels before 5.7 dated line events by the wall clock, which is years away from ours."""
    before = time.monotonic()
    bench.board.buttons._buttons[0].pin.when_changed(time.time() + 1e9, 0)
    assert before <= bench.edges[0].stamp <= time.monotonic()


def test_a_button_held_at_power_on_is_down_and_reports_only_its_release() -> None:
    factory = MockFactory(pin_class=MockPWMPin)

    class Held(MockPWMPin):  # type: ignore[misc]  # gpiozero ships no types
        def _set_pull(self, value: str) -> None:
            self._pull = value  # the closed switch is stronger than the pull-up
            self._state = False

    factory.pin(DEFAULT_PINS.buttons[1], pin_class=Held)
    edges: list[Edge] = []
    board = Board(DEFAULT_PINS, factory, edges.append)
    assert board.levels() == (False, True, False, False)
    assert edges == []
    factory.pin(DEFAULT_PINS.buttons[1]).drive_high()
    assert [(edge.button, edge.down) for edge in edges] == [(2, False)]
    assert board.levels() == (False, False, False, False)
    board.close()


def test_a_put_that_raises_kills_nothing_and_is_told_once() -> None:
    factory = MockFactory(pin_class=MockPWMPin)
    told: list[tuple[str, str]] = []
    taken: list[Edge] = []

    def put(edge: Edge) -> None:
        if edge.button == 1:
            raise MemoryError("the queue is full")
        taken.append(edge)

    board = Board(DEFAULT_PINS, factory, put, lambda about, text: told.append((about, text)))
    for _ in range(5):
        factory.pin(DEFAULT_PINS.buttons[0]).drive_low()
        factory.pin(DEFAULT_PINS.buttons[0]).drive_high()
    factory.pin(DEFAULT_PINS.buttons[1]).drive_low()
    board.close()
    assert told == [("pins", "button 1 (GPIO 5): the queue is full")]
    assert board.guard.faults == 10
    assert [edge.button for edge in taken] == [2]


def test_a_tell_that_raises_kills_nothing_either() -> None:
    factory = MockFactory(pin_class=MockPWMPin)

    def fail(*_: object) -> None:
        raise RuntimeError("no")

    board = Board(DEFAULT_PINS, factory, fail, fail)
    factory.pin(5).drive_low()
    board.close()
    assert board.guard.faults == 1


def test_a_pin_that_cannot_be_read_or_written_is_lived_with(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.button(3).drive_low()
    bench.board.lamps.show(frozenset({1}), frozenset(), 0.0)

    def broken(*_: object) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(MockPWMPin, "_get_state", broken)
    monkeypatch.setattr(MockPWMPin, "_set_state", broken)
    assert bench.board.levels() == (False, False, True, False)
    bench.board.lamps.show(frozenset({2}), frozenset(), 1.0)
    bench.board.buzzer.play("stop", 1.0)
    assert bench.board.buzzer.beat(9.0) is None
    assert sorted(text.split(":")[0] for _, text in bench.told) == [
        "button 1 (GPIO 5)", "button 2 (GPIO 6)", "button 3 (GPIO 13)", "button 4 (GPIO 19)",
        "buzzer (GPIO18)", "lamp 1 (GPIO17)", "lamp 2 (GPIO27)",
    ]  # fmt: skip


@pytest.mark.parametrize("at", DEFAULT_PINS.buttons + DEFAULT_PINS.outputs)
def test_busy_pins_are_one_line_and_what_was_opened_is_let_go(at: int, monkeypatch: pytest.MonkeyPatch) -> None:
    factory = MockFactory(pin_class=MockPWMPin)
    real_pin = MockFactory.pin

    def pin(self: MockFactory, name: int, **also: object) -> MockPin:
        if name == at:
            raise RuntimeError("'GPIO busy'")
        return real_pin(self, name, **also)

    monkeypatch.setattr(MockFactory, "pin", pin)
    with pytest.raises(UserError, match="in use by another program") as refused:
        Board(DEFAULT_PINS, factory, lambda _edge: None)
    assert refused.value.code == 1
    for number in (*DEFAULT_PINS.buttons, *DEFAULT_PINS.outputs):
        if number != at:
            gpiozero.InputDevice(number, pin_factory=factory).close()


def test_blinking_begins_with_light_and_all_blink_together(bench: Bench) -> None:
    lamps = bench.board.lamps
    assert lamps.show(frozenset({1}), frozenset({3}), 100.2) == pytest.approx(100.7)
    assert bench.lamps() == [True, False, True, False]
    assert lamps.beat(100.699) == pytest.approx(100.7)
    assert bench.lamps() == [True, False, True, False]
    assert lamps.beat(100.7) == pytest.approx(101.2)
    assert bench.lamps() == [True, False, False, False]
    assert lamps.show(frozenset(), frozenset({3, 4}), 101.0) == pytest.approx(101.2)
    assert bench.lamps() == [False, False, False, False]
    assert lamps.beat(101.25) == pytest.approx(101.7)
    assert bench.lamps() == [False, False, True, True]
    assert lamps.show(frozenset({2}), frozenset(), 101.3) is None
    assert bench.lamps() == [False, True, False, False]
    assert lamps.beat(200.0) is None


def test_a_lamp_is_written_only_when_it_changes(bench: Bench) -> None:
    pin = bench.factory.pin(DEFAULT_PINS.lamps[0])
    pin.clear_states()
    for step in range(50):
        bench.board.lamps.show(frozenset({1}), frozenset(), step / 10)
    assert [state.state for state in pin.states] == [False, True]


def test_default_pins_are_what_the_wiring_needs() -> None:
    assert DEFAULT_PINS.fault(frozenset({7, 8, 9, 10, 11, 24, 25})) is None
    assert set(DEFAULT_PINS.outputs) <= PULLED_DOWN


@pytest.mark.parametrize(
    ("pins", "key", "reason"),
    [
        pytest.param(Pins((5, 6, 13, 40), (17, 27, 22, 23), 18), "buttons", "not on the header", id="40"),
        pytest.param(Pins((3, 6, 13, 19), (17, 27, 22, 23), 18), "buttons", "I2C", id="the display's bus"),
        pytest.param(Pins((1, 6, 13, 19), (17, 27, 22, 23), 18), "buttons", "EEPROM", id="eeprom"),
        pytest.param(Pins((5, 6, 13, 19), (17, 27, 22, 5), 18), "lamps", "twice", id="twice"),
        pytest.param(Pins((5, 6, 13, 19), (17, 27, 22, 4), 18), "lamps", "pulled up", id="lit at power-on"),
        pytest.param(Pins((5, 6, 13, 19), (17, 27, 22, 23), 4), "buzzer", "pulled up", id="buzzing at power-on"),
        pytest.param(Pins((5, 6, 13, 19), (17, 27, 22, 24), 18), "lamps", "SPI", id="the display's D/C"),
    ],
)
def test_pins_that_cannot_be(pins: Pins, key: str, reason: str) -> None:
    fault = pins.fault(frozenset({24}))
    assert fault is not None
    assert (fault[0], reason in fault[1]) == (key, True)


def test_gpiozeros_default_factory_is_never_asked_for(bench: Bench) -> None:
    bench.button(1).drive_low()
    assert gpiozero.Device.pin_factory is None
