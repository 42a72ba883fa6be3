"""`python -m tests.soak [--minutes 20] [--seed N] [--only NAME] [--short]`: all the long trials, and a table of them.

Exit code 1 if anything was wrong; a violation comes with the seed that repeats it.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable

from tests.soak import evening, files, machine, mash, power
from tests.soak.report import Budget, Result, table

Trial = Callable[[Budget], Result]


def faults(budget: Budget) -> Result:
    """tests/faults again and again: the named faults against the real service."""
    result = Result("the named faults")
    if budget.short:
        result.skipped = "runs as tests/faults"
        return result
    while budget.left(result.count, 1):
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/faults"],
            capture_output=True,
            text=True,
        )
        result.count += 1
        if done.returncode:
            result.wrong("-", done.stdout[-3000:])
    result.remark = "times through all of tests/faults"
    return result


# By name: the trial, and its share of the minutes.
TRIALS: dict[str, tuple[Trial, float]] = {
    "power": (power.trial, 5.0),
    "damage": (power.damaged, 2.0),
    "mashing": (mash.trial, 6.0),
    "machine": (machine.trial, 1.5),
    "rehearsal": (evening.by_rehearsal, 1.0),
    "hour": (evening.real, 2.0),
    "files": (files.parsers, 1.0),
    "stores": (files.stores, 1.0),
    "editions": (files.home_made, 1.0),
    "steered": (files.steered, 2.0),
    "faults": (faults, 2.0),
}


def main(argv: list[str] | None = None) -> int:
    """Run them and print the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=20.0, help="for all trials together (default: %(default)g)")
    parser.add_argument("--seed", type=int, help="repeat from this seed (default: the time)")
    parser.add_argument("--only", choices=TRIALS, action="append", help="only this trial; may be given more than once")
    parser.add_argument("--short", action="store_true", help="the form that CI runs: by number, not by time")
    args = parser.parse_args(argv)
    seed = int(time.time()) % 1_000_000_000 if args.seed is None else args.seed
    chosen = args.only or list(TRIALS)
    shares = sum(TRIALS[name][1] for name in chosen)
    results = []
    # Whatever a trial imports that leaves files in the working directory (lgpio does) leaves them elsewhere.
    os.environ.setdefault("LG_WD", tempfile.gettempdir())
    print(f"seed {seed}", flush=True)
    for name in chosen:
        trial, share = TRIALS[name]
        began = time.monotonic()
        result = trial(Budget(seed, args.minutes * 60 * share / shares, args.short))
        results.append(result)
        state = result.skipped or f"{result.count:,}, {len(result.violations)} violations"
        print(f"{name}: {state} ({time.monotonic() - began:.0f} s)", flush=True)
    print()
    print(table(results))
    return int(any(result.violations for result in results))


if __name__ == "__main__":
    sys.exit(main())
