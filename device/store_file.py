"""The store's file: its schema, how it is opened, locked, judged and, if it is no store of ours, set aside.

What is kept in it and when is the business of store.py and past.py.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import sqlite3
import stat
import struct
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import TypeVar

from device import past, store_rows
from device.errors import FAULT_FOUND, UserError

APPLICATION_ID = 0x55424F58  # "UBOX" in the file's header: what tells our store from anybody's SQLite file
VERSION = 1
MAGIC = b"SQLite format 3\0"
LOCKED_BY = "ubongo-box "  # and the pid: the whole text of a lock file, by which a box's lock is known from others'
BUSY = 1.0  # seconds to wait for a foreign program (a sqlite3 shell) that holds the file

# The past, which grows, is left out: starting must cost the same after 10 evenings and after 10,000.
CHECKED = store_rows.TABLES

T = TypeVar("T")


class Damaged(Exception):
    """The file is no store of ours or not a whole one; the text says which."""


class Newer(Damaged):
    """A store of ours, but of a version after this one."""


class Unavailable(Exception):
    """The file can't be used now, but may be later; the text says why."""


@contextlib.contextmanager
def translated() -> Iterator[None]:
    """Turn what SQLite and the system raise into Damaged or Unavailable."""
    try:
        with _sqlite_translated():
            yield
    except OSError as error:
        raise Unavailable(error.strerror or str(error)) from error


@contextlib.contextmanager
def _sqlite_translated() -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        if _is_damage(error):
            raise Damaged("is damaged") from error
        raise Unavailable(str(error)) from error


def _is_damage(error: sqlite3.Error) -> bool:
    code = getattr(error, "sqlite_errorcode", None)
    if code is None:
        # Raised by Python's module itself: a text that is no text any more.
        return str(error).startswith("Could not decode")
    if code == sqlite3.SQLITE_ERROR:
        # Our own statements are right, so a table they don't find is the file's fault.
        return str(error).startswith(("no such table", "no such column")) or "columns" in str(error)
    damage = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT)
    return code & 0xFF in damage or code == sqlite3.SQLITE_IOERR_SHORT_READ


class Lock:
    """That only one box writes this store: a flock on a file beside it, let go by the kernel when the process dies.

    Raises UserError if another holds it, Unavailable if there can be no lock file.
    """

    def __init__(self, path: Path) -> None:
        with translated():
            self._file = _open_lock(_lock_of(path))
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            holder = lock_text(path).removeprefix(LOCKED_BY).strip()
            os.close(self._file)
            if not isinstance(error, BlockingIOError):
                raise Unavailable(error.strerror) from error
            who = f" (pid {holder})" if holder.isdigit() else ""
            raise UserError(
                f"{path} is in use by another ubongo-box{who}: stop that one or give this one its own --store"
            ) from None
        # Only a help for whoever reads it: a full card must not keep the box from its lock.
        with contextlib.suppress(OSError):
            os.ftruncate(self._file, 0)
            os.pwrite(self._file, f"{LOCKED_BY}{os.getpid()}\n".encode(), 0)

    def release(self) -> None:
        """Let others in. The file stays: removing it would let two boxes lock two different files."""
        os.close(self._file)


def _open_lock(beside: Path) -> int:
    flags = os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
    try:
        return os.open(beside, os.O_RDWR | os.O_CREAT | flags, 0o644)
    except OSError:
        # A read-only card still holds the match that was cut off; its lock can be taken through a reading handle.
        return os.open(beside, os.O_RDONLY | flags)


def _lock_of(path: Path) -> Path:
    return path.with_name(path.name + ".lock")


