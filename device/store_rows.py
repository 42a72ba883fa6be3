"""The running match, the settings and the last error as rows: how they are written, read back and judged.

SQL only on a connection that is handed in. Finished matches are in past.py.
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Iterable
from dataclasses import field
from typing import Any, NoReturn

from device.plain import dataclass
from device.table.saves import Json

SCHEMA = (
    "CREATE TABLE setting (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    # Three parts, so that a mark (up to four a second) rewrites neither the head nor an event.
    "CREATE TABLE head (one INTEGER PRIMARY KEY CHECK (one = 1), text TEXT NOT NULL, seal INTEGER NOT NULL)",
    "CREATE TABLE event (n INTEGER PRIMARY KEY, text TEXT NOT NULL, seal INTEGER NOT NULL)",
    "CREATE TABLE mark (one INTEGER PRIMARY KEY CHECK (one = 1), text TEXT NOT NULL, seal INTEGER NOT NULL,"
    " at TEXT NOT NULL)",
    "CREATE TABLE error (one INTEGER PRIMARY KEY CHECK (one = 1), at TEXT NOT NULL, text TEXT NOT NULL)",
)
TABLES = ("setting", "head", "event", "mark", "error")

# Every statement of the play path by name, so that a test can ask SQLite how it would run each of them.
SQL = {
    "no head": "DELETE FROM head",
    "no events": "DELETE FROM event",
    "no mark": "DELETE FROM mark",
    "keep head": "INSERT INTO head VALUES (1, ?, ?)",
    "keep event": "INSERT INTO event VALUES (?, ?, ?)",
    "keep mark": "INSERT OR REPLACE INTO mark VALUES (1, ?, ?, ?)",
    "keep setting": "INSERT OR REPLACE INTO setting VALUES (?, ?)",
    "keep error": "INSERT OR REPLACE INTO error VALUES (1, ?, ?)",
    "head": "SELECT text, seal FROM head WHERE one = 1",
    "events": "SELECT text, seal FROM event ORDER BY n",
    "mark": "SELECT text, seal, at FROM mark WHERE one = 1",
    "settings": "SELECT key, value FROM setting",
    "error": "SELECT at, text FROM error WHERE one = 1",
}


class Spoiled(ValueError):
    """A row isn't what a box has written into it."""


@dataclass(slots=True)
class Kept:
    """What a store gives back at its opening; no match has begun if `head` is None. `when` labels the newest mark."""

    head: Json | None = None
    events: list[Json] = field(default_factory=list)
    mark: Json = field(default_factory=dict)
    when: str = ""
    settings: dict[str, Any] = field(default_factory=dict)
    error: tuple[str, str] | None = None


def load(db: sqlite3.Connection) -> Kept:
    """All of it. Raises Spoiled."""
    kept = Kept()
    head = db.execute(SQL["head"]).fetchone()
    if head:
        kept.head = _unsealed(*head)
        kept.events = [_unsealed(*row) for row in db.execute(SQL["events"])]
        mark = db.execute(SQL["mark"]).fetchone()
        if mark:
            kept.mark, kept.when = _unsealed(*mark[:2]), str(mark[2])
    kept.settings = {str(key): parsed(value) for key, value in db.execute(SQL["settings"])}
    error = db.execute(SQL["error"]).fetchone()
    kept.error = None if error is None else (str(error[0]), str(error[1]))
    return kept


def keep_begin(db: sqlite3.Connection, head: Json | None) -> None:
    """Put this match, or none, in the place of the one that was running."""
    for statement in ("no head", "no events", "no mark"):
        db.execute(SQL[statement])
    if head is not None:
        db.execute(SQL["keep head"], _sealed(head))


def keep_events(db: sqlite3.Connection, events: Iterable[Json], first: int) -> None:
    """Add events number `first` (from 0) and on."""
    db.executemany(SQL["keep event"], ((n, *_sealed(event)) for n, event in enumerate(events, first)))


def keep_mark(db: sqlite3.Connection, mark: Json, when: str) -> None:
    """Replace the mark."""
    db.execute(SQL["keep mark"], (*_sealed(mark), when))


def keep_setting(db: sqlite3.Connection, key: str, value: Any) -> None:
    """Replace one setting."""
    db.execute(SQL["keep setting"], (key, json.dumps(value, ensure_ascii=False)))


def keep_error(db: sqlite3.Connection, error: tuple[str, str]) -> None:
    """Replace the last error: (when, text)."""
    db.execute(SQL["keep error"], error)


def _sealed(value: Json) -> tuple[str, int]:
    # SQLite notices a broken page but not a flipped bit inside a value: a checksum does.
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text, zlib.crc32(text.encode())


def _unsealed(text: Any, seal: Any) -> Json:
    if not isinstance(text, str) or zlib.crc32(text.encode()) != seal:
        raise Spoiled("a row has changed since it was written")
    value = parsed(text)
    if not isinstance(value, dict):
        raise Spoiled("a row is no object")
    return value


def parsed(text: Any) -> Any:
    """The JSON of a row; Spoiled if it is none, or is deeper than anybody writes."""
    try:
        return json.loads(text, parse_constant=_no_constant)
    except (ValueError, TypeError, RecursionError) as wrong:
        raise Spoiled("a row is no JSON") from wrong


def _no_constant(word: str) -> NoReturn:
    raise Spoiled(f"{word} is no number")
