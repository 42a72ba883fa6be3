"""Items 1 and 5 in instructions, which a noisy machine counts as well as a quiet one.

`python -m tests.bench.counts` is what item 1 is counted of: it does one thing after the other, with a call of getsid
between them (see callgrind).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from tests.bench.callgrind import available, instructions
from tests.bench.results import Row, Run

FRAMES = 4
SUBJECTS = ("luma ssd1306", "luma sh1106", "ours ssd1306", "ours sh1106", "draw")


def measure(run: Run) -> list[Row]:
    """Side by side: nothing is timed here."""
    from tests.bench import start  # not for the process that is counted

    if run.quick or not available():
        why = "left out of a quick run" if run.quick else "no valgrind here"
        return [Row(item, "instructions", why) for item in (1, 5)]
    with ThreadPoolExecutor(2) as pool:
        frames = pool.submit(_frames)
        starts = pool.submit(start.measure_instructions)
        return [*frames.result(), *starts.result()]


def _frames() -> list[Row]:
    """A frame of each way."""
    found = instructions(["-m", "tests.bench.counts", str(FRAMES)])
    if found is None or len(found) < len(SUBJECTS) + 2:
        return [Row(1, "instructions a frame", "valgrind does not count here")]
    # The first dump is everything until the first subject.
    count = {name: found[number + 1] / FRAMES for number, name in enumerate(SUBJECTS)}
    rows = []
    for driver in ("ssd1306", "sh1106"):
        mine, stock = count[f"ours {driver}"], count[f"luma {driver}"]
        rows.append(_row(f"{driver}: picture → bus, instructions a frame", mine, stock, 9.0))
    rows.append(_row("draw a race frame and send it, instructions", count["draw"], count["luma ssd1306"], 2.0))
    return rows


def _row(what: str, mine: float, stock: float, goal: float) -> Row:
    ratio = stock / mine
    said = (f"{mine / 1e6:.3f} million", f"luma {stock / 1e6:.2f} million", f"{ratio:.1f} ×")
    return Row(1, what, *said, f"≥ {goal:.0f} ×", ratio >= goal)


def main(arguments: Sequence[str]) -> None:
    """The process apart."""
    from tests.bench import oled

    frames = int(arguments[0])
    glass = oled.Glass(2)
    # From the middle of the glass; each way has met its pictures before it is counted.
    works = {
        "luma ssd1306": oled.luma("ssd1306", glass.pictures),
        "luma sh1106": oled.luma("sh1106", glass.pictures),
        "ours ssd1306": oled.ours("ssd1306", glass.pictures),
        "ours sh1106": oled.ours("sh1106", glass.pictures),
        "draw": oled.drawn("ssd1306", glass.shows),
    }
    for name in SUBJECTS:
        works[name]()
    for name in SUBJECTS:
        work = works[name]
        os.getsid(0)
        for _ in range(frames):
            work()
    os.getsid(0)


if __name__ == "__main__":
    main(sys.argv[1:])
