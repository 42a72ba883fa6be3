"""Instructions instead of seconds, where a noisy machine hides what a change costs: callgrind's, in a process apart.

`python -m tests.bench.counts` is that process: it does one thing after the other, with a call of getsid between
them, at which callgrind writes down what it has counted so far.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.bench.results import Row, Run

FRAMES = 8
ROOT = Path(__file__).parents[2]
SUBJECTS = ("luma ssd1306", "luma sh1106", "ours ssd1306", "ours sh1106", "draw")
TIMEOUT = 240.0


def available() -> bool:
    """Whether there is a valgrind."""
    return shutil.which("valgrind") is not None


def missing(run: Run) -> str:
    """Why there are no counts."""
    return "left out of a quick run" if run.quick else "no valgrind here"


def instructions(arguments: Sequence[str], environ: Mapping[str, str] = os.environ) -> list[int] | None:
    """Instructions of `python ARGUMENTS` between its calls of getsid; None if they can't be had."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        command = ["valgrind", "--tool=callgrind", "--dump-before=getsid", f"--callgrind-out-file={out}"]
        try:
            subprocess.run(
                [*command, sys.executable, *arguments],
                check=True,
                cwd=ROOT,
                env={**environ, "PYTHONHASHSEED": "0"},
                timeout=TIMEOUT,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
        except (OSError, subprocess.SubprocessError):
            return None
        # Numbered in the order of the dumps; the one without a number is what came after the last.
        numbered = sorted(Path(folder).glob("out.*"), key=lambda path: int(path.suffix[1:]))
        return [_total(path) for path in (*numbered, out) if path.is_file()]


def _total(path: Path) -> int:
    for line in path.read_text("utf-8", "replace").splitlines():
        name, _, value = line.partition(":")
        if name == "totals":
            return int(value)
    return 0


def measure_oled(run: Run) -> list[Row]:
    """Item 1 in instructions a frame."""
    if run.quick or not available():
        return [Row(1, "instructions a frame", missing(run))]
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
