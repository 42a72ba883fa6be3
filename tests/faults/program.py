"""`ubongo-box run` as it is, but on mock pins that standard input presses, and with a modelled display.

Lines on standard input: "press 1", "down 1 2 3", "up 1 2 3", "hang" (card and bus). Lines on standard output: what
the box says, as JSON; at the very end {"end": [buzzer, [lamps], display]}.
"""

from __future__ import annotations

import argparse
import json
import signal
import sys
import threading
import time
from functools import partial
from pathlib import Path
from typing import Any

import device.run
from device.parts import board, oled
from device.parts.pins import DEFAULT_PINS
from device.simulator.chip import Chip
from device.store import Store
from device.table import gestures, results, table
from tests.faults import rig


def main() -> int:
    """Arguments: the store, an edition, seconds after which it falls asleep, "deaf" for a loop no signal wakes.

    "deaf": a signal finds the main thread as one does that comes just before it goes to wait. It is taken, here by
    another thread, and ends no wait.
    """
    store, edition, sleep = Path(sys.argv[1]), sys.argv[2], float(sys.argv[3])
    table.SLEEP_AFTER, results.LOOK, gestures.HOLD, gestures.MENU = sleep, rig.LOOK, rig.HOLD, rig.MENU
    factory, chip = board.open_factory("mock"), Chip()
    real = oled.open_oled
    setattr(board, "open_factory", lambda _=None: factory)  # noqa: B010 - a function of the module itself
    oled.open_oled = lambda *_, **__: real(oled.DisplaySettings(), line=chip)
    setattr(device.run, "notices", say)  # noqa: B010 - a name that is no export of that module
    setattr(factory, "close", lambda: None)  # noqa: B010 - the pins are looked at once more
    threading.Thread(target=partial(listen, factory, chip), daemon=True).start()
    if "deaf" in sys.argv[4:]:
        # The thread that listens has been started: it is the one that signals are left to.
        signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGTERM, signal.SIGUSR1))
    overrides = {"pins.pin_factory": "mock", "edition": edition, "glass_seconds": 600}
    code = device.run.command(argparse.Namespace(store=store, config=None, overrides=overrides))
    lamps = [factory.pin(pin).state for pin in DEFAULT_PINS.lamps]
    print(json.dumps({"end": [factory.pin(DEFAULT_PINS.buzzer).state, lamps, chip.lit]}), flush=True)
    return code


def say(one: dict[str, Any]) -> None:
    """One line."""
    print(json.dumps(one), flush=True)


def listen(factory: Any, chip: Chip) -> None:
    """Fingers."""
    for line in sys.stdin:
        verb, *words = line.split()
        pins = [factory.pin(DEFAULT_PINS.buttons[int(word) - 1]) for word in words]
        if verb == "hang":
            chip.stall = 1000.0
            setattr(Store, "flush", lambda _: time.sleep(1000.0))  # noqa: B010 - a method of the class itself
            say({"what": "hangs"})
        for pin in pins if verb in ("press", "down") else ():
            pin.drive_low()
        if verb == "press":
            time.sleep(0.05)
        for pin in pins if verb in ("press", "up") else ():
            pin.drive_high()
        time.sleep(0.04)


if __name__ == "__main__":
    sys.exit(main())
