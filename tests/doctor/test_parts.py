"""`doctor --parts` on gpiozero's mock pins and a display that only notes: what it tries, says and leaves behind."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from queue import SimpleQueue
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from device.config import Config
from device.doctor import try_parts
from device.doctor.machine import Machine
from device.doctor.report import Finding, Status
from device.errors import UserError
from device.parts.board import Board
from device.parts.pins import DEFAULT_PINS
from device.parts.sounds import Note
from device.table.edges import Edge


class Stopped(Machine):
    """A box whose service is stopped."""

    def service(self) -> dict[str, str] | None:
        return {"ActiveState": "inactive"}


class Running(Machine):
    """A box whose service runs."""

    def service(self) -> dict[str, str] | None:
        return {"ActiveState": "active"}


class Display:
    """What the display was shown."""

    def __init__(self) -> None:
        self.shown: list[Any] = []
        self.closed = False

    def show(self, picture: Any) -> None:
        self.shown.append(picture)

    def close(self) -> None:
        self.closed = True


@pytest.fixture
def factory(monkeypatch: pytest.MonkeyPatch) -> Iterator[MockFactory]:
    made = MockFactory(pin_class=MockPWMPin)
    monkeypatch.setattr(try_parts, "open_factory", lambda _choice: made)
    monkeypatch.setattr(try_parts, "PATIENCE", 0.2)
    monkeypatch.setattr(try_parts, "SETTLED", 0.02)
    monkeypatch.setattr("device.parts.buzzer.TUNES", dict.fromkeys(("late", "claim4", "stop"), (Note(440.0, 0.01),)))
    yield made
    made.close()


@pytest.fixture
def display(monkeypatch: pytest.MonkeyPatch) -> Display:
    made = Display()
    monkeypatch.setattr(try_parts, "open_oled", lambda *_, **__: made)
    return made


def press(factory: MockFactory, pin: int) -> None:
    """A press with a bounce."""
    for level in (False, True, False, True):
        factory.pin(pin).drive_high() if level else factory.pin(pin).drive_low()


class Person:
    """Answers questions from a list, presses what is asked for, and looks at the lamps while asked."""

    def __init__(self, factory: MockFactory, answers: list[str], presses: dict[int, int] | None = None) -> None:
        self.factory, self.answers = factory, answers
        self.presses = presses if presses is not None else dict(enumerate(DEFAULT_PINS.buttons, 1))
        self.asked: list[str] = []
        self.lit: list[list[int]] = []

    def ask(self, question: str) -> str:
        self.asked.append(question)
        self.lit.append([pin for pin in DEFAULT_PINS.lamps if self.factory.pin(pin).state])
        if not self.answers:
            raise EOFError
        return self.answers.pop(0)

    def tell(self, text: str) -> None:
        number = int(text.split(":")[0].split()[1])
        if number in self.presses:
            threading.Timer(0.05, press, (self.factory, self.presses[number])).start()


def statuses(findings: list[Finding]) -> dict[str, Status]:
    return {one.check: one.status for one in findings}


def outputs(factory: MockFactory) -> list[float]:
    return [factory.pin(pin).state for pin in DEFAULT_PINS.outputs]


def test_a_good_box_is_ok_in_every_part_and_left_dark(factory: MockFactory, display: Display) -> None:
    person = Person(factory, ["y"] * 6)
    findings = list(try_parts.examine(Stopped(), Config(), person.ask, person.tell))
    names = ["display", *(f"lamp {n}" for n in range(1, 5)), *(f"button {n}" for n in range(1, 5)), "buzzer"]
    assert statuses(findings) == dict.fromkeys(names, Status.OK)
    # While a lamp is asked about, it alone is lit.
    assert person.lit == [[], *([pin] for pin in DEFAULT_PINS.lamps), []]
    assert len(display.shown) == 1
    assert display.closed
    assert outputs(factory) == [0] * 5


@pytest.mark.usefixtures("display")
def test_no_is_a_fault_with_what_to_do(factory: MockFactory) -> None:
    person = Person(factory, ["n"] * 6)
    findings = {one.check: one for one in try_parts.examine(Stopped(), Config(), person.ask, person.tell)}
    assert findings["display"].status is Status.FAULT
    assert "sh1106" in findings["display"].do
    assert "wire" in findings["lamp 3"].do
    assert findings["buzzer"].status is Status.FAULT


@pytest.mark.usefixtures("display")
def test_without_anybody_nothing_is_claimed(factory: MockFactory) -> None:
    person = Person(factory, [], presses={})
    findings = list(try_parts.examine(Stopped(), Config(), person.ask, person.tell))
    assert set(statuses(findings).values()) == {Status.UNTESTED}
    assert outputs(factory) == [0] * 5


@pytest.mark.usefixtures("display")
def test_two_swapped_buttons_are_named(factory: MockFactory) -> None:
    one, two, three, four = DEFAULT_PINS.buttons
    person = Person(factory, ["y"] * 6, presses={1: two, 2: one, 3: three, 4: four})
    findings = {one.check: one for one in try_parts.examine(Stopped(), Config(), person.ask, person.tell)}
    assert findings["button 1"].seen == "button 2 answered instead"
    assert findings["button 2"].seen == "button 1 answered instead"
    assert findings["button 3"].status is findings["button 4"].status is Status.OK


def test_a_button_that_is_stuck_is_not_waited_for(factory: MockFactory) -> None:
    edges: SimpleQueue[Edge] = SimpleQueue()
    board = Board(DEFAULT_PINS, factory, edges.put)
    factory.pin(DEFAULT_PINS.buttons[2]).drive_low()
    person = Person(factory, [])
    findings = {one.check: one for one in try_parts.try_buttons(board, Config(), edges, person.tell)}
    board.close()
    assert findings["button 3"].status is Status.FAULT
    assert "stuck" in findings["button 3"].do
    assert findings["button 4"].status is Status.OK


def test_a_display_that_does_not_answer_is_a_fault_and_the_rest_is_tried(
    factory: MockFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    def nobody(*_: object, **__: object) -> None:
        raise OSError(121, "Remote I/O error")

    monkeypatch.setattr(try_parts, "open_oled", nobody)
    person = Person(factory, ["y"] * 5)
    found = statuses(list(try_parts.examine(Stopped(), Config(), person.ask, person.tell)))
    assert found.pop("display") is Status.FAULT
    assert set(found.values()) == {Status.OK}


def test_while_the_service_runs_it_refuses_in_one_line_and_touches_nothing(factory: MockFactory) -> None:
    with pytest.raises(UserError, match=r"^the box is running .* systemctl stop ubongo-box") as refused:
        list(try_parts.examine(Running(), Config(), input, print))
    assert refused.value.code == 1
    assert factory.pins == {}


def test_the_picture_has_one_pixel_at_the_very_edge() -> None:
    picture = try_parts.test_picture()
    edge = [(x, y) for x in range(128) for y in range(64) if x in (0, 127) or y in (0, 63)]
    inner = [(x, y) for x in range(1, 127) for y in range(1, 63) if x in (1, 126) or y in (1, 62)]
    assert all(picture.getpixel(at) for at in edge)
    assert not any(picture.getpixel(at) for at in inner)
