"""A tune that comes with Stop is heard after it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from device.parts.sounds import STOP_SECONDS, TUNES
from device.table import tunes
from device.table.saves import Finish
from tests.table.box import Box


def alone(box: Box) -> None:
    """Five minutes alone, one task solved."""
    box.press(1)
    box.hold(1)
    box.press(3)
    box.press(1)
    box.press(1)
    box.until(box.now + 310)


def eight_rounds(box: Box) -> None:
    """Red leads: first in all of them, and draws the sapphires."""
    box.start(2)
    for number in range(8):
        box.round(number % 2 + 1, 1, 2, 4)


def given_up(box: Box) -> None:
    """The last round given up at the menu, and on at once."""
    eight_rounds(box)
    box.press(1)
    box.until(box.now + 2)
    box.menu()
    for button in (2, 2, 3):
        box.press(button, at=box.now + 0.1)
    box.press(1, at=box.now + 0.1)
    box.until(box.now + 5)


def game_night(box: Box) -> None:
    """The hour of game night, in the middle of Stop."""
    stands = box.race(2)
    box.press(1, at=stands + 10)
    box.press(2, at=stands + 20)
    box.table.game_night(box.now)
    box.collect()
    box.until(box.now + 5)


TOGETHER = [
    pytest.param(alone, "record", id="alone: the minutes are over"),
    pytest.param(given_up, "final", id="a match: the last round given up"),
    pytest.param(game_night, "final", id="the tune of game night"),
]


@pytest.mark.parametrize(("plays", "tune"), TOGETHER)
def test_a_tune_that_comes_with_stop_is_heard_after_it(plays: Callable[[Box], None], tune: str) -> None:
    box = Box(bag="cloth")
    plays(box)
    (stop, _), (at, sound) = box.sounds[-2:]
    assert box.sounds[-2][1] == "stop"
    assert sound == tune
    assert at == pytest.approx(stop + tunes.STOP_LASTS, abs=0.001)
    assert tunes.STOP_LASTS > STOP_SECONDS
    # The transcript says when it sounds.
    assert box.of("sound")[-1] == {"t": at, "what": "sound", "sound": tune}


def test_a_tune_without_stop_is_heard_at_once() -> None:
    box = Box(bag="cloth")
    eight_rounds(box)
    box.press(1)
    box.until(box.now + 1)
    box.press(1)
    box.press(2)
    for at, button in ((3, 1), (0.5, 2), (0.5, 4), (0.5, 1)):
        box.press(button, at=box.now + at)
    ((at, _),) = [one for one in box.sounds if one[1] == "final"]
    assert box.seconds("final") == [at]


def test_every_tune_is_one_the_buzzer_knows() -> None:
    assert set(tunes.TUNES) <= TUNES.keys()


def test_what_came_of_the_minutes_does_not_wait_for_the_tune() -> None:
    box = Box()
    alone(box)
    ((stop, _),) = [one for one in box.sounds if one[1] == "stop"]
    assert box.seconds("alone") == [stop]
    assert box.scene == "final"
    assert isinstance(box.saves[-1], Finish)
