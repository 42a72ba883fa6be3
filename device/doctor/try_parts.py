"""Trying the parts with somebody's eyes, ears and fingers: display, lamps, buttons, buzzer. All off again at the end.

Only while nothing else holds the pins. Whoever has no terminal (or says nothing) gets "not tested".
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from queue import Empty, SimpleQueue

from PIL import Image, ImageDraw

from device.config import Config
from device.doctor.machine import Machine
from device.doctor.report import Finding, fault, ok, untested
from device.errors import FAULT_FOUND, UserError
from device.game.players import SEATS
from device.parts.board import Board, open_factory
from device.parts.oled import DisplaySettings, Oled, open_oled
from device.table.edges import Edge

Ask = Callable[[str], str]
Tell = Callable[[str], None]

PATIENCE = 20.0
"""Seconds to wait for a press that was asked for."""
SETTLED = 0.1
"""Seconds without an edge after which a press is over, bounces and all."""


def refuse_while_held(machine: Machine) -> None:
    """UserError while the service runs: two programs can't hold one pin."""
    state = machine.service() or {}
    if state.get("ActiveState") in ("active", "activating"):
        raise UserError(
            "the box is running and holds its parts: sudo systemctl stop ubongo-box, try the parts, then"
            " sudo systemctl start ubongo-box (a match that is cut off is resumed)",
            FAULT_FOUND,
        )


def examine(machine: Machine, config: Config, ask: Ask, tell: Tell) -> Iterator[Finding]:
    """All parts, one after the other. UserError if the service runs or the pins can't be had."""
    refuse_while_held(machine)
    with closing(open_factory(config.pin_factory)) as factory:
        edges: SimpleQueue[Edge] = SimpleQueue()
        with closing(Board(config.pins, factory, edges.put)) as board:
            wanted = {name: getattr(config.display, name) for name in config.display.__slots__}
            yield try_display(lambda: open_oled(DisplaySettings(**wanted), factory=factory), ask)
            yield from try_lamps(board, config, ask)
            yield from try_buttons(board, config, edges, tell)
            yield try_buzzer(board, config, ask)


def answer(ask: Ask, question: str) -> bool | None:
    """Yes, no, or None for neither."""
    try:
        said = ask(f"{question} [y/n] ").strip().lower()
    except EOFError:
        return None
    return {"y": True, "n": False}.get(said[:1])


def test_picture() -> Image.Image:
    """A frame one pixel wide at the very edge, and a cross from corner to corner of what lies within."""
    picture = Image.new("1", (128, 64))
    draw = ImageDraw.Draw(picture)
    draw.rectangle((0, 0, 127, 63), outline=1)
    draw.line((4, 4, 123, 59), fill=1)
    draw.line((4, 59, 123, 4), fill=1)
    return picture


def try_display(connect: Callable[[], Oled], ask: Ask) -> Finding:
    """The test picture, and whether it is seen whole."""
    try:
        with closing(connect()) as oled:
            oled.show(test_picture())
            seen = answer(ask, "display: is there a thin frame, whole at all four edges, and a cross?")
    except UserError:
        raise
    except Exception as trouble:  # luma, lgpio and the bus each have errors of their own
        return fault("display", f"does not answer ({trouble})", "run ubongo-box doctor without --parts")
    if seen is None:
        return untested("display", "the test picture was sent, nobody said what it looks like")
    if not seen:
        return fault(
            "display",
            "the test picture is not right",
            'shifted by two, with a stray column: [display] driver = "sh1106"; upside down: rotate = 2',
        )
    return ok("display", "frame and cross are whole")


def try_lamps(board: Board, config: Config, ask: Ask) -> Iterator[Finding]:
    """Each lamp alone."""
    for number, pin in enumerate(config.pins.lamps, 1):
        name = f"lamp {number}"
        board.lamps.show(frozenset({number}), frozenset(), time.monotonic())
        seen = answer(ask, f"{name}: is the lamp of button {number} ({SEATS[number - 1]}) lit, and no other?")
        board.lamps.show(frozenset(), frozenset(), time.monotonic())
        if seen is None:
            yield untested(name, f"GPIO {pin} was set, nobody said whether it is lit")
        elif seen:
            yield ok(name, f"GPIO {pin} lights it")
        else:
            yield fault(name, f"GPIO {pin} does not light it", "check its wire to the driver, + and -, and the 5 V")


def try_buttons(board: Board, config: Config, edges: SimpleQueue[Edge], tell: Tell) -> Iterator[Finding]:
    """Each button, when it is asked for."""
    held = board.levels()
    for number, pin in enumerate(config.pins.buttons, 1):
        name = f"button {number}"
        if held[number - 1]:
            yield fault(
                name, f"GPIO {pin} is at 0 V though nobody was asked to press", "its two wires touch, or it is stuck"
            )
            continue
        tell(f"{name}: press it now ({SEATS[number - 1]}), within {PATIENCE:.0f} s")
        board.lamps.show(frozenset({number}), frozenset(), time.monotonic())
        pressed = _next_press(edges)
        board.lamps.show(frozenset(), frozenset(), time.monotonic())
        if pressed is None:
            yield untested(name, f"GPIO {pin} saw no press", "check its wire and its ground, if you did press")
        elif pressed == number:
            yield ok(name, f"GPIO {pin} answers")
        else:
            yield fault(name, f"button {pressed} answered instead", "swap their wires, or their numbers under [pins]")


def _next_press(edges: SimpleQueue[Edge]) -> int | None:
    """The button that goes down next, once it and its bounces are over; None if nobody presses."""
    with suppress(Empty):
        while True:
            edges.get_nowait()
    end = time.monotonic() + PATIENCE
    while (left := end - time.monotonic()) > 0:
        try:
            edge = edges.get(timeout=left)
        except Empty:
            break
        if edge.down:
            with suppress(Empty):
                while True:
                    edges.get(timeout=SETTLED)
            return edge.button
    return None


def try_buzzer(board: Board, config: Config, ask: Ask) -> Finding:
    """From its lowest note to its highest, then Stop."""
    for sound in ("late", "claim4", "stop"):
        due = board.buzzer.play(sound)
        while due is not None:
            time.sleep(max(0.0, due - time.monotonic()))
            due = board.buzzer.beat(time.monotonic())
    heard = answer(ask, "buzzer: did you hear low notes, two high ones, and one long buzz?")
    if heard is None:
        return untested("buzzer", f"GPIO {config.pins.buzzer} played, nobody said whether it was heard")
    if not heard:
        return fault(
            "buzzer", f"GPIO {config.pins.buzzer} was not heard", "is it a passive one? check its wire and the 5 V"
        )
    return ok("buzzer", f"GPIO {config.pins.buzzer} is heard, low and high")
