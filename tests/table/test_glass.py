"""The glass: seconds of play without the pauses, the end as an appointment, whole seconds that never rise."""

from __future__ import annotations

from math import ceil, inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.table.glass import Play, Sand

STANDING, RUNNING, RESUMED = Play(), Play(since=100.0), Play(12.5, 100.0)

TIMES = [
    pytest.param(STANDING, 50.0, 0.0, inf, id="standing"),
    pytest.param(RUNNING, 100.0, 0.0, 160.0, id="just started"),
    pytest.param(RUNNING, 130.25, 30.25, 160.0, id="running"),
    pytest.param(RUNNING, 99.0, -1.0, 160.0, id="a press from before the start"),
    pytest.param(RESUMED, 100.0, 12.5, 147.5, id="taken up again"),
    pytest.param(RESUMED, 110.0, 22.5, 147.5, id="running on"),
    pytest.param(RUNNING.stop(130.0), 500.0, 30.0, inf, id="stopped"),
    pytest.param(RUNNING.stop(130.0).start(500.0), 510.0, 40.0, 530.0, id="a pause of 370 s counts for nothing"),
    pytest.param(RUNNING.start(140.0), 150.0, 50.0, 160.0, id="starting what runs changes nothing"),
    pytest.param(STANDING.stop(140.0), 150.0, 0.0, inf, id="stopping what stands changes nothing"),
]


@pytest.mark.parametrize(("play", "now", "at", "end"), TIMES)
def test_seconds_of_play(play: Play, now: float, at: float, end: float) -> None:
    assert (play.at(now), play.when(60.0)) == (at, end)


SHOWN = [
    pytest.param(0.0, 60.0, 60, id="full"),
    pytest.param(0.001, 59.999, 60, id="a part of a second is a second"),
    pytest.param(1.0, 59.0, 59, id="a whole second less"),
    pytest.param(59.0, 1.0, 1, id="the last second"),
    pytest.param(59.999, 0.001, 1, id="a millisecond is left"),
    pytest.param(60.0, 0.0, 0, id="over"),
    pytest.param(61.0, 0.0, 0, id="never below nothing"),
    pytest.param(0.1 + 0.2 + 58.7, 1.0, 1, id="the dust of floats is no second"),
]


@pytest.mark.parametrize(("at", "left", "shown"), SHOWN)
def test_what_is_left(at: float, left: float, shown: int) -> None:
    sand = Sand(60.0, 0.0)
    assert sand.left(at) == pytest.approx(left, abs=1e-9)
    assert sand.shown(at) == shown


def test_a_glass_turned_later_ends_later() -> None:
    assert (Sand(60.0, 60.0).end, Sand(60.0, 60.0).shown(60.0), Sand(20.0, 7.5).end) == (120.0, 60, 27.5)


@given(st.floats(5, 600), st.floats(0, 600), st.lists(st.floats(0, 30), min_size=2, max_size=40), st.floats(1e3, 1e9))
def test_the_shown_time_rounds_up_and_never_rises(total: float, turned: float, steps: list[float], now: float) -> None:
    play, sand = Play(turned, now), Sand(total, turned)
    shown = []
    for step in steps:
        now += step
        shown.append(sand.shown(play.at(now)))
        # Rounded up, but for the dust of floats.
        assert -2e-6 < shown[-1] - sand.left(play.at(now)) < 1
    assert shown == sorted(shown, reverse=True)
    assert shown[0] <= ceil(total)


@given(st.lists(st.tuples(st.floats(0, 50), st.floats(0, 1000)), max_size=20))
def test_however_often_it_rests_all_play_is_counted(turns: list[tuple[float, float]]) -> None:
    play, now, played = Play(), 1e6, 0.0
    for runs, rests in turns:
        play = play.start(now)
        now += runs
        played += runs
        play = play.stop(now)
        now += rests
        assert play.at(now) == pytest.approx(played, abs=1e-6)
