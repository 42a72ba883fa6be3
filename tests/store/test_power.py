"""A process that saves without a pause is killed at any moment: all that it was told is on disk is there again.

SIGKILL can't show what a card's cache loses, for that the pragmas are asked; it does show torn commits.
"""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

from device import store_file
from device.store import Store

KILLS = 10

# Three rounds of decisions, then the match is finished and the next one begins; each save is acknowledged.
PLAY = """
import sys
from pathlib import Path
from device.store import Store
from device.table.saves import Append, Begin, Finish, Mark
from tests.store.games import outcome
store = Store(Path(sys.argv[1]))
past = store.past(1).matches
number = (past[0].outcome["rounds"] if past else 0) + 1
if store.running() is not None:
    store.save([Finish(outcome(rounds=number, unfinished=True))], "cut off")
    number += 1
while True:
    store.save([Begin({"kind": "match", "match": number})], "now")
    for n in range(1, 7):
        store.save([Append(({"n": n}, {"again": n}), {"left": n})], "now")
        print(f"{number} {n}", flush=True)
        store.save([Mark({"left": n - 0.5})], "now")
    store.save([Finish(outcome(rounds=number))], "now")
    print(f"{number} finished", flush=True)
    number += 1
"""


def test_nothing_acknowledged_is_lost_by_a_kill(tmp_path: Path) -> None:
    path = tmp_path / "box.sqlite"
    rng = random.Random(20)
    told: list[str] = []
    for _ in range(KILLS):
        process = subprocess.Popen(
            [sys.executable, "-c", PLAY, str(path)],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": os.getcwd()},
        )
        assert process.stdout is not None
        told.append(process.stdout.readline())
        # The moment of the kill is what is tried out here; nothing waits for it to be any certain one.
        time.sleep(rng.uniform(0, 0.05))
        process.send_signal(signal.SIGKILL)
        told += process.stdout.read().splitlines()
        process.wait()
        number, last = told[-1].split()
        store = Store(path)
        assert store.trouble is None
        finished = [match.outcome["rounds"] for match in store.past(10_000).matches]
        running = store.running()
        assert finished == list(range(len(finished), 0, -1)), "each match once and in order"
        assert len(finished) >= int(number) - (last != "finished")
        if last != "finished" and len(finished) < int(number):
            assert running is not None
            assert running.head["match"] == int(number)
            assert len(running.events) >= 2 * int(last)
        if running is not None:
            # The events of a save are there all or not at all, and the mark is not older than they are.
            pairs = [{key: n} for n in range(1, len(running.events) // 2 + 1) for key in ("n", "again")]
            assert list(running.events) == pairs
            assert not pairs or len(pairs) / 2 - 0.5 <= running.mark["left"] <= len(pairs) / 2
        store.close()


def test_a_commit_reaches_the_card_before_it_is_acknowledged(tmp_path: Path) -> None:
    db = store_file.open_writing(tmp_path / "box.sqlite")
    full = 2
    assert db.execute("PRAGMA synchronous").fetchone() == (full,)
    assert db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    db.close()


def test_a_power_cut_while_the_store_is_made_leaves_nothing_half_made(tmp_path: Path) -> None:
    path = tmp_path / "box.sqlite"
    (tmp_path / "box.sqlite.new").write_bytes(b"half of a fi")
    (tmp_path / "box.sqlite.new-journal").write_bytes(b"\x00" * 512)
    store = Store(path)
    assert store.trouble is None
    store.close()
    assert sorted(file.name for file in tmp_path.iterdir()) == ["box.sqlite", "box.sqlite.lock"]
    with sqlite3.connect(path) as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
