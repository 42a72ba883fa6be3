"""Items 2 to 4 on the kernel's own lines: a virtual Raspberry Pi with the box deployed on it as on a real one.

`python -m tests.bench --virtual-pi DIR` builds the machine in DIR (a short path) and needs what tests/virtual_pi does.
The guest's Python is some 13 times slower than its host's, and so is all that is measured here.
"""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any

from device.parts.pins import DEFAULT_PINS
from tests.bench.load import EDITION
from tests.bench.results import Row, Run, Sample
from tests.virtual_pi.machine import VirtualPi, lacking

PORT = int(os.environ.get("UBONGO_VIRTUAL_PI_PORT", "2298"))
GUEST = Path(__file__).with_name("guest.py")
SPAN = 10
"""Seconds of waiting in which wake-ups are counted."""
PROGRAM = "/opt/ubongo-box/current"

QUIET = "virtual Pi: wake-ups a second of the whole process, lobby, four buttons waiting"
FEW = 60
"""Wake-ups a second that the box may have with four buttons waiting."""


def left_out() -> list[Row]:
    """What stands in the table where no virtual Pi was asked for."""
    how = "python -m tests.bench --virtual-pi DIR"
    return [Row(item, "virtual Pi: on the kernel's own lines", f"not measured: {how}") for item in (2, 3, 4)]


def measure(work: Path, run: Run) -> list[Row]:
    """What only lines of the kernel can tell. Leaves the machine switched off."""
    if why := lacking():
        return [Row(4, "the virtual Pi", why)]
    pi = VirtualPi(work, PORT)
    pi.fresh()
    try:
        done = pi.deploy("--wheels", str(pi.wheels))
        if done.returncode:
            raise RuntimeError(f"deploy.sh: {done.stdout[-1000:]}{done.stderr[-1000:]}")
        pi.write("/tmp/guest.py", GUEST.read_text("utf-8"))
        pi.write("/tmp/bench.toml", EDITION)
        rows = [_quiet(pi, run)]
        pi.ssh("systemctl stop ubongo-box")
        return [*rows, *_order(pi, run), *_stop(pi, run)]
    finally:
        pi.vm("stop")


def _act(pi: VirtualPi, what: str, number: int) -> dict[str, Any]:
    # The interpreter of the venv that deploy.sh has made, which stands in the program's first line.
    python = pi.ssh(f"head -1 {PROGRAM}/bin/ubongo-box").strip().removeprefix("#!")
    told = pi.ssh(f"cd /tmp && PYTHONPATH={PROGRAM} LG_WD=/tmp {python} /tmp/guest.py {what} {number}", timeout=900.0)
    answer: dict[str, Any] = json.loads(told.splitlines()[-1])
    return answer


def _quiet(pi: VirtualPi, run: Run) -> Row:
    pi.up()
    time.sleep(run(20, 5))
    counted = f"cat /proc/{pi.pid()}/task/*/status | awk '/^voluntary_ctxt_switches/ {{n += $2}} END {{print n}}'"
    before = int(pi.ssh(counted))
    began = time.monotonic()
    time.sleep(run(SPAN, 2))
    woke = (int(pi.ssh(counted)) - before) / (time.monotonic() - began)
    pi.ssh("systemctl stop ubongo-box")
    stock = float(_act(pi, "waiting", run(SPAN, 2))["woke"])
    pi.ssh("systemctl start ubongo-box")
    return Row(
        4,
        QUIET,
        f"{woke:.1f}",
        f"gpiozero on lgpio, buttons alone: {stock:,.0f}",
        f"{stock / max(woke, 0.1):.0f} ×",
        f"≤ {FEW}",
        woke <= FEW,
    )


def _order(pi: VirtualPi, run: Run) -> list[Row]:
    found = _act(pi, "order", run(100, 4))
    (wrong, judged), (theirs, of) = found["ours"], found["theirs"]
    return [
        Row(
            3,
            "virtual Pi: order, pairs 1 ms apart that were driven as planned, the first bounces 3 ms",
            f"{wrong} of {judged} wrong",
            f"gpiozero on lgpio with bounce_time=10 ms: {theirs} of {of} wrong",
            goal="0 wrong",
            met=not wrong if judged else None,
        )
    ]


def _stop(pi: VirtualPi, run: Run) -> list[Row]:
    pi.hw("record")
    calls = _act(pi, "calls", run(40, 2))
    written = pi.written(DEFAULT_PINS.buzzer)
    ours, theirs = (Sample.of(_first(written, at) for at in calls[who]) for who in ("ours", "theirs"))
    pi.hw("record")
    ends = _act(pi, "stop", run(25, 2))["ends"]
    written = pi.written(DEFAULT_PINS.buzzer)
    late = Sample.of(_first(written, end) for end in ends)
    return [
        Row(
            2,
            "virtual Pi: from the call of Stop to the line, by the kernel's trace",
            ours.tail(),
            f"TonalBuzzer.play() on lgpio: {theirs.tail()}",
            f"{theirs.median / ours.median:.0f} × at p50",
        ),
        Row(
            2,
            f"virtual Pi: from the sand's end to the line, {len(ends)} ends of the whole service, bus of 400 kHz",
            late.tail(),
        ),
    ]


def _first(written: list[tuple[float, int]], since: float) -> float:
    """Seconds until the line went up."""
    return next((at - since for at, level in written if at >= since and level), float("nan"))
