"""A long evening: 24 hours by rehearsal, and the real service for an hour (in CI: seconds) by the clock on the wall.

Nothing may grow: memory, threads, handles, wake-ups. At the end it is silent and dark.
"""

from __future__ import annotations

import ctypes
import gc
import os
import random
import threading
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from device.config import load
from device.game.chance import SeededChance
from device.prepare import table_settings
from device.rehearse import Rehearsal
from device.script import Script, Step
from device.store import Store
from device.table.menu import ITEMS
from tests.faults.rig import Box
from tests.soak.report import Budget, Result

HOURS, SHORT_HOURS = 24, 4
REAL, SHORT_REAL = 3600.0, 20.0
END = ITEMS.index("end")
EDITIONS = ("classic", "lines", "extreme-fun-size", "duel")


def fingers(rng: random.Random, hours: float) -> Script:
    """A family at play: presses a second or two apart, holds, the menu now and then, breaks in which it sleeps."""
    steps: list[Step] = []
    at = 1.0

    def tap(button: int, seconds: float) -> None:
        steps.append(Step(round(at, 4), "edge", button, True))
        steps.append(Step(round(at + seconds, 4), "edge", button, False))

    while at < hours * 3600:
        kind = rng.random()
        button = rng.randrange(1, 5)
        if kind < 0.84:
            tap(button, 0.08)
            at += rng.choice((0.2, 0.5, 1.0, 2.5))
        elif kind < 0.92:
            tap(button, 1.6)
            at += 1.8
        elif kind < 0.94:
            for other in rng.sample((1, 2, 3, 4), 3):
                tap(other, 2.2)
            at += 2.4
        elif kind < 0.995:
            at += rng.choice((3.0, 6.0, 15.0))
        else:
            at += rng.choice((60.0, 400.0, 1500.0))
    steps.sort(key=lambda step: step.at)
    return Script(tuple(steps), frozenset(), hours * 3600 + 2000.0)


def by_rehearsal(budget: Budget) -> Result:
    """24 hours in virtual time."""
    hours = SHORT_HOURS if budget.short else HOURS
    result = Result(f"a long evening: {hours} hours by rehearsal")
    rng = random.Random(budget.seed)
    settings = table_settings(
        load(None, fallback=None, overrides={"edition": EDITIONS[budget.seed % 4], "glass_seconds": 20})
    )
    script = fingers(rng, hours)
    counts: dict[str, int] = {}
    last: dict[str, Any] = {}

    def say(one: dict[str, Any]) -> None:
        counts[one["what"]] = counts.get(one["what"], 0) + 1
        last.update(one)

    with TemporaryDirectory(prefix="ubongo-evening-") as folder:
        store = Store(Path(folder) / "box.sqlite")
        rehearsal = Rehearsal(script, settings, store, SeededChance(budget.seed), say)
        hour, objects = 0, list[int]()
        for step in script.steps:
            rehearsal.play(step)
            if step.at >= (hour + 1) * 3600:
                hour += 1
                gc.collect()
                objects.append(len(gc.get_objects()))
        rehearsal.until(script.end)
        store.close()
    result.count = len(script.steps)
    # The first hours fill caches of fonts and pictures; after them it stays as it is.
    third = hours // 3
    early, late = max(objects[1 : 1 + third]), min(objects[-third:])
    if late > early * 1.1:
        result.wrong(budget.seed, f"memory grows: at most {early} objects early on, at least {late} in the last third")
    if not counts.get("final"):
        result.wrong(budget.seed, f"no match was ever over: {counts}")
    if last.get("scene") != "asleep" or rehearsal.table.lamps.lit or rehearsal.table.lamps.blinking:
        result.wrong(budget.seed, f"left alone it does not sleep: {last}")
    result.remark = (
        f"{counts.get('started', 0)} matches begun, {counts.get('final', 0)} over; objects {early} then {late}"
    )
    return result


class Readings:
    """What may not grow."""

    def __init__(self, box: Box, passes: list[int]) -> None:
        _forget(box)
        gc.collect()
        # What was freed is given back before it is measured: a heap keeps its holes.
        if hasattr(libc := ctypes.CDLL(None), "malloc_trim"):
            libc.malloc_trim(0)
        self.threads = threading.active_count()
        self.handles = len(os.listdir("/proc/self/fd"))
        self.objects = len(gc.get_objects())
        self.resident = int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20
        self.passes = _idle(box, passes)


