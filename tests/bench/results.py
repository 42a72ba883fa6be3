"""What was measured, as rows of the table. A goal is met or not by its figures alone; no verdict is written by hand."""

from __future__ import annotations

import math
import os
import platform
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

UNITS = {"s": 1.0, "ms": 1e3, "µs": 1e6}


@dataclass(frozen=True, slots=True)
class Sample:
    """Repeats of one figure."""

    values: tuple[float, ...]

    @classmethod
    def of(cls, values: Iterable[float]) -> Sample:
        """The values, sorted; there must be one at least."""
        return cls(tuple(sorted(values)))

    @property
    def median(self) -> float:
        """The one in the middle."""
        return statistics.median(self.values)

    @property
    def most(self) -> float:
        """The largest."""
        return self.values[-1]

    def percentile(self, percent: float) -> float:
        """The smallest value that so many per cent do not exceed."""
        return self.values[max(0, math.ceil(len(self.values) * percent / 100) - 1)]

    def text(self, unit: str, digits: int = 3) -> str:
        """Median and, in brackets, least and most, in "s", "ms" or "µs" (values are seconds) or another unit."""
        scale = UNITS.get(unit, 1.0)
        low, middle, high = (plain(v * scale, digits) for v in (self.values[0], self.median, self.values[-1]))
        return f"{middle} ({low}–{high}) {unit}" if low != high else f"{middle} {unit}"

    def tail(self, unit: str = "ms") -> str:
        """Median, 99th percentile and most: how late something is."""
        scale = UNITS[unit]
        figures = (("p50", self.median), ("p99", self.percentile(99)), ("max", self.most))
        return " · ".join(f"{name} {plain(v * scale, 3)}" for name, v in figures) + f" {unit}"


def plain(value: float, digits: int = 3) -> str:
    """So many significant digits, without an exponent."""
    if value == 0 or not math.isfinite(value):
        return "0" if value == 0 else "–"
    places = max(0, digits - 1 - math.floor(math.log10(abs(value))))
    return f"{value:,.{places}f}"


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table. met: None where there is no goal, or nothing here that could decide it."""

    item: int
    what: str
    ours: str
    peer: str = ""
    ratio: str = ""
    goal: str = ""
    met: bool | None = None

    @property
    def verdict(self) -> str:
        """What the last column says."""
        return {True: "met", False: "**not met**", None: ""}[self.met]


@dataclass(frozen=True, slots=True)
class Run:
    """How thoroughly: quick only proves that the bench itself works."""

    quick: bool = False

    def __call__(self, full: int, quick: int) -> int:
        """So many repeats."""
        return quick if self.quick else full


TITLES = {1: "OLED path", 2: "Stop", 3: "press, lamp, order", 4: "quiet", 5: "start", 6: "scale"}
HEADER = ("", "ours", "peer", "ratio", "goal", "")


def table(rows: Sequence[Row], seconds: float, quick: bool = False) -> str:
    """The rows as Markdown, with date and machine above and how long it took below."""
    head = "A quick run: its figures mean nothing." if quick else machine()
    lines = [head, "", f"| {' | '.join(HEADER)} |", f"|{'---|' * len(HEADER)}"]
    item = 0
    for row in rows:
        if row.item != item:
            item = row.item
            lines.append(f"| **{item} {TITLES[item]}** |{' |' * (len(HEADER) - 1)}")
        cells = (row.what, row.ours, row.peer, row.ratio, row.goal, row.verdict)
        lines.append(f"| {' | '.join(cells)} |")
    goals = [row for row in rows if row.met is not None]
    met = sum(bool(row.met) for row in goals)
    lines += ["", f"{met} of {len(goals)} goals met; measured in {seconds:.0f} s."]
    return "\n".join(lines) + "\n"


def machine() -> str:
    """Date, processor, Python; nothing that names the computer."""
    return (
        f"Measured on {date.today().isoformat()}: {processor()}, {processors()} cores,"
        f" {platform.system()} {platform.machine()}, Python {platform.python_version()}. Median (least–most) of"
        " interleaved repeats; times are CPU time unless they are delays."
    )


def processors() -> int:
    """Cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def processor() -> str:
    """The processor's model name."""
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text("utf-8", "replace").splitlines() if cpuinfo.is_file() else []
    said = {name.strip(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    # A Pi says what it is under "Model".
    return said.get("Model") or said.get("model name") or platform.processor() or "unknown processor"
