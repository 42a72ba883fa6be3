"""Our own defects, listeners that raise, a clock that jumps, no handles left: the evening goes on."""

from __future__ import annotations

import itertools
import os
import resource
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from device import service
from device.store import Store
from device.table import lobby, race, results
from device.table.table import Table
from tests.faults.rig import Box


class Defect(Exception):
    """A defect of ours."""


@pytest.fixture
def breaks(monkeypatch: pytest.MonkeyPatch) -> set[int]:
    """Buttons whose press in the scores is a defect."""
    buttons: set[int] = set()
    real = results.Scores.press

    def press(self: results.Scores, t: Table, player: Any, stamp: float, now: float) -> None:
        if player.button in buttons:
            raise Defect("of ours")
        real(self, t, player, stamp, now)

    monkeypatch.setattr(results.Scores, "press", press)
    return buttons


def test_after_a_defect_the_match_goes_on_where_it_stood(
    tmp_path: Path, breaks: set[int], capfd: pytest.CaptureFixture[str]
) -> None:
    with Box(tmp_path / "box.sqlite", scripts=tmp_path) as box:
        box.to_race()
        box.to_draw()
        box.to_scores()
        before = box.service._table.e.with_match()
        breaks.add(2)
        box.press(2)
        box.wait("scene", scene="resume")
        box.wait("notice", about="error")
        assert box.service._table.notice == "error"
        breaks.clear()
        box.press(3)
        box.wait("resumed", round=1)
        assert box.service._table.e.with_match() == before
        box.press(2)
        box.wait("flip")
        box.press(1, 2)
        box.wait("scene", scene="check")
        box.until(lambda: len(list(tmp_path.glob("*.script"))) == 1, "a script")
        box.until(lambda: box.store.last_error() is not None, "the doctor's error")
    assert box.dark
    store = Store(tmp_path / "box.sqlite")
    error = store.last_error()
    store.close()
    assert error is not None
    assert "Defect: of ours" in error[1]
    assert "Defect: of ours" in capfd.readouterr().err


def test_the_third_defect_within_a_minute_gives_the_match_up(tmp_path: Path, breaks: set[int]) -> None:
    with Box(tmp_path / "box.sqlite") as box:
        box.to_race()
        box.to_draw()
        box.to_scores()
        breaks.add(2)
        for _ in range(2):
            box.press(2)
            box.wait("scene", scene="resume")
            box.press(1)
            box.wait("scene", scene="scores")
        box.press(2)
        box.wait("scene", scene="lobby")
        assert box.notices("error")[-1] == "something unexpected happened again: the match is given up"
        breaks.clear()
        box.to_race()
    store = Store(tmp_path / "box.sqlite")
    matches = store.past().matches
    store.close()
    assert [match.unfinished for match in matches] == [True]


def test_a_match_that_breaks_its_own_resume_is_offered_once_and_kept_as_unfinished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "box.sqlite"
    with Box(path) as box:
        box.to_race()

    def view(*_: Any) -> None:
        raise Defect("it cannot even be shown")

    monkeypatch.setattr(lobby.Resume, "view", view)
    for _ in range(2):
        with Box(path) as box:
            box.wait("scene", scene="lobby") if box.said[0].get("scene") != "lobby" else None
            box.press(1)
            box.wait("joined")
    assert not box.notices("error"), "the second start met nothing any more"
    store = Store(path)
    assert store.running() is None
    assert [match.unfinished for match in store.past().matches] == [True]
    store.close()


def test_a_defect_while_the_next_appointment_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    real, asked = race.Race.due, itertools.count()

    def due(self: race.Race, t: Table) -> float:
        if next(asked) == 20:
            raise Defect("nobody knows when")
        return real(self, t)

    with Box() as box:
        monkeypatch.setattr(race.Race, "due", due)
        box.press(1, 2)
        box.hold(1)
        box.press(1)
        box.wait("scene", scene="ready")
        box.press(1)
        box.wait("scene", scene="resume")
        box.press(1)
        box.wait("scene", scene="paused")
        box.press(1)
        box.press(1, 2)
        box.wait("scene", scene="check")


