"""The store on a thread of its own, so that the loop never waits for the card. What is kept and how: store.py."""

from __future__ import annotations

import contextlib
import threading
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from time import monotonic

from device.plain import dataclass
from device.store import Store
from device.table.saves import Finish, Mark, Save

FIRST_REST, LONGEST_REST = 0.5, 10.0  # seconds between two tries of a failing card


class StoreThread:
    """The store on a thread of its own: the loop never waits for the card.

    `done(ticket, trouble)` is called on the store's thread, once a ticket and in their order, when that save is on
    disk (trouble None) or the card failed (trouble: one line; play goes on and it is written as soon as it can be).
    Once a failed card heals by itself, done is called again with the newest ticket. `past` is the newest Past: to
    be read from any thread, and up to date with a Finish before its ticket is done. marks=False: nothing is said of
    a mark that is on disk, unless the card had failed before: nobody waits for it.
    """

    def __init__(self, store: Store, done: Callable[[int, str | None], None], *, marks: bool = True) -> None:
        self.past = store.past()
        self._store = store
        self._done, self._marks = done, marks
        self._failed = False
        self._wake = threading.Condition()
        self._queue: deque[_Job] = deque()
        self._ticket = 0
        self._closing = False
        self._kept_all = False
        self._thread = threading.Thread(target=self._run, name="store", daemon=True)
        self._thread.start()

    def save(self, saves: Sequence[Save], when: str) -> int:
        """Keep these; gives the ticket that `done` will be called with. Never waits for the card."""
        return self._enqueue(tuple(saves), when)

    def keep_error(self, text: str, when: str) -> int:
        """As Store.keep_error, without waiting."""
        return self._enqueue(text, when)

    def close(self, timeout: float) -> bool:
        """Write all that waits and end the thread, within `timeout` seconds. True if everything is on disk."""
        with self._wake:
            self._closing = True
            self._wake.notify()
        self._thread.join(timeout)
        return not self._thread.is_alive() and self._kept_all

    def _enqueue(self, what: tuple[Save, ...] | str, when: str) -> int:
        with self._wake:
            self._ticket += 1
            job = _Job(self._ticket, what, when)
            # A card that stalls must not pile up four marks a second: only the newest of them matters.
            if self._queue and job.only_marks and self._queue[-1].only_marks:
                self._queue.pop()
            self._queue.append(job)
            self._wake.notify()
            return self._ticket

    def _run(self) -> None:
        rest, again, newest = 0.0, 0.0, 0
        while True:
            jobs, closing = self._next(again if self._store.unsaved else None)
            due = closing or not rest or monotonic() >= again
            trouble = self._work(jobs, due)
            if not self._store.unsaved:
                rest = 0.0
            elif due:
                rest = min(rest * 2 or FIRST_REST, LONGEST_REST)
                again = monotonic() + rest
            if jobs:
                news = self._marks or self._failed or trouble is not None or not all(job.only_marks for job in jobs)
                if news:
                    self._tell(range(newest + 1, jobs[-1].ticket + 1), trouble)
                newest = jobs[-1].ticket
            elif not closing and not self._store.unsaved:
                self._tell((newest,), trouble)
            if closing:
                self._store.close()
                self._kept_all = not self._store.unsaved
                return

    def _tell(self, tickets: Iterable[int], trouble: str | None) -> None:
        self._failed = trouble is not None
        for ticket in tickets:
            # Whatever goes wrong with whoever listens: the next save must be kept all the same.
            with contextlib.suppress(Exception):
                self._done(ticket, trouble)

    def _next(self, again: float | None) -> tuple[list[_Job], bool]:
        with self._wake:
            while not self._queue and not self._closing:
                left = None if again is None else again - monotonic()
                if left is not None and left <= 0:
                    break
                self._wake.wait(left)
            jobs = list(self._queue)
            self._queue.clear()
            return jobs, self._closing

    def _work(self, jobs: Sequence[_Job], due: bool) -> str | None:
        finished = False
        try:
            for job in jobs:
                if isinstance(job.what, str):
                    self._store.keep_error(job.what, job.when)
                else:
                    self._store.save(job.what, job.when, attempt=False)
                    finished = finished or any(isinstance(save, Finish) for save in job.what)
            if due:
                self._store.flush()
            if finished:
                self.past = self._store.past()
        except Exception as defect:  # the thread must outlive our own mistakes: without it nothing is kept at all
            return f"the store met an unexpected {type(defect).__name__}: {defect}"
        return self._store.trouble


@dataclass(frozen=True, slots=True)
class _Job:
    ticket: int
    what: tuple[Save, ...] | str
    when: str

    @property
    def only_marks(self) -> bool:
        return isinstance(self.what, tuple) and all(isinstance(save, Mark) for save in self.what)
