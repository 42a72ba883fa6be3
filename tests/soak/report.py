"""What a trial is given and what it gives back. No trial is here."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

MOST_TOLD = 5
"""Violations of one trial that are printed in full."""


@dataclass
class Budget:
    """How much a trial may do. short: the form that CI runs, by number; else until the `seconds` are over."""

    seed: int
    seconds: float = 0.0
    short: bool = False
    began: float = field(default_factory=time.monotonic)

    def left(self, done: int, short: int) -> bool:
        """Whether one more is to be tried after so many; `short`: how many there are in the short form."""
        return done < short if self.short else time.monotonic() < self.began + self.seconds


@dataclass
class Result:
    """what: was tried; count: how often; violations: (what to repeat it with, what was wrong); remark: measured."""

    what: str
    count: int = 0
    violations: list[tuple[str, str]] = field(default_factory=list)
    remark: str = ""
    skipped: str = ""

    def wrong(self, seed: object, what: str) -> None:
        """One violation; `seed` is what repeats it."""
        self.violations.append((str(seed), what))


def table(results: list[Result]) -> str:
    """The results as lines: what, how many, violations, seeds."""
    rows = [("what", "how many", "violations", "remark")]
    rows += [
        (r.what, "skipped" if r.skipped else f"{r.count:,}", str(len(r.violations)), r.skipped or r.remark)
        for r in results
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    lines = [
        "  ".join((row[0].ljust(widths[0]), row[1].rjust(widths[1]), row[2].rjust(widths[2]), row[3])) for row in rows
    ]
    for r in results:
        for seed, text in r.violations[:MOST_TOLD]:
            lines.append(f"\n{r.what}: seed {seed}: {text}")
    return "\n".join(line.rstrip() for line in lines)