def test_presses_and_news_that_came_with_a_defect_are_not_lost(breaks: set[int]) -> None:
    with Box() as box:
        box.to_race()
        box.to_draw()
        box.to_scores()
        breaks.add(2)
        # All in one gulp of the loop: the display's news behind the press that breaks.
        box.service._hear("oled", "display does not answer (Errno 121): playing on without it")
        box.press(2)
        box.service._hear("oled", "display is back")
        box.wait("notice", about="oled", text="display is back")


def test_a_stop_asked_for_in_the_middle_of_a_defect_stops(monkeypatch: pytest.MonkeyPatch) -> None:
    box = Box().start()
    box.to_race()
    box.to_draw()
    box.to_scores()

    def press(*_: Any) -> None:
        box.service.stop()
        raise Defect("of ours")

    monkeypatch.setattr(results.Scores, "press", press)
    box.press(2)
    box.until(lambda: not box.alive, "it ends")
    assert box.error is None
    assert box.dark


def test_a_listener_that_raises_costs_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    def say(one: dict[str, Any]) -> None:
        raise BrokenPipeError(32, f"nobody reads {one['what']}")

    with Box(say=say) as box:
        box.to_race()
        box.to_draw()
        box.to_scores()
        assert not box.notices("error")
    assert "BrokenPipeError" in capfd.readouterr().err


def test_a_power_off_that_is_refused_is_said_and_play_goes_on() -> None:
    from device.errors import UserError

    def off() -> None:
        raise UserError("cannot switch off: pull the plug", 1)

    with Box(power_off=off) as box:
        box.press(1)
        box.hold(1, 2, 3)
        box.wait("scene", scene="menu")
        box.press(1, 1, 3)
        box.wait("notice", about="power")
        box.press(4)
        box.wait("joined", player="yellow")


def test_a_wall_clock_that_jumps_by_years_changes_nothing_in_mid_glass(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    years = itertools.cycle(("1970-01-01 00:00:00", "2029-11-30 23:59:59", "2026-05-05 20:00:00"))
    monkeypatch.setattr(service, "_wall", lambda: next(years))
    with Box(tmp_path / "box.sqlite") as box:
        box.to_race()
        box.press(2)
        left = box.wait("claim")["left"]
        assert 0 < left <= 5
        assert box.wait("stop")["reason"] == "sand"
        ticks = [one for one in box.of("sound") if one["sound"] == "tick"]
        assert len(ticks) == 4
        assert not box.notices("error")


@contextmanager
def no_handles() -> Iterator[None]:
    """Nothing more can be opened by this process."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    taken = [os.open(os.devnull, os.O_RDONLY)]
    resource.setrlimit(resource.RLIMIT_NOFILE, (taken[0] + 1, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        for handle in taken:
            os.close(handle)


def test_without_a_handle_left_play_goes_on_and_nothing_is_missing(tmp_path: Path) -> None:
    with Box(tmp_path / "box.sqlite", scripts=tmp_path) as box:
        box.to_race()
        with no_handles():
            box.service.record()
            box.to_draw()
            box.to_scores()
            assert not box.notices("error")
        box.press(2)
        box.wait("flip")
    assert box.service.kept
    assert box.dark


def test_a_long_quarrel_of_faults_leaves_no_thread_behind(tmp_path: Path) -> None:
    before = threading.active_count()
    with Box(tmp_path / "box.sqlite", scripts=tmp_path) as box:
        during = threading.active_count()
        for _ in range(5):
            box.chip.fail = OSError(5, "on the bus")
            box.store.broken = True
            box.press(1, 2, 3, 4)
            box.chip.fail = None
            box.store.broken = False
            box.service.record()
            box.press(1, 2, 3, 4)
        box.until(lambda: threading.active_count() <= during, "the threads are as many as before")
    assert threading.active_count() == before
