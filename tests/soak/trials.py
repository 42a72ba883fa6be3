"""All the trials by name, their shares of the time, and the command that runs them and prints the table."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

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


# By lane and name: the trial, and its share of the lane's minutes. The lanes run side by side: the first one mostly
# waits for the clock on the wall, the other two work.
LANES: dict[str, dict[str, tuple[Trial, float]]] = {
    "service": {"power": (power.trial, 11.0), "damage": (power.damaged, 3.0), "faults": (faults, 6.0)},
    "table": {
        "mashing": (mash.trial, 10.0),
        "machine": (machine.trial, 3.0),
        "rehearsal": (evening.by_rehearsal, 2.0),
        "files": (files.parsers, 2.0),
        "stores": (files.stores, 2.0),
        "editions": (files.home_made, 1.0),
    },
    "long": {"steered": (files.steered, 10.0), "hour": (evening.real, 10.0)},
}
TRIALS: dict[str, tuple[Trial, float]] = {name: trial for lane in LANES.values() for name, trial in lane.items()}


def run(names: list[str], seed: int, seconds: float, short: bool) -> list[Result]:
    """These trials one after the other, in `seconds` together."""
    shares = sum(TRIALS[name][1] for name in names)
    results = []
    for name in names:
        trial, share = TRIALS[name]
        began = time.monotonic()
        result = trial(Budget(seed, seconds * share / shares, short))
        results.append(result)
        state = result.skipped or f"{result.count:,}, {len(result.violations)} violations"
        print(f"{name}: {state} ({time.monotonic() - began:.0f} s)", flush=True)
    return results


def main(argv: list[str] | None = None) -> int:
    """Run them and print the table."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.soak", description="All the long trials, and a table of them."
    )
    parser.add_argument("--minutes", type=float, default=20.0, help="how long (default: %(default)g; 130: a real hour)")
    parser.add_argument("--seed", type=int, help="repeat from this seed (default: the time)")
    parser.add_argument("--only", choices=TRIALS, action="append", help="only this trial; may be given more than once")
    parser.add_argument("--short", action="store_true", help="the form that CI runs: by number, not by time")
    args = parser.parse_args(argv)
    seed = int(time.time()) % 1_000_000_000 if args.seed is None else args.seed
    chosen = args.only or list(TRIALS)
    lanes = [[name for name in lane if name in chosen] for lane in LANES.values()]
    lanes = [lane for lane in lanes if lane]
    # Whatever a trial imports that leaves files in the working directory (lgpio does) leaves them elsewhere.
    os.environ.setdefault("LG_WD", tempfile.gettempdir())
    print(f"seed {seed}", flush=True)
    if len(lanes) == 1:
        results = run(lanes[0], seed, args.minutes * 60, args.short)
    else:
        # Spawned, so that each lane is a process without threads: the trials of the power fork.
        with ProcessPoolExecutor(len(lanes), mp_context=get_context("spawn")) as pool:
            running = [pool.submit(run, lane, seed, args.minutes * 60, args.short) for lane in lanes]
            results = [result for lane in running for result in lane.result()]
    print()
    print(table(results))
    return int(any(result.violations for result in results))
