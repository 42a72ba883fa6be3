"""Only one box writes a store; a reader may look on."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from device import past, store_file, store_rows
from device.errors import UserError
from device.store import Store
from device.table.saves import Finish
from tests.store.games import BEGIN, NOW, append, outcome

HOLD = """
import sys
from pathlib import Path
from device.store import Store
from tests.store.games import BEGIN, NOW, append
store = Store(Path(sys.argv[1]))
store.save([BEGIN, append(1)], NOW)
print("held", flush=True)
sys.stdin.read()
"""
# Root may write anywhere, so it looks on as nobody.
READ = """
import os, sys
from pathlib import Path
from device import past, store_file
if os.getuid() == 0:
    os.setuid(65534)
print(store_file.reading(Path(sys.argv[1]), lambda db: len(list(past.matches(db)))))
"""
ENVIRONMENT = {**os.environ, "PYTHONPATH": os.getcwd()}


@pytest.fixture
def holder(tmp_path: Path) -> subprocess.Popen[str]:
    """Another box that plays on tmp_path/box.sqlite."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path / "box.sqlite")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=ENVIRONMENT,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def test_a_second_box_is_told_who_holds_the_store(tmp_path: Path, holder: subprocess.Popen[str]) -> None:
    path = tmp_path / "box.sqlite"
    with pytest.raises(UserError) as told:
        Store(path)
    assert str(told.value) == (
        f"{path} is in use by another ubongo-box (pid {holder.pid}): stop that one or give this one its own --store"
    )
    assert told.value.code == 2
    holder.communicate()
    store = Store(path)
    running = store.running()
    assert running is not None
    assert len(running.events) == 1, "the first box was not harmed"
    store.close()


def test_a_killed_box_leaves_no_lock(tmp_path: Path, holder: subprocess.Popen[str]) -> None:
    holder.send_signal(signal.SIGKILL)
    holder.communicate()
    store = Store(tmp_path / "box.sqlite")
    assert (store.trouble, store.running() is None) == (None, False)
    store.close()


def test_a_reader_looks_on_while_the_box_plays(tmp_path: Path) -> None:
    path = tmp_path / "box.sqlite"
    store = Store(path)
    for rounds in (1, 2):
        store.save([BEGIN, append(1), Finish(outcome(rounds=rounds))], NOW)
        found = store_file.reading(path, lambda db: [match.outcome["rounds"] for match in past.matches(db)])
        assert found == list(range(rounds, 0, -1))
    store.close()


def test_a_box_that_starts_under_a_readers_eyes_is_no_damage(tmp_path: Path) -> None:
    """A closed store is read without a trace in its folder: so what is read may change, and look torn."""
    path = tmp_path / "box.sqlite"
    Store(path).close()

    def ask(db: sqlite3.Connection) -> None:
        assert list(past.matches(db)) == []
        box = Store(path)
        box.save([Finish(outcome())], NOW)
        box.close()
        raise store_rows.Spoiled("half of it is of another time")

    with pytest.raises(UserError) as told:
        store_file.reading(path, ask)
    assert (str(told.value), told.value.code) == (f"{path}: a box began to write it meanwhile: ask again", 1)
    assert store_file.reading(path, lambda db: len(list(past.matches(db)))) == 1


@pytest.mark.parametrize("ended", ["running", "closed", "killed"])
def test_a_reader_needs_no_right_to_write(ended: str) -> None:
    """As `history` by anybody on the box, or from a card that is mounted read-only."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = folder / "box.sqlite"
        store = Store(path)
        store.save([Finish(outcome())], NOW)
        kept = {file: file.read_bytes() for file in folder.iterdir()} if ended == "killed" else {}
        if ended != "running":
            store.close()
        for file, data in kept.items():
            file.write_bytes(data)
        folder.chmod(0o555)
        result = subprocess.run(
            [sys.executable, "-c", READ, str(path)], capture_output=True, text=True, env=ENVIRONMENT
        )
        folder.chmod(0o755)
        assert (result.stdout, result.stderr) == ("1\n", "")
        if ended == "running":
            store.close()
