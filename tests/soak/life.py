"""One life of a box: the real service on mock pins and a real store file, in a child that its parent will kill.

It writes down, line by line on a pipe, what it found in the store, what it hands to it, what the store has
acknowledged, and what it says to the players. A line is written before the thing is done (handed) or after
(acknowledged, said), so the parent's picture is never too good.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from gpiozero.pins.mock import MockFactory, MockPWMPin

import device.service
from device.config import load
from device.game.chance import SystemChance
from device.parts.oled import DisplaySettings, open_oled
from device.parts.pins import DEFAULT_PINS
from device.service import Service
from device.simulator.chip import Chip
from device.store import Store
from device.store_thread import StoreThread
from device.table import gestures, ready, results
from device.table.saves import Append, Begin, Finish, Mark, Save

LOOK, TUMBLE, HOLD, MENU = 0.2, 0.05, 0.2, 0.25
"""In place of 2, 0.7, 1.5 and 2 seconds: a life of half a second is to get somewhere."""


def begin(store: Path, seed: int, edition: str, read: int, write: int, commit: int = 0) -> int:
    """Fork a life that writes to the pipe `write`; gives its pid. It never returns in the child.

    commit: it kills itself while it commits this settled thing, the first, the second …, 0: never.
    """
    pid = os.fork()
    if pid:
        return pid
    code = 70
    try:
        os.close(read)
        live(store, seed, edition, write, commit)
        code = 0
    except BaseException:
        import traceback

        Pipe(write).line(defect=traceback.format_exc())
    finally:
        os._exit(code)


class Pipe:
    """Lines of JSON, each written whole."""

    def __init__(self, handle: int) -> None:
        self._handle = handle
        self._lock = threading.Lock()

    def line(self, **what: Any) -> None:
        data = json.dumps({**what, "at": time.monotonic()}).encode() + b"\n"
        with self._lock:
            while data:
                data = data[os.write(self._handle, data) :]


def plain(save: Save) -> list[Any]:
    """A save as JSON."""
    match save:
        case Begin(head):
            return ["begin", head]
        case Append(events, mark, settled):
            return ["append", list(events), mark, settled]
        case Mark(mark):
            return ["mark", mark]
        case Finish(outcome):
            return ["finish", outcome]
    return ["setting", save.key, save.value]


def _kill(asked: threading.Event, pipe: Pipe, seconds: float) -> None:
    asked.wait()
    time.sleep(seconds)
    pipe.line(killed=True)
    os.kill(os.getpid(), signal.SIGKILL)


def live(path: Path, seed: int, edition: str, write: int, commit: int = 0) -> None:
    """Be the box until SIGKILL (or SIGTERM, which ends it clean)."""
    pipe = Pipe(write)
    # What nobody expects to be printed is a line for the parent as well.
    read_error, write_error = os.pipe()
    os.dup2(write_error, 2)
    sys.stderr = os.fdopen(2, "w", buffering=1, closefd=False)
    threading.Thread(target=_errors, args=(read_error, pipe), daemon=True).start()
    results.LOOK, ready.TUMBLE, gestures.HOLD, gestures.MENU = LOOK, TUMBLE, HOLD, MENU

    asked, settled = threading.Event(), 0
    threading.Thread(target=_kill, args=(asked, pipe, random.Random(seed).random() * 0.004), daemon=True).start()

    class Watched(StoreThread):
        def save(self, saves: Sequence[Save], when: str) -> int:
            nonlocal settled
            pipe.line(handed=[plain(save) for save in saves])
            settled += any((isinstance(save, Append) and save.settled) or isinstance(save, Finish) for save in saves)
            if commit and settled == commit:
                asked.set()
            return super().save(saves, when)

        def _work(self, jobs: Sequence[Any], due: bool) -> str | None:
            trouble = super()._work(jobs, due)
            if jobs and trouble is None and not store.unsaved:
                pipe.line(done=jobs[-1].ticket)
            return trouble

    class Flushed(Store):
        def flush(self) -> None:
            if not self.unsaved:
                return
            pipe.line(flush=True)
            super().flush()
            pipe.line(flush=False)

    setattr(device.service, "StoreThread", Watched)  # noqa: B010 - a name that is no export of that module
    store = Flushed(path)
    running = store.running()
    kept = None if running is None else [running.head, list(running.events), running.mark]
    pipe.line(kept=kept, matches=len(store.past(1_000_000).matches), trouble=store.trouble)
    overrides = {"edition": edition, "glass_seconds": 5, "bag": "cloth" if seed % 2 else "box"}
    effective = load(None, fallback=None, overrides=overrides)
    scene, joined = [""], set[str]()

    def say(one: dict[str, Any]) -> None:
        pipe.line(said=one)
        scene[0] = one.get("scene", scene[0])
        if one["what"] in ("joined", "left"):
            (joined.add if one["what"] == "joined" else joined.discard)(one["player"])

    factory, chip = MockFactory(pin_class=MockPWMPin), Chip()
    service = Service(
        effective,
        store,
        factory,
        lambda: open_oled(DisplaySettings(), line=chip),
        chance=SystemChance(),
        say=say,
    )
    signal.signal(signal.SIGTERM, lambda *_: service.stop())
    player = threading.Thread(target=_play, args=(factory, seed, scene, joined), daemon=True)
    player.start()
    service.run()
    buzzer = factory.pin(DEFAULT_PINS.buzzer).state
    lamps = [factory.pin(pin).state for pin in DEFAULT_PINS.lamps]
    pipe.line(end=[buzzer, lamps, chip.lit])


def _errors(handle: int, pipe: Pipe) -> None:
    with os.fdopen(handle) as lines:
        for line in lines:
            pipe.line(error=line.rstrip())


def _play(factory: MockFactory, seed: int, scene: list[str], joined: set[str]) -> None:
    """Fingers: mostly what the lamps ask for, and whatever else a table full of children does."""
    rng = random.Random(seed)
    buttons, lamps = DEFAULT_PINS.buttons, DEFAULT_PINS.lamps
    while not scene[0]:
        time.sleep(0.005)

    def press(chosen: Sequence[int], seconds: float) -> None:
        for n in chosen:
            factory.pin(buttons[n]).drive_low()
        time.sleep(seconds)
        for n in chosen:
            factory.pin(buttons[n]).drive_high()
        time.sleep(0.03)

    while True:
        kind = rng.random()
        lit = [n for n in range(4) if factory.pin(lamps[n]).state]
        try:
            if scene[0] == "lobby" and kind < 0.9:
                # A table of two or more, so that there are gems to lose.
                enough = len(joined) >= rng.choice((1, 2, 2, 3, 4))
                press([rng.randrange(4)], HOLD + 0.05 if enough else 0.035)
            elif kind < 0.8 and lit:
                press([rng.choice(lit)], 0.035)
            elif kind < 0.88:
                press([rng.randrange(4)], 0.035)
            elif kind < 0.90:
                press([rng.randrange(4)], HOLD + 0.05)
            elif kind < 0.91:
                press(rng.sample(range(4), 3), MENU + 0.05)
            else:
                time.sleep(rng.random() * 0.2)
        except Exception:  # the service has closed its pins: this life is over
            return
