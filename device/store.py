"""What must outlive the power: the running match, finished ones, settings made on the box. One thread owns a Store.

Memory holds the truth of the evening; a flush writes what the file hasn't got yet. So a card that fails and heals
loses nothing. No rule of a game is known here: events are rows, an outcome is a row and what it adds to the sums.
"""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from device import past, store_file, store_rows
from device.errors import UserError
from device.past import Past
from device.plain import dataclass
from device.store_file import Damaged, Unavailable
from device.table.saves import Append, Begin, Finish, Json, Mark, Save, Setting

SHOWN = 20  # matches that the box itself lists


@dataclass(frozen=True, slots=True)
class Running:
    """A match that was cut off: what Begin, Append and Mark gave, in order; `when` labels the newest of them."""

    head: Json
    events: tuple[Json, ...]
    mark: Json
    when: str


class Store:
    """The store in `path`, or in memory only (None). Raises UserError if another box uses it or it can be no file.

    `trouble` is one line for the screen: the file had to be set aside, or can't be written just now; else None.
    No method raises for the card's sake: what couldn't be written is kept and written by a later save.
    `broken`: while True every write fails as on a failing card (for rehearsals and tests).
    `now` gives the wall time that names a file set aside.
    """

    def __init__(self, path: Path | None, *, now: Callable[[], datetime] = datetime.now) -> None:
        self.broken = False
        self.trouble: str | None = None
        # SQLite keeps its -wal beside the real file: so must the lock and whatever is set aside.
        self._path = None if path is None else Path(os.path.realpath(path))
        self._now = now
        self._lock: store_file.Lock | None = None
        self._db: sqlite3.Connection | None = None
        self._inode: tuple[int, int] | None = None
        if self._path is not None:
            store_file.check_kind(self._path)
        self._start()

    def save(self, saves: Sequence[Save], when: str, *, attempt: bool = True) -> None:
        """Keep these, all or none of them: on disk when this returns and `unsaved` is False. `when` is a label.

        attempt=False only takes them into memory, while a failing card is given a rest.
        """
        for save in saves:
            self._take(save, when)
        if attempt:
            self.flush()

    def flush(self) -> None:
        """Write what isn't on disk yet; `trouble` says if that failed."""
        if not self.unsaved:
            return
        self.trouble = None
        try:
            self._write()
        except Unavailable as error:
            self._cannot(error)

    @property
    def unsaved(self) -> bool:
        """Something waits in memory for a card that can be written."""
        return bool(
            self._anew
            or self._on_disk < len(self._kept.events)
            or self._mark_waits
            or self._settings_wait
            or self._finished
            or self._error_waits
        )

    def running(self) -> Running | None:
        """The match that has begun and not finished."""
        kept = self._kept
        if kept.head is None:
            return None
        # Through JSON, so that it is the same before and after a power cut, and nobody's to change.
        head, events, mark = json.loads(json.dumps((kept.head, kept.events, kept.mark)))
        return Running(head, tuple(events), mark, kept.when)

    def settings(self) -> dict[str, Any]:
        """Settings made on the box by config key. They may have become wrong since: config judges them."""
        return dict(self._kept.settings)

    def past(self, limit: int = SHOWN) -> Past:
        """The newest matches, all tallies and records, also those that still wait for the card."""
        found = Past()
        # Without the card there is only what came after it failed.
        with contextlib.suppress(Damaged, Unavailable, ValueError), self._reader() as db:
            found = past.read(db, limit)
        for number, when, outcome in self._finished:
            found = past.add(found, number, when, outcome, limit)
        return found

    def keep_error(self, text: str, when: str) -> None:
        """Keep the last unexpected error for `doctor`: the journal is gone after a reboot."""
        self._take_error(text, when)
        self.flush()

    def last_error(self) -> tuple[str, str] | None:
        """(when, text) of the last unexpected error."""
        return self._kept.error

    def cut(self) -> None:
        """The power goes and comes back: what isn't on disk is gone, the same store is opened anew."""
        if self._path is not None:
            self._let_go()
        self.trouble = None
        self._start()

    def close(self) -> None:
        """Write what can be written, then let the file go."""
        self.flush()
        self._let_go()
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    # What is in memory.

    def _start(self) -> None:
        self._kept = store_rows.Kept()
        self._loaded = self._unoffered = False
        # What the file hasn't got. `_anew`: the running match in the file is another one or none.
        self._anew = self._mark_waits = self._error_waits = False
        self._on_disk = 0
        self._settings_wait: set[str] = set()
        self._finished: list[tuple[int, str, Json]] = []
        self._next_match = 1
        try:
            self._open()
            if self.unsaved:
                self._write()
        except Unavailable as error:
            self._cannot(error)
            # A card that can be read but not written still gives back the match that was cut off.
            if not self._loaded:
                with contextlib.suppress(Damaged, Unavailable), self._reader() as db:
                    self._believe(self._load(db))

    def _believe(self, kept: store_rows.Kept) -> None:
        self._kept, self._on_disk, self._loaded = kept, len(kept.events), True

    def _take(self, save: Save, when: str) -> None:
        kept = self._kept
        match save:
            case Setting(key, value):
                kept.settings[key] = value
                self._settings_wait.add(key)
                return
            case Finish(outcome):
                self._finish(outcome, when)
                self._replace(None)
                return
            case Begin(head):
                if self._unoffered and kept.head is not None:
                    self._give_up(kept.head, kept.when)
                self._replace(head)
            case Append(events, mark):
                kept.events.extend(events)
                kept.mark = mark
            case Mark(mark):
                kept.mark = mark
        kept.when, self._mark_waits = when, True

    def _replace(self, head: Json | None) -> None:
        kept = self._kept
        kept.head, kept.events, kept.mark, kept.when = head, [], {}, ""
        self._anew, self._on_disk, self._mark_waits = True, 0, False

    def _finish(self, outcome: Json, when: str) -> None:
        self._finished.append((self._next_match, when, outcome))
        self._next_match += 1

    def _give_up(self, head: Json, when: str) -> None:
        # A match that came to light too late to be offered: all that is known is that it was begun.
        self._finish({**head, "unfinished": True}, when)
        self._unoffered = False

    def _take_error(self, text: str, when: str) -> None:
        self._kept.error, self._error_waits = (when, text), True

    # What is in the file.

    def _cannot(self, error: Unavailable) -> None:
        where = self._path.name if self._path else "the store"
        self.trouble = f"{where} can't be written ({error}): playing on in memory"

    def _let_go(self) -> None:
        if self._db is not None:
            with contextlib.suppress(sqlite3.Error):
                self._db.close()
            self._db = None

    @contextlib.contextmanager
    def _reader(self) -> Iterator[sqlite3.Connection]:
        with store_file.translated():
            if self._db is not None:
                yield self._db
            elif self._path is not None:
                with contextlib.closing(store_file.open_reading(self._path)) as db:
                    yield db
            else:
                raise Unavailable("there is no file")

    def _open(self) -> sqlite3.Connection:
        """A connection to write on, what is in the file brought together with memory. Raises Unavailable."""
        path = self._path
        if path is None:
            self._db = self._db or store_file.open_memory()
            self._believe(self._load(self._db))
            self._next_match = past.next_number(self._db)
            return self._db
        with store_file.translated():
            if path.parent.exists() and not path.parent.is_dir():
                raise Unavailable(f"{path.parent} is no directory")
            path.parent.mkdir(parents=True, exist_ok=True)
        self._lock = self._lock or store_file.Lock(path)
        try:
            try:
                return self._attach(path)
            except Damaged as damage:
                self._set_aside(path, damage)
                return self._attach(path)
        except Damaged as again:
            self._let_go()
            raise Unavailable(f"a fresh store {again} at once") from again
        except BaseException:
            self._let_go()
            raise

    def _attach(self, path: Path) -> sqlite3.Connection:
        self._db = store_file.open_writing(path)
        kept = self._load(self._db)
        with store_file.translated():
            status = path.stat()
            self._inode = (status.st_dev, status.st_ino)
            if self._loaded or self.unsaved:
                self._merge(self._db, kept)
            else:
                # Before the past is looked at: should that be damaged, the match at least is known and kept.
                self._believe(kept)
                self._next_match = past.next_number(self._db)
        return self._db

    def _set_aside(self, path: Path, damage: Damaged) -> None:
        # Closed first: SQLite removes the -wal by its name, which would be the fresh file's by then.
        self._let_go()
        target = store_file.set_aside(path, self._now())
        self.trouble = f"{path.name} {damage}: set aside as {target.name}, starting afresh"

    def _load(self, db: sqlite3.Connection) -> store_rows.Kept:
        try:
            with store_file.translated():
                return store_rows.load(db)
        except store_rows.Spoiled as wrong:
            raise Damaged("is damaged") from wrong

    def _merge(self, db: sqlite3.Connection, disk: store_rows.Kept) -> None:
        """The file is back after a failure, or another stands in its place: find out what it hasn't got."""
        kept = self._kept
        # A commit that was said to have failed may be there nevertheless: never write it twice.
        waiting = [finished for finished in self._finished if not past.has(db, *finished)]
        self._finished, self._next_match = [], past.next_number(db)
        if not self._loaded and disk.head is not None:
            self._unoffered = True
            if self._anew:
                self._give_up(disk.head, disk.when)
        for _, when, outcome in waiting:
            self._finish(outcome, when)
        if self._loaded or self._anew:
            self._anew, self._on_disk, self._mark_waits = True, 0, kept.head is not None
        else:
            kept.head, kept.events, kept.mark, kept.when = disk.head, disk.events, disk.mark, disk.when
            self._on_disk = len(disk.events)
        kept.settings = {**disk.settings, **kept.settings}
        self._settings_wait = {key for key, value in kept.settings.items() if disk.settings.get(key, ...) != value}
        self._error_waits = kept.error is not None and kept.error != disk.error
        kept.error = kept.error or disk.error
        self._loaded = True

    def _write(self) -> None:
        if self.broken:
            raise Unavailable("the card fails")
        try:
            try:
                self._transaction(self._connection())
            except Damaged as damage:
                if self._path is None:
                    raise
                self._set_aside(self._path, damage)
                # A fresh file is made, and all that memory holds is written into it.
                self._transaction(self._connection())
        except Damaged as damage:
            self._let_go()
            raise Unavailable(f"it {damage}") from damage
        except UserError as busy:
            raise Unavailable(str(busy)) from busy
        except Unavailable:
            # A new connection heals most: a card that was mounted again, a directory that came back.
            if self._path is not None:
                self._let_go()
            raise
        self._anew = self._mark_waits = self._error_waits = False
        self._on_disk = len(self._kept.events)
        self._settings_wait.clear()
        self._finished.clear()

    def _connection(self) -> sqlite3.Connection:
        if self._db is not None and self._path is not None and not self._in_place(self._path):
            self._let_go()
        return self._db or self._open()

    def _in_place(self, path: Path) -> bool:
        # SQLite would go on writing into a file that was removed or replaced, and all of it would be lost.
        try:
            status = os.stat(path)
        except OSError:
            return False
        return self._inode == (status.st_dev, status.st_ino)

    def _transaction(self, db: sqlite3.Connection) -> None:
        kept = self._kept
        with store_file.translated():
            db.execute("BEGIN IMMEDIATE")
            try:
                for number, when, outcome in self._finished:
                    past.keep(db, number, when, outcome)
                if self._anew:
                    store_rows.keep_begin(db, kept.head)
                store_rows.keep_events(db, kept.events[self._on_disk :], self._on_disk)
                if self._mark_waits:
                    store_rows.keep_mark(db, kept.mark, kept.when)
                for key in self._settings_wait:
                    store_rows.keep_setting(db, key, kept.settings[key])
                if self._error_waits and kept.error:
                    store_rows.keep_error(db, kept.error)
                db.execute("COMMIT")
            except BaseException as wrong:
                with contextlib.suppress(sqlite3.Error):
                    db.execute("ROLLBACK")
                if isinstance(wrong, store_rows.Spoiled):
                    raise Damaged("is damaged") from wrong
                raise
