"""Items 2 and 3 in real time: how late Stop and a lamp are while the bus blocks and the card stalls, and who is first.

The boxes are played in turn, because each asks for two seconds of looking after its Stop; the others rest meanwhile.
"""

from __future__ import annotations

import queue
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from random import Random

import gpiozero
from gpiozero.pins.mock import MockFactory

from device.parts.buzzer import Buzzer
from device.parts.guard import Guard
from device.parts.pins import DEFAULT_PINS
from tests.bench.one_loop import OneLoop
from tests.bench.results import Row, Run, Sample
from tests.bench.rig import Box, DatedPin, bounce

BOXES = 12
GLASS = (0.06, 0.1)
"""Seconds of the glasses, one length a box: never in step with the blocking writes."""
SETTLE = 0.003
"""Seconds after which an open contact is no bounce any more: see device.table.contacts."""
STILL = 0.03
"""Seconds after which a button's next edge is none of the last one's bounces: the table's 25 ms, and a few more."""
SWITCH = 0.0005
"""The box's own switch interval: see device.run.command."""

# What the bench plays: the first claim turns the glass, no gems in between, and no end before 99 rounds.
EDITION = """
id = "bench"
name = "Bench"
players = [1, 4]
rounds = 99
first = "anyone"
passes = "anyone"
ties = "shared"
goals = []
[chooser]
kind = "none"
[glass]
start = "first-claim"
seconds = 60
[reward]
kind = "wins"
target = 99
"""


@dataclass
class Seen:
    """What came of the rounds."""

    stops: list[float] = field(default_factory=list)
    lamps: list[float] = field(default_factory=list)
    early: int = 0
    stalled: int = 0
    pairs: int = 0
    wrong: int = 0
    unfit: int = 0


