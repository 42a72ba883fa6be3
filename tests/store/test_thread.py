"""The loop never waits for the card: tickets come back in order when it is on disk, or when it is known not to be."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from device import store_thread
from device.store import Running, Store
from device.store_thread import StoreThread
from device.table.saves import Finish, Setting
from tests.store.games import BEGIN, FINISH, HEAD, LATER, NOW, append, event, mark, outcome

PATIENCE = 20.0  # seconds until a test gives up; none waits that long


class StallingStore(Store):
    """A real store whose card stalls while `flows` is not set."""

    def __init__(self, path: Path) -> None:
        self.flows = threading.Event()
        self.flows.set()
        self.stalled = threading.Event()
        self.writes = 0
        super().__init__(path)

    def flush(self) -> None:
        """Wait for the card, then write."""
        if not self.flows.is_set():
            self.stalled.set()
        assert self.flows.wait(PATIENCE)
        self.writes += 1
        super().flush()


Done = tuple[int, str | None]


class Running_:
    """A store on its thread, and what it said."""

    def __init__(self, path: Path) -> None:
        self.store = StallingStore(path)
        self.told: queue.SimpleQueue[Done] = queue.SimpleQueue()
        self.thread = StoreThread(self.store, lambda ticket, trouble: self.told.put((ticket, trouble)))

    def hear(self, count: int) -> list[Done]:
        return [self.told.get(timeout=PATIENCE) for _ in range(count)]


@pytest.fixture
def box(tmp_path: Path) -> Iterator[Running_]:
    running = Running_(tmp_path / "box.sqlite")
    yield running
    running.store.flows.set()
    running.thread.close(PATIENCE)


def reopened(path: Path) -> Store:
    store = Store(path)
    store.close()
    return store


def test_each_save_is_on_disk_when_its_ticket_is_done(box: Running_, tmp_path: Path) -> None:
    first = box.thread.save([BEGIN], NOW)
    second = box.thread.save([append(1)], NOW)
    assert box.hear(2) == [(first, None), (second, None)]
    assert box.thread.close(PATIENCE)
    assert reopened(tmp_path / "box.sqlite").running() == Running(HEAD, (event(1),), {"left": 30.0}, NOW)


def test_a_save_returns_while_the_card_stalls_and_marks_do_not_pile_up(box: Running_, tmp_path: Path) -> None:
    box.thread.save([BEGIN], NOW)
    box.hear(1)
    box.store.flows.clear()
    tickets = [box.thread.save([mark(60.0)], NOW)]
    assert box.store.stalled.wait(PATIENCE)
    before = box.store.writes
    tickets += [box.thread.save([mark(60 - n / 4)], NOW) for n in range(1, 40)]
    tickets.append(box.thread.save([append(1, left=5.0)], NOW))
    tickets += [box.thread.save([mark(n)], LATER) for n in (4.0, 3.0)]
    assert len(box.thread._queue) == 3, "the marks before, the decision, the newest mark"
    box.store.flows.set()
    assert box.hear(len(tickets)) == [(ticket, None) for ticket in tickets]
    assert box.store.writes - before == 2, "what the stall held, then all the rest in one transaction"
    assert box.thread.close(PATIENCE)
    assert reopened(tmp_path / "box.sqlite").running() == Running(HEAD, (event(1),), {"left": 3.0}, LATER)


def test_a_failing_card_is_told_and_heals_by_itself(
    box: Running_, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_thread, "FIRST_REST", 0.02)
    box.store.broken = True
    ticket = box.thread.save([BEGIN, append(1)], NOW)
    ((told, trouble),) = box.hear(1)
    assert (told, trouble) == (ticket, "box.sqlite can't be written (the card fails): playing on in memory")
    box.store.broken = False
    assert box.hear(1) == [(ticket, None)]
    assert box.thread.close(PATIENCE)
    assert reopened(tmp_path / "box.sqlite").running() == Running(HEAD, (event(1),), {"left": 30.0}, NOW)


def test_while_a_failing_card_rests_saves_are_answered_at_once(box: Running_, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_thread, "FIRST_REST", 3600.0)
    box.store.broken = True
    box.thread.save([BEGIN], NOW)
    box.hear(1)
    writes = box.store.writes
    box.thread.save([append(1)], NOW)
    box.thread.save([append(2)], NOW)
    assert [trouble is not None for _, trouble in box.hear(2)] == [True, True]
    assert box.store.writes == writes
    box.store.broken = False
    assert box.thread.close(PATIENCE), "the end tries once more"


def test_the_past_is_new_before_the_ticket_of_a_finish_is_done(tmp_path: Path) -> None:
    store = Store(tmp_path / "box.sqlite")
    store.save([FINISH], NOW)
    seen: queue.SimpleQueue[list[int]] = queue.SimpleQueue()
    thread = StoreThread(store, lambda *_: seen.put([m.outcome["rounds"] for m in thread.past.matches]))
    assert [match.outcome["rounds"] for match in thread.past.matches] == [3]
    thread.save([BEGIN, Finish(outcome(rounds=5))], NOW)
    assert seen.get(timeout=PATIENCE) == [5, 3]
    assert thread.close(PATIENCE)


def test_closing_writes_what_waits(box: Running_, tmp_path: Path) -> None:
    box.thread.save([BEGIN], NOW)
    box.thread.save([append(*range(9))], NOW)
    box.thread.save([Setting("sound", False)], NOW)
    box.thread.keep_error("KeyError: 'red'", NOW)
    assert box.thread.close(PATIENCE)
    store = reopened(tmp_path / "box.sqlite")
    running = store.running()
    assert running is not None
    assert (len(running.events), store.settings()) == (9, {"sound": False})
    assert store.last_error() == (NOW, "KeyError: 'red'")


def test_closing_is_bounded_when_the_card_hangs(box: Running_) -> None:
    box.store.flows.clear()
    box.thread.save([BEGIN], NOW)
    assert box.store.stalled.wait(PATIENCE)
    assert box.thread.close(0.01) is False


def test_closing_says_when_something_could_not_be_written(box: Running_) -> None:
    box.store.broken = True
    box.thread.save([BEGIN], NOW)
    assert box.thread.close(PATIENCE) is False


def test_a_defect_of_the_listener_or_of_a_save_ends_nothing(tmp_path: Path) -> None:
    told: queue.SimpleQueue[Done] = queue.SimpleQueue()

    def listen(ticket: int, trouble: str | None) -> None:
        told.put((ticket, trouble))
        raise RuntimeError("a defect")

    thread = StoreThread(Store(tmp_path / "box.sqlite"), listen)
    thread.save([BEGIN], NOW)
    assert told.get(timeout=PATIENCE) == (1, None)
    thread.save([Setting("side", {"a", "set"})], NOW)  # type: ignore[arg-type]  # what JSON can't hold
    ticket, trouble = told.get(timeout=PATIENCE)
    assert (ticket, (trouble or "").partition(":")[0]) == (2, "the store met an unexpected TypeError")
    thread.save([Setting("side", "B"), append(1)], NOW)
    assert told.get(timeout=PATIENCE) == (3, None)
    assert thread.close(PATIENCE)
    store = reopened(tmp_path / "box.sqlite")
    assert store.settings() == {"side": "B"}


def test_a_quiet_store_does_not_wake_up(box: Running_, monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float | None] = []
    wait: Callable[[float | None], bool] = box.thread._wake.wait

    def counted(timeout: float | None = None) -> bool:
        waits.append(timeout)
        return wait(timeout)

    monkeypatch.setattr(box.thread._wake, "wait", counted)
    box.thread.save([BEGIN], NOW)
    box.hear(1)
    assert box.thread.close(PATIENCE)
    assert set(waits) <= {None}, "no timeout: it sleeps until there is something to do"
