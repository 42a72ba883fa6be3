"""What the bench does inside the virtual Pi, on lines of the kernel. Run by `virtual` with the box's own Python there.

`python guest.py ACT N`: each act prints one JSON object. Buttons are pressed by writing to the simulated chip.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import gpiozero
from gpiozero.pins.lgpio import LGPIOFactory

from device.config import load
from device.parts.board import open_factory
from device.parts.buttons import Buttons
from device.parts.buzzer import Buzzer
from device.parts.guard import Guard
from device.parts.oled import DisplaySettings, open_oled
from device.parts.pins import DEFAULT_PINS
from device.service import Service
from device.store import Store
from device.table.contacts import Contacts
from device.table.edges import Edge

PULL = "/sys/devices/platform/gpio-sim.0/gpiochip0/sim_gpio%d/pull"
APART = 0.12
"""Seconds between two acts on the same buttons: whatever bounced has settled."""

# Presses in a process apart and ahead of all others, so that nothing comes between two of them. Input: one JSON list a
# line of [seconds, pin, down]; output: by how many seconds the latest of these came too late.
FINGERS = """
import json, os, sys, time
os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(20))
pulls = {}
for line in sys.stdin:
    plan = json.loads(line)
    for _, pin, _ in plan:
        if pin not in pulls:
            pulls[pin] = open("%s" %% pin, "wb", buffering=0)
    began, late = time.monotonic(), 0.0
    for after, pin, down in plan:
        while time.monotonic() < began + after:
            pass
        pulls[pin].write(b"pull-down" if down else b"pull-up")
        late = max(late, time.monotonic() - began - after)
    print(late, flush=True)
"""
LATE = 0.002
"""Seconds by which a press may come too late and still be the pair that was planned: a contact that is open for 3 ms
has really opened."""

EDITION = Path("/tmp/bench.toml")
"""What is played: laid there beforehand."""


class Fingers:
    """Whoever presses."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", FINGERS % PULL], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def __call__(self, plan: Iterable[tuple[float, int, bool]]) -> float:
        """Press as planned; gives by how many seconds the latest came too late."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(json.dumps(sorted(plan)), file=self._process.stdin, flush=True)
        return float(self._process.stdout.readline())

    def press(self, button: int, seconds: float = 0.1) -> None:
        """Button 1 to 4, down and up."""
        pin = DEFAULT_PINS.buttons[button - 1]
        self([(0.0, pin, True), (seconds, pin, False)])
        time.sleep(0.05)


def order(pairs: int) -> dict[str, Any]:
    """How often the second of two presses came first: the first bounces for 3 ms, the second is clean 1 ms later.

    Only pairs that were driven as planned are judged; gives how many those were as well.
    """
    fingers, draw = Fingers(), random.Random(1)
    pins = DEFAULT_PINS.buttons[:2]
    plans = []
    for number in range(pairs):
        first, second = pins if number % 2 else pins[::-1]
        # Half a millisecond apart: the simulated chip swallows two edges of one line that follow each other faster.
        bounces = [(n + draw.uniform(0.8, 1.2)) * 0.0005 for n in range(6)]
        plan = [(0.0, first, True), (0.001, second, True)]
        plans.append((first, plan + [(after, first, bool(n % 2)) for n, after in enumerate(bounces)]))
    up = [(0.0, pin, False) for pin in pins]

    def wrong(came: Callable[[], list[int]], clear: Callable[[], None]) -> tuple[int, int]:
        count = judged = 0
        for first, plan in plans:
            clear()
            late = fingers(plan)
            time.sleep(APART)
            if late < LATE:
                judged += 1
                count += came()[:1] != [first]
            fingers(up)
            time.sleep(APART)
        return count, judged

    # Stock gpiozero with the time that is recommended against bouncing.
    stock = LGPIOFactory()
    heard: list[int] = []
    buttons = [gpiozero.Button(pin, bounce_time=0.01, pin_factory=stock) for pin in pins]
    for pin, button in zip(pins, buttons, strict=True):
        button.when_pressed = lambda pin=pin: heard.append(pin)
    theirs = wrong(lambda: heard, heard.clear)
    for button in buttons:
        button.close()
    stock.close()

    factory = open_factory("auto")
    edges: list[Edge] = []
    ours = Buttons(DEFAULT_PINS.buttons, factory, edges.append, Guard("pins"))

    def decided() -> list[int]:
        contacts, came = Contacts(), []
        for edge in sorted(edges, key=lambda edge: edge.stamp):
            contacts.decide(edge.stamp)
            contacts.edge(edge)
        contacts.decide(time.monotonic())
        while contacts.next() is not None:
            came.append(DEFAULT_PINS.buttons[contacts.take().button - 1])
        return came

    mine = wrong(decided, edges.clear)
    ours.close()
    factory.close()
    return {"pairs": pairs, "ours": mine, "theirs": theirs}


def waiting(seconds: int) -> dict[str, Any]:
    """How often a process wakes that waits for four buttons with lgpio, by gpiozero's own factory."""
    factory = LGPIOFactory()
    buttons = [gpiozero.Button(pin, pin_factory=factory) for pin in DEFAULT_PINS.buttons]
    for button in buttons:
        button.when_pressed = lambda: None
    time.sleep(1.0)
    before = _switches()
    time.sleep(seconds)
    woke = (_switches() - before) / seconds
    for button in buttons:
        button.close()
    return {"woke": woke}


