"""What lets the box sleep must not cost news: of a mark that was kept nobody hears, of anything else everybody does."""

from __future__ import annotations

import queue
from pathlib import Path

import pytest

from device import store_thread
from device.store import Store
from device.store_thread import StoreThread
from device.table.saves import Begin, Mark, Setting

PATIENCE = 20.0
NOW = "2026-07-03T20:15:00"


def test_only_marks_that_were_kept_are_not_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_thread, "FIRST_REST", 0.02)
    store = Store(tmp_path / "box.sqlite")
    told: queue.SimpleQueue[tuple[int, bool]] = queue.SimpleQueue()
    thread = StoreThread(store, lambda ticket, trouble: told.put((ticket, trouble is None)), marks=False)
    heard = []
    began = thread.save([Begin({"kind": "match"})], NOW)
    heard.append(told.get(timeout=PATIENCE))
    thread.save([Mark({"played": 1.0})], NOW)
    setting = thread.save([Setting("sound", False)], NOW)
    while not heard or heard[-1][0] != setting:
        heard.append(told.get(timeout=PATIENCE))
    store.broken = True
    failed = thread.save([Mark({"played": 2.0})], NOW)
    heard.append(told.get(timeout=PATIENCE))
    store.broken = False
    heard.append(told.get(timeout=PATIENCE))
    assert thread.close(PATIENCE)
    assert told.empty()
    # Mark and setting may have been written together, and are told together then.
    assert [one for one in heard if one != (began + 1, True)] == [
        (began, True),
        (setting, True),
        (failed, False),
        (failed, True),
    ]
