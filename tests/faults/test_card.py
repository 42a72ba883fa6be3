"""The card fails or stalls while people play: they play on, it is said once, and nothing is missing afterwards."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from device import service
from device.store import Store
from tests.faults.rig import Box
from tests.store.test_faults import (
    IN_PLAY,
    MOUNT,
    Fault,
    full_card,
    path,
    read_only_card,
)

__all__ = ["path"]

AGAIN = "the store can be written again: nothing is missing"
FAULTS = [pytest.param(case.values[0], id=case.id) for case in IN_PLAY]


class Stall:
    """A card that takes its time: every flush waits while this is closed."""

    def __init__(self) -> None:
        self._open = threading.Event()
        self._open.set()

    def close(self) -> None:
        self._open.clear()

    def open(self) -> None:
        self._open.set()

    def wait(self) -> None:
        self._open.wait()


@pytest.fixture
def stall(monkeypatch: pytest.MonkeyPatch) -> Iterator[Stall]:
    made, flush = Stall(), Store.flush

    def slow(self: Store) -> None:
        made.wait()
        flush(self)

    monkeypatch.setattr(Store, "flush", slow)
    yield made
    made.open()


@pytest.mark.parametrize("fault", FAULTS)
def test_a_failing_card_is_said_once_and_heals(path: Path, fault: Fault) -> None:
    with Box(path) as box:
        box.to_race()
        with fault(path):
            box.to_draw()
            box.to_scores()
            box.until(lambda: len(box.notices("store")) == 1, "the card is missed")
            assert "can't be written" in box.notices("store")[0]
            assert box.service._table.notice == "store"
        # Tried again by itself, with nobody pressing anything.
        box.until(lambda: box.notices("store")[1:] == [AGAIN], "the card is well again")
        assert box.service._table.notice == ""
    assert box.service.kept
    assert kept(path)[-3:] == ["confirm", "draw", "draw"]


@pytest.mark.skipif(not MOUNT, reason="needs the right to mount a card")
def test_a_full_card_costs_nothing(path: Path) -> None:
    with Box(path) as box:
        box.to_race()
        with full_card(path):
            box.to_draw()
            box.to_scores()
        box.press(2)
        box.wait("flip")
        # SQLite finds room in its own -wal now and then, so it may come and go more than once.
        box.until(lambda: len(box.notices("store")) % 2 == 0, "the card is well again")
        assert box.notices("store")[1::2] == [AGAIN] * (len(box.notices("store")) // 2)
    assert box.service.kept
    assert kept(path)[-5:] == ["confirm", "draw", "draw", "roll", "flip"]


def kept(path: Path) -> list[str]:
    """The events of the running match in a store that nobody has open."""
    store = Store(path)
    found = store.running()
    store.close()
    assert found is not None
    return [event["event"] for event in found.events]


@pytest.mark.skipif(not MOUNT, reason="needs the right to mount a card")
def test_a_read_only_card_gives_its_match_back_and_takes_it_again_when_it_can(path: Path) -> None:
    with Box(path) as box:
        box.to_race()
        box.press(1)
        box.wait("claim")
    with read_only_card(path):
        box = Box(path).start()
        box.press(1)
        box.wait("resumed", round=1)
        box.wait("scene", scene="paused")
        box.until(lambda: bool(box.notices("store")), "it is missed")
        box.press(1)
        box.press(2)
        box.wait("scene", scene="check")
    box.until(lambda: box.notices("store")[1:] == [AGAIN], "the card is well again")
    box.stop()
    assert kept(path) == ["roll", "flip", "claim", "claim", "end"]


def test_what_is_settled_is_shown_once_it_is_on_disk_and_presses_wait_in_their_order(
    tmp_path: Path, stall: Stall
) -> None:
    with Box(tmp_path / "box.sqlite") as box:
        box.to_race()
        box.to_draw()
        stall.close()
        box.press(1)
        # The next drawer and the one after him press while the card writes; out of turn, too.
        box.press(1, 2, 2)
        assert not box.of("gem")[2:], "a gem was shown that no card has"
        stall.open()
        gems = [box.wait("gem")["player"] for _ in range(2)]
        assert gems == ["red", "blue"]
        box.wait("scene", scene="race")
        refused = [one for one in box.of("sound") if one["sound"] == "refused"]
        assert len(refused) == 1, "red pressed while blue was to draw"


def test_a_card_that_never_answers_is_waited_for_once(
    tmp_path: Path, stall: Stall, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "STALL", 0.5)
    with Box(tmp_path / "box.sqlite") as box:
        box.to_race()
        box.to_draw()
        stall.close()
        box.press(1)
        box.wait("gem", player="red")
        box.wait("notice", about="store", text="the card does not answer: playing on")
        monkeypatch.setattr(service, "STALL", 3600.0)
        box.press(2)
        box.wait("gem", player="blue")
        box.press(2)
        box.wait("flip")
        stall.open()
        box.wait("notice", about="store", text=AGAIN)
        box.press(1, 2)
        box.wait("scene", scene="check")
    assert len(box.notices("store")) == 2


def test_playing_alone_ends_on_time_though_the_card_stalls(tmp_path: Path, stall: Stall) -> None:
    from device.table import alone

    with Box(tmp_path / "box.sqlite") as box, pytest.MonkeyPatch.context() as patch:
        # Five minutes of a second each.
        patch.setattr(alone, "MINUTE", 1.0)
        box.press(3)
        box.wait("joined")
        box.hold(3)
        box.wait("scene", scene="alone")
        box.press(3)
        box.until(
            lambda: len(box.service._mirror.running.events) == 0 if box.service._mirror.running else False, "a goal"
        )
        stall.close()
        box.press(3)
        box.press(3)
        # Nothing of it can be shown, the card has it not; but Stop sounds, and the task counts by its stamp.
        box.until(lambda: box.buzzes, "Stop sounds")
        stall.open()
        assert box.wait("alone")["solved"] == 1


def test_a_store_set_aside_is_said_and_not_called_well_again(tmp_path: Path) -> None:
    path = tmp_path / "box.sqlite"
    path.write_bytes(b"not a store at all" * 100)
    with Box(path) as box:
        box.wait("notice", about="store")
        box.to_race()
        box.to_draw()
        box.to_scores()
        texts = box.notices("store")
    assert len(texts) == 1
    assert "set aside as" in texts[0]
    assert len(list(tmp_path.glob("*.damaged"))) == 1


def test_a_store_torn_in_play_is_set_aside_and_the_match_goes_on_in_a_fresh_one(tmp_path: Path) -> None:
    path = tmp_path / "box.sqlite"
    with Box(path) as box:
        box.to_race()
        with sqlite3.connect(path) as other:
            other.execute("DROP TABLE event")
        box.to_draw()
        box.to_scores()
        box.until(lambda: bool(box.notices("store")), "it is noticed")
    assert kept(path)[-1] == "draw"
    assert "set aside as" in box.notices("store")[0]


def test_the_end_is_in_time_though_card_and_bus_hang(tmp_path: Path, stall: Stall) -> None:
    box = Box(tmp_path / "box.sqlite").start()
    box.to_race()
    stall.close()
    box.press(1)
    box.wait("claim")
    box.chip.stall = 20.0
    began = time.monotonic()
    box.stop()
    took = time.monotonic() - began
    # 0.7 s for each of the two that hang. Had it waited for either, it would have taken for ever or 20 s.
    assert took < 10
    assert not box.buzzes
    assert not any(box.lit)
    assert not box.service.kept
    assert box.error is None
