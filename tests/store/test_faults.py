"""A card that can't be written: play goes on in memory, it is said in one line, and all of it is written later.

Real faults where a process can make them. A full and a read-only card need the right to mount;
without it much the same comes from a limit on the size of files and from a directory that is none.
"""

from __future__ import annotations

import contextlib
import os
import resource
import sqlite3
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from device import past, store_file
from device.store import Running, Store
from device.table.saves import Begin, Finish, Save, Setting
from tests.store.games import BEGIN, FINISH, HEAD, LATER, NOW, append, event, mark, outcome, told

Fault = Callable[[Path], AbstractContextManager[None]]


@contextmanager
def parent_is_a_file(path: Path) -> Iterator[None]:
    kept = path.parent.with_suffix(".kept")
    path.parent.rename(kept)
    path.parent.write_text("in the way")
    yield
    path.parent.unlink()
    kept.rename(path.parent)


@contextmanager
def no_larger_files(path: Path) -> Iterator[None]:  # noqa: ARG001 - every fault takes the path
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    # Python ignores SIGXFSZ, so a write beyond the limit is an error like on a full card.
    resource.setrlimit(resource.RLIMIT_FSIZE, (1024, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@contextmanager
def locked_by_a_database_tool(path: Path) -> Iterator[None]:
    tool = sqlite3.connect(path, isolation_level=None)
    tool.execute("BEGIN IMMEDIATE")
    yield
    tool.execute("ROLLBACK")
    tool.close()


@contextmanager
def no_handles(path: Path) -> Iterator[None]:  # noqa: ARG001 - every fault takes the path
    # As after a leak somewhere else: whatever must be opened anew can't be.
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    lowest = os.open(os.devnull, os.O_RDONLY)
    os.close(lowest)
    resource.setrlimit(resource.RLIMIT_NOFILE, (lowest, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@contextmanager
def file_replaced_by_a_directory(path: Path) -> Iterator[None]:
    for end in ("", "-wal", "-shm"):
        with contextlib.suppress(FileNotFoundError):
            os.rename(f"{path}{end}", f"{path.parent}/kept{end}")
    path.mkdir()
    yield
    path.rmdir()
    for end in ("", "-wal", "-shm"):
        with contextlib.suppress(FileNotFoundError):
            os.rename(f"{path.parent}/kept{end}", f"{path}{end}")


@contextmanager
def full_card(path: Path) -> Iterator[None]:
    rest = path.parent / "rest"
    with rest.open("wb") as file, contextlib.suppress(OSError):
        while True:
            file.write(b"\0" * 65536)
            file.flush()
    with rest.open("ab", buffering=0) as file, contextlib.suppress(OSError):
        while True:
            file.write(b"\0")
    yield
    rest.unlink()


@contextmanager
def read_only_card(path: Path) -> Iterator[None]:
    subprocess.run(["mount", "-o", "remount,ro", str(path.parent.parent)], check=True)
    yield
    subprocess.run(["mount", "-o", "remount,rw", str(path.parent.parent)], check=True)


def may_mount() -> bool:
    with tempfile.TemporaryDirectory() as name:
        done = subprocess.run(["mount", "-t", "tmpfs", "none", name], capture_output=True, check=False)
        if done.returncode == 0:
            subprocess.run(["umount", name], check=True)
        return done.returncode == 0


MOUNT = os.geteuid() == 0 and may_mount()

IN_PLAY = [
    pytest.param(parent_is_a_file, "{parent} is no directory", id="directory gone"),
    pytest.param(file_replaced_by_a_directory, "Is a directory", id="replaced by a directory"),
    pytest.param(no_larger_files, "disk I/O error", id="no larger files"),
    pytest.param(locked_by_a_database_tool, "database is locked", id="locked by a database tool"),
]
# When the match that was cut off can still be read then: after a kill SQLite must lay a new index of the -wal.
AT_START = [
    pytest.param(parent_is_a_file, (), id="directory gone"),
    pytest.param(no_handles, (), id="no handles"),
    pytest.param(no_larger_files, ("closed",), id="no larger files"),
    pytest.param(locked_by_a_database_tool, ("closed", "killed"), id="locked by a database tool"),
]
if MOUNT:
    AT_START.append(pytest.param(full_card, ("closed", "killed"), id="full"))
    AT_START.append(pytest.param(read_only_card, ("closed", "killed"), id="read-only"))


@pytest.fixture
def path(tmp_path: Path) -> Iterator[Path]:
    """A store's path on a small card of its own, if there is the right to make one."""
    card = tmp_path / "card"
    card.mkdir()
    if MOUNT:
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "none", str(card)], check=True)
    state = card / "state"
    state.mkdir()
    yield state / "box.sqlite"
    if MOUNT:
        subprocess.run(["umount", "-l", str(card)], check=True)


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_file, "BUSY", 0.02)


@pytest.mark.parametrize(("fault", "reason"), IN_PLAY)
def test_play_goes_on_in_memory_and_is_written_when_the_card_heals(path: Path, fault: Fault, reason: str) -> None:
    store = Store(path)
    store.save([Finish(outcome(rounds=1))], NOW)
    store.save([Setting("sound", False), BEGIN, append(1)], NOW)
    said = f"box.sqlite can't be written ({reason.format(parent=path.parent)}): playing on in memory"
    with fault(path):
        evening: list[list[Save]] = [[append(2)], [mark(9.0)], [Finish(outcome(rounds=2))], [BEGIN, append(3)]]
        evening.append([append(4)])
        for saves in evening:
            store.save(saves, LATER)
            assert told(store) == (said, True)
        store.save([Setting("language", "fr")], LATER)
        assert store.past().matches[0].outcome["rounds"] == 2
    store.flush()
    assert told(store) == (None, False)
    store.cut()
    assert store.running() == Running(HEAD, (event(3), event(4)), {"left": 30.0}, LATER)
    assert store.settings() == {"sound": False, "language": "fr"}
    assert [match.outcome["rounds"] for match in store.past().matches] == [2, 1]
    store.close()


def test_a_full_card_is_said_and_what_waited_is_written_once_there_is_room(path: Path) -> None:
    store = Store(path)
    store.save([BEGIN, append(1)], NOW)
    # A limit on files where no card of its own can be mounted.
    fault, reason = (full_card, "database or disk is full") if MOUNT else (no_larger_files, "disk I/O error")
    with fault(path):
        store.save([append(2), Setting("sound", False)], LATER)
        assert store.trouble == f"box.sqlite can't be written ({reason}): playing on in memory"
        assert store.unsaved
        # Closing and opening folds the -wal in, which may even make room.
        store.save([append(3)], LATER)
    store.flush()
    assert told(store) == (None, False)
    store.cut()
    assert store.running() == Running(HEAD, (event(1), event(2), event(3)), {"left": 30.0}, LATER)
    assert store.settings() == {"sound": False}
    store.close()


@pytest.mark.parametrize("cut_off", ["killed", "closed"])
@pytest.mark.parametrize(("fault", "readable"), AT_START)
def test_a_box_that_starts_on_a_bad_card_resumes_what_it_can_read(
    path: Path, fault: Fault, readable: tuple[str, ...], cut_off: str
) -> None:
    store = Store(path)
    store.save([Finish(outcome(rounds=1)), Setting("sound", False), BEGIN, append(1)], NOW)
    kept = {file: file.read_bytes() for file in path.parent.iterdir()} if cut_off == "killed" else {}
    store.close()
    for file, data in kept.items():
        file.write_bytes(data)
    with fault(path):
        store = Store(path)
        found = Running(HEAD, (event(1),), {"left": 30.0}, NOW) if cut_off in readable else None
        assert store.running() == found
        assert store.settings() == ({"sound": False} if cut_off in readable else {})
        if cut_off in readable:
            store.save([append(2, left=8.0)], LATER)
        else:
            store.save([BEGIN, append(7)], LATER)
        assert store.unsaved
        assert store.trouble is not None
    store.flush()
    assert told(store) == (None, False)
    store.cut()
    matches = store.past().matches
    if cut_off in readable:
        assert store.running() == Running(HEAD, (event(1), event(2)), {"left": 8.0}, LATER)
        assert [match.unfinished for match in matches] == [False]
    else:
        # The match that could not be offered for resuming is kept as given up.
        assert store.running() == Running(HEAD, (event(7),), {"left": 30.0}, LATER)
        assert [(match.unfinished, match.outcome["players"]) for match in matches] == [
            (True, ["red", "blue"]),
            (False, ["red", "blue"]),
        ]
    assert store.settings() == {"sound": False}
    store.close()


def test_only_a_setting_is_made_while_the_old_match_is_out_of_sight(path: Path) -> None:
    store = Store(path)
    store.save([BEGIN, append(1)], NOW)
    store.close()
    with parent_is_a_file(path):
        store = Store(path)
        store.save([Setting("sound", False)], LATER)
    store.flush()
    assert store.running() == Running(HEAD, (event(1),), {"left": 30.0}, NOW)
    store.save([Begin({**HEAD, "edition": "lines"})], LATER)
    assert [match.unfinished for match in store.past().matches] == [True]
    store.close()


def test_a_commit_that_was_said_to_have_failed_is_not_written_twice(path: Path) -> None:
    """A failing fsync says nothing about what did reach the card."""
    store = Store(path)
    store.save([BEGIN, append(1)], NOW)
    store.broken = True
    store.save([FINISH], LATER)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN")
    past.keep(other, 1, LATER, outcome())
    other.execute("COMMIT")
    other.close()
    store.broken = False
    # A failing card makes the store open its file anew.
    with file_replaced_by_a_directory(path):
        store.flush()
    store.flush()
    assert told(store) == (None, False)
    found = store.past()
    assert [match.id for match in found.matches] == [1]
    assert [tally.matches for tally in found.players] == [1, 1]
    store.close()


def test_the_broken_switch_is_a_card_that_fails_and_heals() -> None:
    store = Store(None)
    store.save([BEGIN], NOW)
    store.broken = True
    store.save([append(1)], NOW)
    assert store.trouble == "the store can't be written (the card fails): playing on in memory"
    store.broken = False
    store.save([mark(3.0)], LATER)
    assert told(store) == (None, False)
    store.broken = True
    store.save([append(2)], LATER)
    store.cut()
    assert store.running() == Running(HEAD, (event(1),), {"left": 3.0}, LATER)
