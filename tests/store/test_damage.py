"""A file that is no whole store of ours is set aside under a dated name; the box starts, and says so in one line."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest

from device import store_file
from device.errors import UserError
from device.store import Running, Store
from device.table.saves import Finish, Setting
from tests.store.games import BEGIN, HEAD, NOW, append, event, mark, outcome, told

CLOCK = datetime(2026, 7, 3, 20, 15, 59)
ASIDE = "box.sqlite.20260703-201559.damaged"


def filled(path: Path, *, cut: bool = False) -> None:
    """A store with past matches, a setting and a running match; `cut`: with a -wal that was never folded in."""
    store = Store(path)
    store.save([Finish(outcome(rounds=rounds)) for rounds in range(1, 30)], NOW)
    store.save([Setting("sound", False), BEGIN, append(*range(40), left=12.0)], NOW)
    kept = {}
    if cut:
        kept = {end: Path(f"{path}{end}").read_bytes() for end in ("", "-wal", "-shm")}
    store.close()
    for end, data in kept.items():
        Path(f"{path}{end}").write_bytes(data)


def patch(path: Path, offset: int, data: bytes) -> None:
    with path.open("r+b") as file:
        file.seek(offset)
        file.write(data)


def truncate(path: Path, size: int) -> None:
    with path.open("r+b") as file:
        file.truncate(size)


def table(name: str) -> Callable[[Path], None]:
    """Overwrite the table's first page with noise."""

    def damage(path: Path) -> None:
        with sqlite3.connect(path) as db:
            (root,) = db.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (name,)).fetchone()
        patch(path, (root - 1) * 4096, random.Random(1).randbytes(4096))

    return damage


def flipped(text: bytes) -> Callable[[Path], None]:
    """Flip one bit inside a value that stands in the file."""

    def damage(path: Path) -> None:
        data = path.read_bytes()
        at = data.index(text)
        patch(path, at, bytes([data[at] ^ 1]))

    return damage


def sql(*statements: str) -> Callable[[Path], None]:
    """Change it as somebody with a database tool could."""

    def damage(path: Path) -> None:
        db = sqlite3.connect(path, isolation_level=None)
        for statement in statements:
            db.execute(statement)
        db.close()

    return damage


def foreign(path: Path) -> None:
    path.unlink()
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE recipe (name TEXT)")
        db.execute("INSERT INTO recipe VALUES ('pancakes')")


DAMAGES = [
    pytest.param(lambda p: truncate(p, 0), "is empty", id="empty"),
    pytest.param(lambda p: truncate(p, 50), "is torn", id="less than a header"),
    pytest.param(lambda p: truncate(p, 100), "is torn", id="only a header"),
    pytest.param(lambda p: truncate(p, 4096), "is torn", id="only the first page"),
    pytest.param(lambda p: truncate(p, 4096 * 5 + 17), "is torn", id="torn in a page"),
    pytest.param(lambda p: p.write_text("edition = 'classic'\n" * 40), "is not a store of this program", id="text"),
    pytest.param(lambda p: p.write_bytes(b"\0" * 65536), "is not a store of this program", id="zeros"),
    pytest.param(lambda p: p.write_bytes(b"\xff" * 65536), "is not a store of this program", id="an erased block"),
    pytest.param(foreign, "belongs to another program", id="another program's database"),
    pytest.param(
        sql("PRAGMA user_version=2"), "was written by a newer version (store 2, this one knows 1)", id="newer"
    ),
    pytest.param(lambda p: patch(p, 100, b"\xee" * 60), "is damaged", id="schema page"),
    pytest.param(table("head"), "is damaged", id="page of the head"),
    pytest.param(table("event"), "is damaged", id="page of the events"),
    pytest.param(table("setting"), "is damaged", id="page of the settings"),
    pytest.param(flipped(b'"n":7'), "is damaged", id="a flipped bit in a decision"),
    pytest.param(flipped(b'"left":12'), "is damaged", id="a flipped bit in the mark"),
    pytest.param(sql("DROP TABLE event"), "is damaged", id="a table is gone"),
    pytest.param(sql("DROP TABLE mark", "CREATE TABLE mark (one)"), "is damaged", id="other columns"),
    pytest.param(sql("UPDATE setting SET value = '{'"), "is damaged", id="a setting that is no JSON"),
    pytest.param(sql("UPDATE event SET text = x'00ff'"), "is damaged", id="a decision that is no text"),
]


@pytest.mark.parametrize(("damage", "says"), DAMAGES)
def test_a_damaged_store_is_set_aside_whole(tmp_path: Path, damage: Callable[[Path], None], says: str) -> None:
    path = tmp_path / "box.sqlite"
    filled(path)
    damage(path)
    damaged = path.read_bytes()
    store = Store(path, now=lambda: CLOCK)
    assert store.trouble == f"box.sqlite {says}: set aside as {ASIDE}, starting afresh"
    assert (store.running(), store.settings(), store.past().matches) == (None, {}, ())
    assert (tmp_path / ASIDE).read_bytes() == damaged
    store.save([BEGIN, append(1)], NOW)
    assert told(store) == (None, False)
    store.cut()
    assert told(store) == (None, False)
    assert store.running() == Running(HEAD, (event(1),), {"left": 30.0}, NOW)
    store.close()


