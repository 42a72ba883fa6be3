"""Item 4: how often the box's threads wake, as the kernel counts it, in scenes that stand still and in a race.

`python -m tests.bench.quiet` is the box being watched: a process of its own that is told which buttons to press.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PIL import Image

from device.config import load
from device.game.chance import SeededChance
from device.notify import Notify
from device.parts.board import open_factory
from device.parts.oled import DisplaySettings, Oled, open_oled
from device.parts.pins import DEFAULT_PINS
from device.service import Service
from device.simulator.chip import Chip
from device.store import Store
from tests.bench.one_loop import OneLoop
from tests.bench.results import Row, Run

ROOT = Path(__file__).parents[2]
WATCHDOG = 10
"""Seconds: WatchdogSec of the unit, systemd/ubongo-box.service."""
OURS = ("loop", "display", "store")
AT_REST = 2.0
SPREAD = 1.2
SPAN = 5.0
"""Seconds a scene is watched."""
BUTTONS = DEFAULT_PINS.buttons


@dataclass(frozen=True, slots=True)
class Woke:
    """What happened in so many seconds.

    ours, everything: how often our own threads by name, and all threads, went to sleep as the kernel counts it: waits
    for the card and turns taken with the interpreter included. pictures: that changed; drawn: that were drawn; loop:
    how often the loop came out of its wait.
    """

    seconds: float
    ours: Mapping[str, int]
    everything: int
    pictures: int
    loop: int
    drawn: int

    @property
    def text(self) -> str:
        """A second, as the kernel counts it."""
        by_name = ", ".join(f"{name} {n / self.seconds:.1f}" for name, n in self.ours.items() if n)
        ours = sum(self.ours.values())
        return f"{ours / self.seconds:.1f} ({by_name}), the whole process {self.everything / self.seconds:.1f}"

    @property
    def quiet(self) -> bool:
        """At most AT_REST a second. One more may be the begin of a span that ends in one."""
        return sum(self.ours.values()) <= AT_REST * self.seconds + 1


class Watched:
    """The box in its process, seen from outside."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self.ask()

    def ask(self, *words: object) -> dict[str, Any]:
        """Press buttons (`press 1 0.1`) or only hear what it has counted: pictures, scene, threads by name."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(*words, file=self._process.stdin, flush=True)
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError("the box that is watched has ended")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def press(self, button: int, seconds: float = 0.1) -> None:
        """Down, and up."""
        self.ask("press", button, seconds)

    def until(self, scene: str) -> None:
        """Until it is in this scene."""
        end = time.monotonic() + 60.0
        while self.ask()["scene"] != scene:
            if time.monotonic() > end:
                raise TimeoutError(f"the box never came to {scene}")
            time.sleep(0.05)

    def wakes(self, seconds: float) -> Woke:
        """How often its threads went to sleep again, and how often its picture changed."""
        answer = self.ask()
        threads: dict[str, str] = answer["threads"]
        time.sleep(0.05)  # what the question itself woke
        before, began = self._switches(), time.monotonic()
        time.sleep(seconds)
        after, took = self._switches(), time.monotonic() - began
        later = self.ask()
        counted = [int(later[what]) - int(answer[what]) for what in ("pictures", "loop", "drawn")]
        woke = {thread: after[thread] - before.get(thread, 0) for thread in after}
        by_name = {name: sum(n for thread, n in woke.items() if threads.get(thread) == name) for name in OURS}
        return Woke(took, by_name, sum(woke.values()), *counted)

    def _switches(self) -> dict[str, int]:
        return {task.name: switches(task / "status") for task in Path(f"/proc/{self._process.pid}/task").iterdir()}


def switches(status: Path) -> int:
    """How often this thread has gone to sleep of itself."""
    for line in status.read_text().splitlines():
        if line.startswith("voluntary_ctxt_switches:"):
            return int(line.split()[1])
    raise ValueError(f"{status} does not say")


@contextmanager
def watched() -> Iterator[Watched]:
    """A box under a watchdog, as systemd would run it, in the lobby."""
    with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(f"{folder}/notify")
        environ = {**os.environ, "NOTIFY_SOCKET": f"{folder}/notify", "WATCHDOG_USEC": str(WATCHDOG * 1_000_000)}
        environ.pop("WATCHDOG_PID", None)
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.bench.quiet", folder],
            cwd=ROOT,
            env=environ,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            yield Watched(process)
        finally:
            assert process.stdin is not None
            process.stdin.close()
            process.wait(30)
            assert process.stdout is not None
            process.stdout.close()


def measure(run: Run) -> list[Row]:
    """Item 4, as far as mock pins show it."""
    if not Path("/proc/self/task").is_dir():
        return [Row(4, "wake-ups a second", "needs Linux's /proc")]
    span = SPAN if not run.quick else 0.5
    rows = []
    with watched() as box:
        for scene in ("lobby", "ready", "race", "scores"):
            _to(box, scene)
            time.sleep(1.0)
            woke = box.wakes(span)
            if scene == "race":
                loop, drawn, pictures = (n / woke.seconds for n in (woke.loop, woke.drawn, woke.pictures))
                once = max(woke.loop, woke.drawn) <= woke.pictures * SPREAD + 1
                said = f"loop {loop:.1f}, drawn {drawn:.1f}, pictures that changed {pictures:.1f}"
                rows.append(Row(4, "a second of the race", said, "", "", "once a picture", once))
                rows.append(Row(4, f"wake-ups a second, {scene}", woke.text, _one_loop(run)))
            else:
                rows.append(Row(4, f"wake-ups a second, {scene}", woke.text, goal="ours ≤ 2", met=woke.quiet))
    return rows


def _to(box: Watched, scene: str) -> None:
    """From the scene before."""
    if scene == "ready":
        for button in (1, 2, 3, 4):
            box.press(button)
        box.press(1, 1.7)
        box.until("youngest")
        box.press(1)
    elif scene == "race":
        box.press(1)
    elif scene == "scores":
        for button in (1, 2, 3, 4):
            box.press(button)
        box.until("check")
        time.sleep(2.1)
        box.press(1)
    box.until(scene)


def _one_loop(run: Run) -> str:
    loop, seconds = OneLoop(), 0.3 if run.quick else 3.0
    status = Path("/proc/thread-self/status")
    before = switches(status)
    loop.race(seconds, 0.1)
    after = switches(status)
    loop.close()
    return f"one loop {(after - before) / seconds:.1f}"


class CountedService(Service):
    """The box; counts how often its loop has waited."""

    woken = 0

    def _wait(self, seconds: float) -> None:
        super()._wait(seconds)
        self.woken += seconds > 0


class Counted:
    """The box's Oled; counts the pictures that are not the one before."""

    def __init__(self, oled: Oled) -> None:
        self._oled = oled
        self._last = b""
        self.changed = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._oled, name)

    def show(self, picture: Image.Image) -> None:
        """See Oled.show."""
        data = picture.tobytes()
        self.changed += data != self._last
        self._last = data
        self._oled.show(picture)