def lock_text(path: Path) -> str:
    """What a lock beside this store says, or nothing."""
    try:
        handle = os.open(_lock_of(path), os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return ""
    try:
        return os.read(handle, 40).decode("ascii", "replace")
    except OSError:
        return ""
    finally:
        os.close(handle)


def check_kind(path: Path) -> None:
    """UserError if something stands there that no store can ever be, and that must not be renamed away."""
    with contextlib.suppress(OSError):
        mode = path.stat().st_mode
        if not stat.S_ISREG(mode):
            kind = "a directory" if stat.S_ISDIR(mode) else "not a regular file"
            raise UserError(f"{path} is {kind}: --store takes a file, it is made if it is missing")


def open_writing(path: Path) -> sqlite3.Connection:
    """The store, made if it is missing. Raises Damaged or Unavailable; what is there is left untouched then."""
    with translated():
        if not path.exists():
            if path.with_name(path.name + "-wal").exists():
                raise Damaged("is missing, only its -wal is left")
            _create(path)
        judge_header(path)
        db = sqlite3.connect(path, timeout=BUSY, isolation_level=None, check_same_thread=False)
        try:
            # WAL: a commit is one append and one fsync, where a rollback journal takes three and, unless
            # synchronous=EXTRA, may still lose the newest commit with the journal's directory entry.
            # FULL: NORMAL syncs only at checkpoints and loses commits at a power cut.
            db.execute("PRAGMA journal_mode=WAL")
            db.execute("PRAGMA synchronous=FULL")
            db.execute("PRAGMA temp_store=MEMORY")
            _judge_tables(db)
        except BaseException:
            db.close()
            raise
        return db


def open_memory() -> sqlite3.Connection:
    """A store that lives as long as its connection."""
    db = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    _lay(db)
    return db


def open_reading(path: Path) -> sqlite3.Connection:
    """The store for reading only, also while a box writes it. Raises Damaged or Unavailable."""
    path = Path(os.path.realpath(path))
    with translated():
        judge_header(path)
        uri, wal = path.as_uri(), path.with_name(path.name + "-wal")
        if wal.exists():
            try:
                return _connect_reading(f"{uri}?mode=ro")
            except sqlite3.OperationalError:
                # Where the directory can't be written SQLite can't make its -shm.
                if _has_content(wal):
                    raise
        # Whoever has the store open has a -wal. Without one nobody writes, and a look must leave nothing behind:
        # SQLite would make a -wal and a -shm even for a reader, and let them lie.
        return _connect_reading(f"{uri}?mode=ro&immutable=1")


def _connect_reading(uri: str) -> sqlite3.Connection:
    db = sqlite3.connect(uri, uri=True, timeout=BUSY, isolation_level=None, check_same_thread=False)
    try:
        db.execute("SELECT count(*) FROM head").fetchone()
    except BaseException:
        db.close()
        raise
    return db


def set_aside(path: Path, now: datetime) -> Path:
    """Rename the file and its -wal and -shm to a dated name and return that; nothing is ever deleted.

    Raises Unavailable.
    """
    base = f"{path.name}.{now:%Y%m%d-%H%M%S}"
    names = (path.with_name(f"{base}{f'-{n}' if n else ''}.damaged") for n in range(1000))
    ends = ("", "-wal", "-shm")
    with translated():
        target = next(t for t in names if not any(os.path.lexists(f"{t}{end}") for end in ends))
        # The -wal first: were the power cut between the two, a fresh store must not find a foreign -wal.
        for end in reversed(ends):
            with contextlib.suppress(FileNotFoundError):
                os.rename(f"{path}{end}", f"{target}{end}")
        _sync_directory(path.parent)
    return target


def _create(path: Path) -> None:
    # Built under another name: a power cut half-way must not leave something that looks like a damaged store.
    fresh = path.with_name(path.name + ".new")
    for end in ("", "-wal", "-shm", "-journal"):
        with contextlib.suppress(FileNotFoundError):
            os.unlink(f"{fresh}{end}")
    with contextlib.closing(sqlite3.connect(fresh, timeout=BUSY, isolation_level=None)) as db:
        db.execute("PRAGMA synchronous=FULL")
        _lay(db)
    handle = os.open(fresh, os.O_RDWR | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
    os.rename(fresh, path)
    _sync_directory(path.parent)


def _lay(db: sqlite3.Connection) -> None:
    db.execute("BEGIN")
    for statement in (*store_rows.SCHEMA, *past.SCHEMA):
        db.execute(statement)
    db.execute(f"PRAGMA application_id={APPLICATION_ID}")
    db.execute(f"PRAGMA user_version={VERSION}")
    db.execute("COMMIT")


def is_sqlite(head: bytes) -> bool:
    """A file that begins so is an SQLite database."""
    return head.startswith(MAGIC)


def is_marked(head: bytes) -> bool:
    """A file that begins so is a store of ours, whole or not."""
    return is_sqlite(head) and head[68:72] == APPLICATION_ID.to_bytes(4, "big")


def judge_header(path: Path) -> None:
    """Raises Damaged (or Newer) if the file's first 100 bytes aren't those of a whole store; OSError."""
    # Read by ourselves, before SQLite sees the file: opening a foreign database could already change it.
    handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    try:
        status = os.fstat(handle)
        if stat.S_ISFIFO(status.st_mode):
            raise Unavailable("it is a FIFO")
        size, head = status.st_size, os.read(handle, 100)
    finally:
        os.close(handle)
    if len(head) < 100:
        raise Damaged("is torn" if size else "is empty")
    if not is_sqlite(head):
        raise Damaged("is not a store of this program")
    if not is_marked(head):
        raise Damaged("belongs to another program")
    page, pages, version = int.from_bytes(head[16:18], "big"), *struct.unpack_from(">I28xI", head, 28)
    if version > VERSION:
        raise Newer(f"was written by a newer version (store {version}, this one knows {VERSION})")
    wal = path.with_name(path.name + "-wal")
    if version < 1 or (pages * (page if page > 1 else 65536) > size and not _has_content(wal)):
        raise Damaged("is torn")


def _has_content(path: Path) -> bool:
    try:
        return path.stat().st_size > 0
    except OSError:
        return False


def _judge_tables(db: sqlite3.Connection) -> None:
    for table in CHECKED:
        verdict = db.execute(f"PRAGMA quick_check({table})").fetchone()
        if verdict != ("ok",):
            raise Damaged("is damaged")


def _sync_directory(directory: Path) -> None:
    handle = os.open(directory, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _state(path: Path) -> tuple[int, int, int] | None:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_ino, status.st_size, status.st_mtime_ns


def is_there(path: Path) -> bool:
    """Something stands there, or it can't be known: then whoever opens it is told why."""
    try:
        os.stat(path)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True
    return True


def reading(path: Path, ask: Callable[[sqlite3.Connection], T]) -> T:
    """What `ask` gives on a reading connection. UserError if the file is damaged or can't be read."""
    before = _state(path)
    try:
        with translated():
            db = open_reading(path)
        # What `ask` does besides reading (it may print) is not the store's fault.
        with contextlib.closing(db), _sqlite_translated():
            return ask(db)
    except (Damaged, store_rows.Spoiled) as error:
        if _state(path) != before:
            raise UserError(f"{path}: a box began to write it meanwhile: ask again", FAULT_FOUND) from error
        what = str(error) if isinstance(error, Damaged) else "is damaged"
        raise UserError(f"{path} {what}", FAULT_FOUND) from error
    except Unavailable as error:
        raise UserError(f"{path}: can't be read: {error}", FAULT_FOUND) from error
