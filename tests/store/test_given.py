"""A path given by hand: what was never a store of ours is left alone, byte for byte; what was ours passes."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from device import store_given, store_rows
from device.errors import UserError
from device.store import Store
from tests.store.test_damage import filled, foreign, patch, sql, truncate

ALTERNATIVE = "choose another --store, or move that file away if it may go"
Make = Callable[[Path], object]


def unlocked(*makes: Make) -> Make:
    """A store changed by these, as it was copied here: without the lock that a box leaves beside it."""

    def make(path: Path) -> None:
        filled(path)
        for one in makes:
            one(path)
        path.with_name(path.name + ".lock").unlink()

    return make


def locked(*makes: Make) -> Make:
    """A store changed by these, where a box kept it."""

    def make(path: Path) -> None:
        filled(path)
        for one in makes:
            one(path)

    return make


def text_with_a_lock(path: Path) -> None:
    text(path)
    path.with_name(path.name + ".lock").write_text("4711\n")


def text(path: Path) -> None:
    path.write_text("edition = 'classic'\n" * 40)


def database(path: Path) -> None:
    path.touch()
    foreign(path)


def only_the_wal(path: Path) -> None:
    filled(path, cut=True)
    path.unlink()


def linked(path: Path) -> None:
    target = path.with_name("target")
    target.write_text("root:x:0:0\n")
    path.symlink_to(target)


REFUSED = [
    pytest.param(text, f"{{p}} is not a store of this program: {ALTERNATIVE}", id="text"),
    pytest.param(lambda p: p.write_text("milk"), f"{{p}} is not a store of this program: {ALTERNATIVE}", id="short"),
    pytest.param(
        lambda p: p.write_text("\n".join(store_rows.SCHEMA)),
        f"{{p}} is not a store of this program: {ALTERNATIVE}",
        id="a text that quotes our tables",
    ),
    pytest.param(
        lambda p: p.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(5000)),
        f"{{p}} is not a store of this program: {ALTERNATIVE}",
        id="picture",
    ),
    pytest.param(
        lambda p: p.write_bytes(bytes(65536)), f"{{p}} is not a store of this program: {ALTERNATIVE}", id="zeros"
    ),
    pytest.param(linked, f"{{p}} is not a store of this program: {ALTERNATIVE}", id="link to a system file"),
    pytest.param(
        text_with_a_lock,
        f"{{p}} is not a store of this program: {ALTERNATIVE}",
        id="another program's lock beside it",
    ),
    pytest.param(database, f"{{p}} belongs to another program: {ALTERNATIVE}", id="another's database"),
    pytest.param(
        locked(foreign), f"{{p}} belongs to another program: {ALTERNATIVE}", id="another's database where ours was"
    ),
    pytest.param(
        locked(sql("PRAGMA user_version=2")),
        "{p} was written by a newer version (store 2, this one knows 1):"
        " update this program, or choose another --store",
        id="newer",
    ),
    pytest.param(
        lambda p: Path(f"{p}-wal").write_bytes(b"frames"),
        f"{{p}}-wal is left of another program's database: {ALTERNATIVE}",
        id="only a -wal",
    ),
    pytest.param(
        lambda p: p.mkdir(), "{p} is a directory: --store takes a file, it is made if it is missing", id="directory"
    ),
    pytest.param(os.mkfifo, "{p} is not a regular file: --store takes a file, it is made if it is missing", id="FIFO"),
    pytest.param(
        lambda p: p.symlink_to("/dev/null"),
        "{p} is not a regular file: --store takes a file, it is made if it is missing",
        id="device",
    ),
    pytest.param(
        lambda p: p.symlink_to(p), "{p}: Too many levels of symbolic links: choose another --store", id="link to itself"
    ),
]


def whole(folder: Path) -> dict[str, tuple[object, ...]]:
    """All that is in a folder: kind, mode, owner, time of writing, content."""
    found: dict[str, tuple[object, ...]] = {}
    for path in sorted(folder.iterdir()):
        status = path.lstat()
        content = path.read_bytes() if path.is_file() else b""
        found[path.name] = (status.st_mode, status.st_uid, status.st_gid, status.st_ino, status.st_mtime_ns, content)
    return found


def passes(path: Path) -> None:
    """It may be a store, and asking has changed nothing in its folder."""
    before = whole(path.parent)
    store_given.check(path)
    assert whole(path.parent) == before


@pytest.mark.parametrize(("make", "says"), REFUSED)
def test_what_is_no_store_of_ours_is_refused_and_left_alone(tmp_path: Path, make: Make, says: str) -> None:
    path = tmp_path / "given.sqlite"
    make(path)
    before = whole(tmp_path)
    with pytest.raises(UserError) as told:
        store_given.check(path)
    assert (str(told.value), told.value.code) == (says.format(p=path), 2)
    assert whole(tmp_path) == before


def without_folder(path: Path) -> tuple[Path, str]:
    return path / "box.sqlite", f"{path} is not there: mkdir -p {path} if it is meant, or choose another --store"


def with_blanks(path: Path) -> tuple[Path, str]:
    folder = path / "my games"
    return folder / "x", f"{folder} is not there: mkdir -p '{folder}' if it is meant, or choose another --store"


def under_a_file(path: Path) -> tuple[Path, str]:
    path.write_text("a file")
    return path / "box.sqlite", f"{path} is no directory: choose another --store"


def dangling(path: Path) -> tuple[Path, str]:
    path.symlink_to(path.with_name("gone") / "box.sqlite")
    gone = path.with_name("gone")
    return path, f"{gone} is not there: mkdir -p {gone} if it is meant, or choose another --store"


@pytest.mark.parametrize(
    "make",
    [
        pytest.param(without_folder, id="missing"),
        pytest.param(with_blanks, id="missing, with blanks"),
        pytest.param(under_a_file, id="a file"),
        pytest.param(dangling, id="missing behind a link"),
    ],
)
def test_a_folder_that_is_none_is_named(tmp_path: Path, make: Callable[[Path], tuple[Path, str]]) -> None:
    given, says = make(tmp_path / "folder")
    before = whole(tmp_path)
    with pytest.raises(UserError) as told:
        store_given.check(given)
    assert str(told.value) == says
    assert whole(tmp_path) == before


def header_gone(path: Path) -> None:
    patch(path, 0, b"\xff" * 100)


def first_page_gone(path: Path) -> None:
    patch(path, 0, bytes(4096))


def link_to_a_store(path: Path) -> None:
    target = path.with_name("target.sqlite")
    filled(target)
    first_page_gone(target)
    path.symlink_to(target)


OURS = [
    pytest.param(lambda p: p.touch(), "is empty", id="empty"),
    pytest.param(locked(lambda p: truncate(p, 50)), "is torn", id="torn in the header"),
    pytest.param(unlocked(lambda p: truncate(p, 4096 * 5 + 17)), "is torn", id="torn, a copy"),
    pytest.param(unlocked(header_gone), "is not a store of this program", id="header gone, a copy"),
    pytest.param(locked(first_page_gone), "is not a store of this program", id="first page gone"),
    pytest.param(link_to_a_store, "is not a store of this program", id="behind a link"),
    pytest.param(unlocked(lambda p: patch(p, 68, b"\0")), "belongs to another program", id="a flipped id, a copy"),
    pytest.param(unlocked(lambda p: patch(p, 100, b"\xee" * 60)), "is damaged", id="schema page, a copy"),
    pytest.param(locked(lambda p: p.write_bytes(b"\xff" * 65536)), "is not a store of this program", id="erased"),
    pytest.param(only_the_wal, "is missing, only its -wal is left", id="only its -wal is left"),
]


@pytest.mark.parametrize(("make", "says"), OURS)
def test_what_was_ours_passes_and_is_set_aside(tmp_path: Path, make: Make, says: str) -> None:
    path = tmp_path / "given.db"
    make(path)
    passes(path)
    store = Store(path)
    assert store.trouble is not None
    assert f" {says}: set aside as " in store.trouble
    store.close()


@pytest.mark.parametrize(
    "make",
    [
        pytest.param(lambda _: None, id="not there yet"),
        pytest.param(filled, id="a store"),
        pytest.param(lambda p: filled(p, cut=True), id="after a power cut"),
        pytest.param(unlocked(), id="a copy"),
        pytest.param(unlocked(sql("VACUUM")), id="rewritten by a database tool"),
    ],
)
def test_a_whole_store_and_a_new_name_pass(tmp_path: Path, make: Make) -> None:
    path = tmp_path / "evening"
    make(path)
    passes(path)
    store = Store(path)
    assert store.trouble is None
    store.close()


def test_the_tables_fit_into_the_page_that_is_searched(tmp_path: Path) -> None:
    path = tmp_path / "box.sqlite"
    Store(path).close()
    page = path.read_bytes()[:4096]
    assert all(statement.encode() in page for statement in store_rows.SCHEMA)
    with sqlite3.connect(path) as db:
        assert db.execute("PRAGMA page_size").fetchone() == (4096,)
    db.close()