def main(folder: str) -> None:
    """The process being watched: the service in its main thread, as in the box."""
    factory = open_factory("mock")
    counted: list[Any] = []
    scenes = [""]

    def connect() -> Any:
        counted[:] = [Counted(open_oled(DisplaySettings(), line=Chip()))]
        return counted[0]

    def say(one: dict[str, Any]) -> None:
        if one["what"] == "scene":
            scenes[0] = one["scene"]

    service = CountedService(
        load(None, fallback=None, overrides={"scoring": "no-luck"}),
        Store(Path(folder) / "box.sqlite"),
        factory,
        connect,
        chance=SeededChance(1),
        say=say,
        notify=Notify(),
    )

    def obey() -> None:
        for line in sys.stdin:
            words = line.split()
            if words:
                pin = factory.pin(BUTTONS[int(words[1]) - 1])
                pin.drive_low()
                time.sleep(float(words[2]))
                pin.drive_high()
                time.sleep(0.05)
            threads = {str(thread.native_id): thread.name for thread in threading.enumerate()}
            threads[str(threading.main_thread().native_id)] = "loop"
            pictures, drawn = (counted[0].changed, counted[0].frames) if counted else (0, 0)
            answer = {"scene": scenes[0], "threads": threads, "pictures": pictures, "drawn": drawn}
            print(json.dumps({**answer, "loop": service.woken}), flush=True)
        service.stop()

    threading.Thread(target=obey, daemon=True).start()
    sys.setswitchinterval(0.0005)
    service.run()


if __name__ == "__main__":
    main(sys.argv[1])