def _switches() -> int:
    total = 0
    for task in Path("/proc/self/task").iterdir():
        text = (task / "status").read_text()
        total += int(text.partition("\nvoluntary_ctxt_switches:")[2].split()[0])
    return total


def calls(repeats: int) -> dict[str, Any]:
    """When Stop was asked for, by our buzzer and by gpiozero's, on the same line: the kernel notes when it changed."""
    factory = open_factory("auto")
    buzzer = Buzzer(DEFAULT_PINS.buzzer, factory, Guard("pins"))
    ours = []
    for _ in range(repeats):
        ours.append(time.monotonic())
        buzzer.play("stop")
        time.sleep(0.15)
        buzzer.silence()
        time.sleep(0.1)
    buzzer.close()
    factory.close()
    stock = LGPIOFactory()
    tonal = gpiozero.TonalBuzzer(DEFAULT_PINS.buzzer, pin_factory=stock)
    theirs = []
    for _ in range(repeats):
        theirs.append(time.monotonic())
        tonal.play(gpiozero.tones.Tone(frequency=440.0))
        time.sleep(0.15)
        tonal.stop()
        time.sleep(0.1)
    tonal.close()
    stock.close()
    return {"ours": ours, "theirs": theirs}


def stop(ends: int) -> dict[str, Any]:
    """When the sand had run by the table's reckoning: the whole service on these pins and this bus, short glasses."""
    fingers, said, news = Fingers(), [], threading.Condition()

    def hear(one: dict[str, Any]) -> None:
        with news:
            said.append(one)
            news.notify_all()

    def until(what: str, value: object, since: int) -> None:
        with news:
            if not news.wait_for(lambda: any(one.get(what) == value for one in said[since:]), 60.0):
                raise TimeoutError(f"no {what} {value}")

    with tempfile.TemporaryDirectory() as folder:
        config = Path(folder) / "box.toml"
        config.write_text('edition = "bench"\n')
        config.with_name("bench.toml").write_text(EDITION.read_text())
        effective = load(config)
        changed: dict[str, Any] = {"glass_seconds": 0.5}
        effective = replace(effective, config=replace(effective.config, **changed))
        factory = open_factory("auto")
        display = DisplaySettings()
        store = Store(Path(folder) / "box.sqlite")
        service = Service(effective, store, factory, lambda: open_oled(display), say=hear)
        thread = threading.Thread(target=service.run)
        thread.start()
        until("scene", "lobby", 0)
        time.sleep(3.0)  # the display's first picture
        for button in (1, 2):
            fingers.press(button)
        fingers.press(1, 1.7)
        until("scene", "ready", 0)
        found = []
        for number in range(ends):
            since = len(said)
            if number:
                fingers.press(1)
                until("scene", "scores", since)
            fingers.press(1)
            until("scene", "race", since)
            time.sleep(0.1)
            fingers.press(2)
            until("scene", "check", since)
            found.append(service._table.e.stop)  # said nowhere
            time.sleep(2.3)
        service.stop()
        thread.join()
        factory.close()
    return {"ends": found}


if __name__ == "__main__":
    os.chdir(tempfile.gettempdir())  # where lgpio may leave what it leaves
    sys.setswitchinterval(0.0005)
    print(json.dumps({"order": order, "waiting": waiting, "calls": calls, "stop": stop}[sys.argv[1]](int(sys.argv[2]))))
