"""Item 6: a whole evening rehearsed, and a store after ten, a thousand and a hundred thousand matches."""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator
from math import inf
from pathlib import Path
from typing import Any

from device.history import command as history
from device.rehearse import rehearse
from device.store import Store
from device.table.saves import Append, Begin, Finish, Mark
from tests.bench.evening import Players, settings
from tests.bench.results import Row, Run, Sample, plain

SPEED_GOAL = 2000.0
SPREAD = 1.2
MOST = 20_000
"""Matches that are printed of the largest store."""
NOW = "2026-07-03 20:15:00"
NAMES = ("Anna", "Ben", "Zoé", "Max")
SEATS = ("red", "blue", "green", "yellow")
HEAD = {"kind": "match", "edition": "classic", "side": "A", "players": list(SEATS)}


def outcome(number: int) -> dict[str, Any]:
    """A finished match of four over nine rounds, as the table hands it to the store."""
    scores = {seat: 10 + (number * 7 + n * 5) % 23 for n, seat in enumerate(SEATS)}
    ranking = [[seat] for seat in sorted(SEATS, key=lambda seat: -scores[seat])]
    return {
        "kind": "match",
        "unfinished": False,
        "edition": "classic",
        "edition_name": "Ubongo",
        "side": "A",
        "scoring": "track",
        "players": list(SEATS),
        "names": dict(zip(SEATS, NAMES, strict=True)),
        "unit": "points",
        "scores": scores,
        "ranking": ranking,
        "rounds": 9,
        "gems": {seat: {"ruby": 2, "sapphire": 2, "emerald": 2, "amber": 2} for seat in SEATS},
        "solves": [
            {"player": seat, "round": r, "place": n + 1, "seconds": 20.0 + 5 * n + (number + r) % 13}
            for r in range(1, 10)
            for n, seat in enumerate(SEATS[: 1 + r % 4])
        ],
        "races": dict.fromkeys(SEATS, 9),
        "wins": ranking[0],
    }


def grown(path: Path, matches: int) -> None:
    """A store with so many past matches and one that is running: the first few as the box keeps them, the rest alike.

    What is in the history beyond them is copied by SQL: a hundred thousand evenings one by one would take minutes.
    """
    store = Store(path)
    store.save([Finish(outcome(number)) for number in range(min(matches, 10))], NOW)
    store.close()
    with contextlib.closing(sqlite3.connect(path)) as db:
        text = json.dumps(outcome(1), ensure_ascii=False, separators=(",", ":"))
        db.execute("PRAGMA synchronous=OFF")
        db.executemany("INSERT INTO match VALUES (?, ?, ?)", ((n, NOW, text) for n in range(11, matches + 1)))
        db.commit()
    store = Store(path)
    store.save([Begin(HEAD), Append(tuple({"event": "claim", "n": n} for n in range(60)), {"played": 1.0})], NOW)
    store.close()


class Kept:
    """One store and what is timed on it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.cost: dict[str, list[float]] = {}

    def time(self, what: str, work: Callable[[], object], calls: int) -> None:
        """CPU seconds of each of so many calls."""
        for _ in range(calls):
            began = time.process_time()
            work()
            self.cost.setdefault(what, []).append(time.process_time() - began)

    def all(self, run: Run) -> None:
        """Each once more."""

        def start() -> None:
            opened = Store(self.path)
            opened.running()
            opened.past()
            opened.close()

        def match() -> None:
            store.save([Finish(outcome(3))], NOW)
            store.save([Begin(HEAD), Append(tuple({"event": "claim", "n": n} for n in range(60)), {})], NOW)

        self.time("start and resume", start, run(2, 1))
        store = Store(self.path)
        self.time("a mark", lambda: store.save([Mark({"played": 2.0})], NOW), run(10, 2))
        self.time("a decision", lambda: store.save([Append(({"event": "claim"},), {"played": 3.0})], NOW), run(5, 2))
        self.time("a match's end and the next begin", match, run(2, 1))
        store.close()
        self.time("history", lambda: printed(self.path, None), 1)


def printed(path: Path, limit: int | None) -> int:
    """Run `ubongo-box history`; gives the lines it printed."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        history(argparse.Namespace(store=path, players=False, records=False, json=False, csv=False, limit=limit))
    return out.getvalue().count("\n")


def measure(run: Run) -> list[Row]:
    """Item 6."""
    return [*_evening(run), *_stores(run)]


def _evening(run: Run) -> list[Row]:
    made = settings()
    script = Players(made, seed=1).play()
    speeds = []
    for _ in range(run(7, 1)):
        began = time.process_time()
        said = rehearse(script, made, seed=1)
        speeds.append(script.end / (time.process_time() - began))
        if said[-1]["what"] != "sound" and not any(one["what"] == "final" for one in said):
            raise AssertionError("the rehearsed evening has no end")
    speed = Sample.of(speeds)
    return [
        Row(
            6,
            f"an evening of four players, {script.end / 60:.0f} min, rehearsed",
            f"{speed.text('×')} real time",
            goal=f"≥ {SPEED_GOAL:,.0f} ×",
            met=speed.median >= SPEED_GOAL,
        )
    ]


def _stores(run: Run) -> list[Row]:
    sizes = (10, run(1_000, 30), run(100_000, 100))
    with _quick_folder() as folder:
        stores = {}
        for size in sizes:
            path = folder / f"{size}.sqlite"
            grown(path, size)
            stores[size] = Kept(path)
        # Many short turns: this processor's speed changes by half within seconds, and each store must meet its best.
        for _ in range(run(60, 1)):
            for store in stores.values():
                store.all(run)
        rows = []
        for what in stores[sizes[0]].cost:
            costs = [min(stores[size].cost[what]) for size in sizes]
            if what == "history":
                continue
            rows.append(_alike(f"store: {what}, least CPU after {_counted(sizes)} matches", costs))
        rows.append(_history(stores, sizes))
    return rows


def _alike(what: str, costs: list[float]) -> Row:
    least, most = costs[0] / SPREAD, costs[0] * SPREAD
    said = " · ".join(plain(cost * 1e6) for cost in costs) + " µs"
    return Row(6, what, said, "", f"{max(costs) / min(costs):.2f} ×", "± 20 %", all(least <= c <= most for c in costs))


def _history(stores: dict[int, Kept], sizes: tuple[int, ...]) -> Row:
    """Of the newest 20 in each store, and of many: least of four."""
    shown = tuple(zip(sizes[1:], (0, MOST), strict=True))
    lines, took = [0, 0], [inf, inf]
    for _ in range(4):
        for n, (size, most) in enumerate(shown):
            began = time.process_time()
            lines[n] = printed(stores[size].path, most)
            took[n] = min(took[n], time.process_time() - began)
    grew, longer = took[1] / took[0], lines[1] / lines[0]
    newest = " · ".join(plain(Sample.of(stores[size].cost["history"]).median * 1e3) for size in sizes)
    return Row(
        6,
        f"store: history, CPU: the newest 20 after {_counted(sizes)}, and many of them",
        f"{newest} ms; {lines[0]:,} lines {plain(took[0])} s, {lines[1]:,} lines {plain(took[1])} s",
        "",
        f"{longer:.0f} × the lines in {grew:.0f} × the time",
        "no faster than what it prints",
        grew <= longer * SPREAD,
    )


def _counted(sizes: tuple[int, ...]) -> str:
    return ", ".join(f"{size:,}" for size in sizes)


@contextlib.contextmanager
def _quick_folder() -> Iterator[Path]:
    """In memory where there is some: the card's own speed is none of the store's."""
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=memory) as folder:
        yield Path(folder)