def _forget(box: Box) -> None:
    """Drop what only the trial keeps: mock pins remember every state they ever had, and a tone is 880 a second."""
    for pin in (*box.pins.buttons, *box.pins.lamps, box.pins.buzzer):
        box.factory.pin(pin).clear_states()
    box.said.clear()


def _idle(box: Box, passes: list[int], seconds: float = 2.0) -> float:
    """Passes of the loop a second while nobody presses, in the lobby."""
    del box
    before, began = passes[0], time.monotonic()
    time.sleep(seconds)
    return (passes[0] - before) / (time.monotonic() - began)


def _home(box: Box) -> None:
    """Back to the lobby from wherever it is: the menu, and what ends a match."""
    box.up(1, 2, 3, 4)
    for _ in range(60):
        time.sleep(0.2)
        here = box.service._table.e
        if box.service._table.asleep or here.overlay == "paused":
            box.press(1)
        elif here.overlay == "resume" or (not here.overlay and here.scene in ("youngest", "final")):
            box.hold(1)
        elif here.overlay == "menu" and here.cursor == END and here.head is not None:
            box.press(3)
        elif here.overlay == "menu" and here.head is not None:
            box.press(2)
        elif here.overlay:
            box.press(4)
        elif here.scene == "lobby":
            return
        elif here.scene == "count":
            box.hold(1, 2)
        elif here.scene == "alone" and here.head is None:
            box.press(4)
        else:
            box.hold(1, 2, 3)
    raise AssertionError(f"no way home from {here}")


def real(budget: Budget) -> Result:
    """The service by the wall's clock, mashed all the while."""
    seconds = SHORT_REAL if budget.short else min(REAL, max(SHORT_REAL, budget.seconds - 60.0))
    result = Result(f"a long evening: {seconds / 60:.1f} real minutes of the service")
    rng, passes = random.Random(budget.seed), [0]
    with TemporaryDirectory(prefix="ubongo-hour-") as folder:
        box = Box(Path(folder) / "box.sqlite", scripts=Path(folder))
        work = box.service._work

        def counted(now: float) -> None:
            passes[0] += 1
            work(now)

        box.service._work = counted  # type: ignore[method-assign]
        with box:
            _mash(box, rng, 3.0)
            _home(box)
            first = Readings(box, passes)
            errors: list[str] = []
            end = time.monotonic() + seconds
            while time.monotonic() < end:
                result.count += _mash(box, rng, min(5.0, end - time.monotonic()))
                errors += box.notices("error")
                _forget(box)
            _home(box)
            errors += box.notices("error")
            last = Readings(box, passes)
            if box.buzzes:
                result.wrong(budget.seed, "it sounds though nothing has happened for seconds")
        if not box.dark:
            result.wrong(budget.seed, f"at the end: buzzer {box.buzzes}, lamps {box.lit}, display {box.chip.lit}")
    result.remark = (
        f"threads {first.threads}/{last.threads}, handles {first.handles}/{last.handles},"
        f" passes a second {first.passes:.1f}/{last.passes:.1f}, MiB {first.resident:.1f}/{last.resident:.1f},"
        f" objects {first.objects:,}/{last.objects:,}"
    )
    if errors:
        result.wrong(budget.seed, f"unexpected errors: {errors}")
    if (last.threads, last.handles) != (first.threads, first.handles):
        result.wrong(budget.seed, result.remark)
    # The lobby's lamps blink twice a second; a busy machine adds nothing to the number of passes.
    if last.passes > first.passes + 3:
        result.wrong(budget.seed, f"it wakes more often: {result.remark}")
    if last.resident > first.resident + 16:
        result.wrong(budget.seed, f"memory grows: {result.remark}")
    return result


def _mash(box: Box, rng: random.Random, seconds: float) -> int:
    """Press this and that for so long; gives how many edges that were."""
    edges, end = 0, time.monotonic() + seconds
    while time.monotonic() < end:
        kind = rng.random()
        lit = [n for n, on in enumerate(box.lit, 1) if on]
        if kind < 0.7 and lit:
            box.press(rng.choice(lit), seconds=0.03)
            edges += 2
        elif kind < 0.9:
            box.press(rng.randrange(1, 5), seconds=0.03)
            edges += 2
        elif kind < 0.93:
            box.hold(rng.randrange(1, 5))
            edges += 2
        elif kind < 0.97:
            button = rng.randrange(1, 5)
            for _ in range(20):
                box.down(button)
                box.up(button)
            edges += 40
        else:
            time.sleep(rng.choice((0.1, 0.5)))
    return edges