def measure(run: Run) -> list[Row]:
    """Items 2 and 3."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH)
    try:
        seen, bare = _boxes(run)
    finally:
        sys.setswitchinterval(interval)
    plain = OneLoop.played(run(40, 2))
    ours, theirs = _calls(run(300, 10))
    stops, lamps = Sample.of(seen.stops), Sample.of(seen.lamps)
    waits, late, dark = Sample.of(bare), Sample.of(plain.stops), Sample.of(plain.lamps)
    good = stops.percentile(99) <= 0.002 and stops.most <= 0.010 and not seen.early
    ends = len(seen.stops)
    return [
        Row(
            2,
            f"buzzer's pin after the sand, {ends} ends, writes block 93 ms, card stalls 5 s ({seen.stalled} times)",
            stops.tail(),
            f"one loop, its card quick: {late.tail()}",
            f"{late.percentile(99) / stops.percentile(99):.0f} × at p99",
            "p99 ≤ 2 ms, max ≤ 10 ms",
            good,
        ),
        Row(2, "the same machine meanwhile: a thread that only waits", "", waits.tail()),
        Row(2, "Stops before the sand had run", str(seen.early), goal="0", met=not seen.early),
        Row(
            2,
            "from the call to the pin, mock pins",
            ours.text("µs"),
            f"TonalBuzzer.play() {theirs.text('µs')}",
        ),
        Row(
            3,
            f"press → own lamp, {len(seen.lamps)} presses, the same load, 3 ms of filter included",
            lamps.tail(),
            f"one loop, no filter: {dark.tail()}",
            f"{dark.percentile(99) / lamps.percentile(99):.0f} × at p99",
            "p99 ≤ 8 ms",
            lamps.percentile(99) <= 0.008,
        ),
        Row(
            3,
            f"order through pins and service, {seen.pairs} pairs in real time ({seen.unfit} more were driven too late)",
            f"{seen.wrong} wrong",
            goal="0 wrong",
            met=not seen.wrong,
        ),
    ]


def _boxes(run: Run) -> tuple[Seen, list[float]]:
    seen, draw = Seen(), Random(1)
    rounds, number = run(500, 4), run(BOXES, 2)
    with ExitStack() as end, tempfile.TemporaryDirectory() as folder:
        config = Path(folder) / "box.toml"
        config.write_text('edition = "bench"\n')
        config.with_name("bench.toml").write_text(EDITION)
        boxes: list[Box] = []
        for n in range(number):
            glass = GLASS[0] + (GLASS[1] - GLASS[0]) * n / number
            boxes.append(Box(Path(folder) / f"{n}.sqlite", config, glass))
            end.callback(boxes[-1].stop)
        _together(boxes, _begin)
        bare = end.enter_context(Bare())
        for n in range(rounds):
            _round(boxes[n % number], n // number, draw, seen, pair=bool(n % 2))
    return seen, bare.late


class Bare:
    """A thread that waits 20 ms again and again and notes how late it comes back: what this machine can do at all."""

    def __init__(self) -> None:
        self.late: list[float] = []
        self._over = False
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Bare:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over = True
        self._thread.join()

    def _run(self) -> None:
        nothing: queue.SimpleQueue[None] = queue.SimpleQueue()
        while not self._over or not self.late:
            due = time.monotonic() + 0.02
            try:
                nothing.get(timeout=due - time.monotonic())
            except queue.Empty:
                self.late.append(time.monotonic() - due)


def _together(boxes: Sequence[Box], work: Callable[[Box], None]) -> None:
    threads = [threading.Thread(target=work, args=(box,)) for box in boxes]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _begin(box: Box) -> None:
    """From the lobby until the first round can begin."""
    since = len(box.said)
    for button in (1, 2, 3, 4):
        box.press(button)
        time.sleep(STILL)
    box.wait(lambda said: sum(one["what"] == "joined" for one in said) == 4, since)
    box.press(1, seconds=1.6)
    box.scene("ready", since)
    time.sleep(STILL)


def _round(box: Box, number: int, draw: Random, seen: Seen, *, pair: bool) -> None:
    """One round: its two claims, apart or within a millisecond, and its Stop."""
    if number:
        assert box.end is not None
        time.sleep(max(0.0, box.end + 2.01 - time.monotonic()))
        since = len(box.said)
        box.press(1)
        box.scene("scores", since)
        time.sleep(STILL)
    since = len(box.said)
    box.press(1)
    box.scene("race", since)
    time.sleep(draw.uniform(0.0, 0.02))
    box.store.slow = True
    first, second = draw.sample((2, 3, 4), 2)
    fit = True
    if pair:
        fit = _pair(box, first, second, draw.choice((0.001, 0.0001)), draw.randrange(1000))
    else:
        for button in (first, second):
            pressed = time.monotonic()
            box.button(button).drive_low()
            time.sleep(0.025)
            seen.lamps += box.lamp(button).since(pressed)[:1]
    box.scene("check", since)
    end = box.end
    assert end is not None
    heard = box.buzzer.since(end)
    seen.early += any(one.get("sound") == "stop" and not heard for one in box.said[since:])
    seen.stops += heard[:1]
    seen.stalled += box.store.stalling
    box.store.slow = False
    for button in (first, second):
        box.button(button).drive_high()
    claims = [one["player"].button for one in box.said[since:] if one["what"] == "claim"]
    if pair and fit:
        seen.pairs += 1
        seen.wrong += claims != [first, second]
    elif pair:
        seen.unfit += 1


def _pair(box: Box, first: int, second: int, gap: float, seed: int) -> bool:
    """The first bounces for 3 ms, the second is clean; False if this thread could not keep to that."""
    start = time.monotonic()
    plan = [(0.0, first, True), (gap, second, True)]
    plan += [(after, first, bool(n % 2)) for n, after in enumerate(bounce(seed))]
    stamps = []
    for after, button, down in sorted(plan):
        while time.monotonic() < start + after:
            pass
        pin = box.button(button)
        (pin.drive_low if down else pin.drive_high)()
        if button == first:
            stamps.append(time.monotonic())
    return all(later - earlier < SETTLE for earlier, later in pairwise(stamps))


def _calls(repeats: int) -> tuple[Sample, Sample]:
    """From the call to the pin's change: our Stop and gpiozero's TonalBuzzer, in turn."""
    factory = MockFactory(pin_class=DatedPin)
    ours = Buzzer(DEFAULT_PINS.buzzer, factory, Guard("pins"))
    stock = gpiozero.TonalBuzzer(DEFAULT_PINS.lamps[0], pin_factory=factory)
    tone = gpiozero.tones.Tone(frequency=440.0)

    def delay(pin: DatedPin, act: Callable[[], object]) -> float:
        began = time.monotonic()
        act()
        return next(iter(pin.since(began)))

    mine, theirs = [], []
    for _ in range(repeats):
        mine.append(delay(factory.pin(DEFAULT_PINS.buzzer), lambda: ours.play("stop")))
        theirs.append(delay(factory.pin(DEFAULT_PINS.lamps[0]), lambda: stock.play(tone)))
        ours.silence()
        stock.stop()
    ours.close()
    stock.close()
    factory.close()
    return Sample.of(mine), Sample.of(theirs)
