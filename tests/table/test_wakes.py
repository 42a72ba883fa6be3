"""When the table wants to be woken: never while nothing moves, ten times a second while sand runs, and to sleep."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from device.table.saves import Append, Mark
from device.table.scenes import Asleep
from device.table.table import DIM_AFTER, SHIFT_EVERY, SLEEP_AFTER
from tests.table.box import Box, Does
from tests.table.test_lamps import rounds

AT_REST = [
    pytest.param(lambda box: box.press(1), {}, id="lobby"),
    pytest.param(lambda box: (box.press(1, 2), box.hold(1)), {}, id="youngest"),
    pytest.param(lambda box: box.start(2), {}, id="ready"),
    pytest.param(lambda box: (box.race(2), box.press(1, 2), box.press(4, at=box.now + 3)), {}, id="check"),
    pytest.param(lambda box: (box.race(2), box.press(1, 2), box.press(1, at=box.now + 3)), {}, id="draw"),
    pytest.param(lambda box: (box.race(2), box.hold(1, 2, 3)), {}, id="menu over a race"),
    pytest.param(lambda box: (box.press(2), box.hold(2)), {}, id="alone: choosing"),
    pytest.param(lambda box: (box.press(2), box.hold(2), box.press(3)), {}, id="alone: ready"),
    pytest.param(lambda box: box.start(2), {"edition": "extreme-fun-size"}, id="stacks"),
]


@pytest.mark.parametrize(("does", "config"), AT_REST)
def test_at_rest_it_is_woken_to_dim_to_wander_and_to_sleep_and_then_never(does: Does, config: dict[str, Any]) -> None:
    box = Box(**config)
    does(box)
    # The last press was let go as the table last moved.
    touched, woken = box.now, len(box.wakes)
    box.until(touched + 3600)
    wanted = [DIM_AFTER + n * SHIFT_EVERY for n in range(int((SLEEP_AFTER - DIM_AFTER) / SHIFT_EVERY) + 1)]
    assert [wake - touched for wake in box.wakes[woken:]] == pytest.approx(wanted, abs=0.01)
    assert isinstance(box.shown, Asleep)
    assert box.quiet


def test_dimming_and_wandering() -> None:
    box = Box()
    box.press(1)
    touched = box.now
    seen = []
    for minute in range(15):
        box.until(touched + minute * 60 + 1)
        show = box.table.show(box.now)
        seen.append((show.dim, show.shift))
    assert seen == [(False, 0)] * 5 + [(True, minute % 4) for minute in range(5, 15)]


def test_the_waking_press_does_nothing_else() -> None:
    box = Box()
    box.until(SLEEP_AFTER + 1)
    assert box.scene == "asleep"
    box.press(1)
    assert (box.scene, box.of("joined")) == ("lobby", [])
    box.until(box.now + SLEEP_AFTER + 1)
    assert box.scene == "asleep"
    box.hold(2)
    assert (box.scene, box.of("joined")) == ("lobby", [])
    box.press(1)
    assert [one["player"] for one in box.of("joined")] == ["red"]


def test_ten_times_a_second_while_sand_runs() -> None:
    box = Box()
    stands = box.race(2)
    woken = len(box.wakes)
    box.until(stands + 20)
    # Ten pictures; of the marks and ticks none needs a wake-up of its own before the last ten seconds.
    assert 195 <= len(box.wakes) - woken <= 205


def test_nobody_who_plays_long_falls_asleep() -> None:
    box = Box(glass_seconds=600)
    stands = box.race(2)
    box.until(stands + 1190)
    assert box.scene == "race"
    box.until(stands + 1201)
    assert box.scene == "scores"
    box.until(stands + 1200 + DIM_AFTER - 1)
    assert not box.table.show(box.now).dim


def test_a_race_is_marked_often_enough_for_a_power_cut() -> None:
    box = Box()
    stands = box.race(2)
    times = []
    while box.now < stands + 30:
        before = len(box.saves)
        box.until(box.now + 0.01)
        if any(isinstance(save, Mark | Append) for save in box.saves[before:]):
            times.append(box.now)
    assert max(late - soon for soon, late in pairwise(times)) <= 0.25


# Each example plays a race twice; the machine may be busy.
@settings(deadline=None, max_examples=25)
@given(hears=st.lists(st.floats(0.01, 7.0), min_size=1, max_size=6), rests=st.booleans())
def test_marks_that_nobody_is_woken_for_are_the_same_marks(hears: list[float], rests: bool) -> None:
    asked, passed = Box(), Box()
    passed.table.marks.asked = False
    for box in (asked, passed):
        # As in a rehearsal: a picture a second, so that most marks fall between two.
        box.table.frame = 1.0
        box.race(2)
        if rests:
            box.hold(1, 2, 3)
            box.press(4)
    for seconds in hears:
        at = asked.now + seconds
        for box in (asked, passed):
            box.until(at)
        newest = [save.mark for save in asked.saves if isinstance(save, Mark | Append)][-1]
        owed = passed.table.marks.owed()
        passed.saves += [owed] if owed else []
        newer = [save.mark for save in passed.saves if isinstance(save, Mark | Append)][-1]
        assert newer == newest
    assert len(passed.wakes) <= len(asked.wakes)


def test_without_a_glass_nothing_is_woken_in_a_playoff() -> None:
    box = Box(bag="cloth")
    box.start(2)
    rounds(box, 9)
    box.press(1)
    box.press(2)
    box.until(box.now + 1)
    assert box.scene == "playoff"
    woken = len(box.wakes)
    box.until(box.now + 200)
    assert len(box.wakes) == woken
