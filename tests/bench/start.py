"""Item 5: what a start costs, beside the floor of importing and building the same parts (see child.py)."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from contextlib import AbstractContextManager
from pathlib import Path

from tests.bench.callgrind import instructions
from tests.bench.results import Row, Run, Sample

ROOT = Path(__file__).parents[2]
CHILD = Path(__file__).with_name("child.py")
CPU_GOAL, MEMORY_GOAL = 1.5, 1.3


class Starts:
    """Starts of the box and of the floor, with the program compiled as an installation has it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.environ = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONPYCACHEPREFIX": str(folder / "compiled")}
        for name in ("PYTHONDONTWRITEBYTECODE", "NOTIFY_SOCKET", "WATCHDOG_USEC"):
            self.environ.pop(name, None)

    def command(self, what: str) -> list[str]:
        """What to run: Python without a script's own folder in its path."""
        return ["-P", str(CHILD), what, str(self._folder / "box.sqlite")]

    def once(self, what: str) -> list[float]:
        """CPU seconds until ready and until its picture, peak memory in MiB, modules of others and of ours."""
        done = subprocess.run(
            [sys.executable, *self.command(what)],
            env=self.environ,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=120,
            check=True,
            text=True,
        )
        ready, shown, peak, others, ours = (float(word) for word in done.stdout.split())
        return [ready, shown, peak / 1024, others, ours]


def _folder() -> AbstractContextManager[str]:
    return tempfile.TemporaryDirectory()


def measure(run: Run) -> list[Row]:
    """Item 5 in seconds and MiB."""
    found: dict[str, list[list[float]]] = {"bare": [], "floor": [], "box": []}
    with _folder() as folder:
        starts = Starts(Path(folder))
        for what in found:
            starts.once(what)  # compiles
        for _ in range(run(9, 1)):
            for what, repeats in found.items():
                repeats.append(starts.once(what))
    ready, shown, peak = (Sample.of(repeat[n] for repeat in found["box"]) for n in range(3))
    floor, floor_peak = (Sample.of(repeat[n] for repeat in found["floor"]) for n in (1, 2))
    bare = Sample.of(repeat[1] for repeat in found["bare"])
    others, ours = (int(found["box"][0][n]) for n in (3, 4))
    ratio, memory = shown.median / floor.median, peak.median / floor_peak.median
    return [
        Row(
            5,
            "process → READY and first picture sent, CPU",
            shown.text("ms"),
            f"floor {floor.text('ms')}",
            f"{ratio:.2f} ×",
            f"≤ {CPU_GOAL} ×",
            ratio <= CPU_GOAL,
        ),
        Row(5, "of that until READY: the buttons answer", ready.text("ms"), f"bare Python {bare.text('ms')}"),
        Row(
            5,
            "peak memory",
            peak.text("MiB"),
            f"floor {floor_peak.text('MiB')}",
            f"{memory:.2f} ×",
            f"≤ {MEMORY_GOAL} ×",
            memory <= MEMORY_GOAL,
        ),
        Row(5, "modules imported", f"{others} of others, {ours} of its own", f"floor {int(found['floor'][0][3])}"),
    ]


def measure_instructions() -> list[Row]:
    """Item 5 in instructions, once each."""
    what = "process → READY and first picture sent, instructions"
    with _folder() as folder:
        starts = Starts(Path(folder))
        count = {}
        for part in ("floor", "box"):
            starts.once(part)
            counted = instructions(starts.command(part), starts.environ)
            if counted is None:
                return [Row(5, what, "valgrind does not count here")]
            count[part] = sum(counted)
    ratio = count["box"] / count["floor"]
    said = (f"{count['box'] / 1e6:,.0f} million", f"floor {count['floor'] / 1e6:,.0f} million", f"{ratio:.2f} ×")
    return [Row(5, what, *said, f"≤ {CPU_GOAL} ×", ratio <= CPU_GOAL)]