def test_a_reader_says_it_in_one_line_and_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "box.sqlite"
    path.write_text("my shopping list")
    with pytest.raises(UserError) as told:
        store_file.reading(path, lambda db: db)
    assert (str(told.value), told.value.code) == (f"{path} is torn", 1)
    assert path.read_text() == "my shopping list"


def test_a_second_one_in_the_same_second_gets_a_name_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "box.sqlite"
    for _ in range(3):
        path.write_text("no store")
        Store(path, now=lambda: CLOCK).close()
    aside = sorted(file.name for file in tmp_path.glob("*.damaged"))
    assert aside == sorted([ASIDE, ASIDE.replace(".damaged", "-1.damaged"), ASIDE.replace(".damaged", "-2.damaged")])


def test_the_wal_goes_with_its_file(tmp_path: Path) -> None:
    path = tmp_path / "box.sqlite"
    filled(path, cut=True)
    path.write_bytes(b"")
    wal = Path(f"{path}-wal").read_bytes()
    store = Store(path, now=lambda: CLOCK)
    assert store.running() is None
    assert (tmp_path / f"{ASIDE}-wal").read_bytes() == wal
    store.close()


def test_a_wal_without_its_file_is_set_aside(tmp_path: Path) -> None:
    path = tmp_path / "box.sqlite"
    filled(path, cut=True)
    path.unlink()
    store = Store(path, now=lambda: CLOCK)
    assert store.trouble == f"box.sqlite is missing, only its -wal is left: set aside as {ASIDE}, starting afresh"
    store.close()


def test_a_torn_wal_costs_only_its_end(tmp_path: Path) -> None:
    path = tmp_path / "box.sqlite"
    store = Store(path)
    store.save([BEGIN], NOW)
    for n in range(1, 20):
        store.save([append(n, left=60.0 - n)], NOW)
    kept = {end: Path(f"{path}{end}").read_bytes() for end in ("", "-wal", "-shm")}
    store.close()
    found = []
    for cut in range(32, len(kept["-wal"]), 4096):
        for end, data in kept.items():
            Path(f"{path}{end}").write_bytes(data[:cut] if end == "-wal" else data)
        store = Store(path)
        assert store.trouble is None
        running = store.running()
        events = () if running is None else running.events
        assert events == tuple(event(n) for n in range(1, len(events) + 1))
        assert not events or running == Running(HEAD, events, {"left": 60.0 - len(events)}, NOW)
        found.append(len(events))
        store.close()
    assert found == sorted(found)
    assert found[-1] >= 18


@pytest.mark.parametrize("seed", range(40))
def test_flipped_bits_anywhere_never_stop_the_start(tmp_path: Path, seed: int) -> None:
    """Either the store is set aside, or everything that matters for the match is as it was."""
    path = tmp_path / "box.sqlite"
    filled(path, cut=seed % 2 == 0)
    rng = random.Random(seed)
    target = rng.choice([file for file in (path, Path(f"{path}-wal")) if file.exists()])
    data = bytearray(target.read_bytes())
    for _ in range(rng.choice([1, 8, 64])):
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    target.write_bytes(data)
    store = Store(path)
    if store.trouble is None and target == path:
        expected = Running(HEAD, tuple(event(n) for n in range(40)), {"left": 12.0}, NOW)
        assert store.running() in (expected, None) if seed % 2 == 0 else store.running() == expected
    store.past()
    store.save([BEGIN, append(5), Finish(outcome()), BEGIN, append(6)], NOW)
    assert not store.unsaved
    store.cut()
    assert store.running() == Running(HEAD, (event(6),), {"left": 30.0}, NOW)
    store.close()


@pytest.mark.parametrize("name", ["match", "tally", "record"])
def test_damage_in_the_past_is_met_when_a_match_is_over_and_costs_no_result(tmp_path: Path, name: str) -> None:
    """The history isn't read at the start, or starting would grow with it; the match in hand survives anyway."""
    path = tmp_path / "box.sqlite"
    filled(path)
    table(name)(path)
    store = Store(path, now=lambda: CLOCK)
    store.save([mark(3.0)], NOW)
    store.save([Finish(outcome(rounds=9)), BEGIN, append(1)], NOW)
    if store.trouble is not None:
        assert store.trouble == f"box.sqlite is damaged: set aside as {ASIDE}, starting afresh"
    assert not store.unsaved
    store.cut()
    assert store.past().matches[0].outcome["rounds"] == 9
    assert store.settings() == {"sound": False}
    assert store.running() == Running(HEAD, (event(1),), {"left": 30.0}, NOW)
    store.close()
