"""Presses the loop hears of late: what counts is when the button went down, whatever had been said by then.

A glass that is turned late is a whole one.
"""

from __future__ import annotations

import pytest

from device.table.edges import Edge
from tests.table.box import Box


def test_a_claim_heard_late_takes_the_place_of_its_press() -> None:
    box = Box()
    stands = box.race()
    box.press(2, at=stands + 10)
    box.edge(1, True, stands + 9, heard=stands + 10.2)
    box.until(stands + 10.3)
    assert [(one["player"], one["place"], one["left"]) for one in box.of("claim")] == [
        ("blue", 1, pytest.approx(50)),
        ("red", 1, pytest.approx(51)),
    ]
    assert [claim.player for claim in box.table.e.with_match().claims] == ["red", "blue"]


def test_a_claim_in_time_takes_the_second_chance_back() -> None:
    box = Box()
    stands = box.race()
    box.until(stands + 60.05)
    assert [one["chance"] for one in box.of("flip")] == [1, 2]
    box.edge(3, True, stands + 59.99, heard=stands + 60.1)
    box.until(stands + 60.2)
    assert [(one["player"], one["left"]) for one in box.of("claim")] == [("green", pytest.approx(0.01, abs=0.002))]
    assert [one["reason"] for one in box.of("stop")] == ["sand"]
    assert box.scene == "check"
    assert box.sounds[-1][1] == "stop"


def test_a_claim_in_time_opens_the_check_of_a_lost_round() -> None:
    box = Box()
    stands = box.race()
    box.until(stands + 120.05)
    assert box.scene == "scores"
    box.edge(3, True, stands + 119.99, heard=stands + 120.1)
    box.edge(3, False, stands + 121)
    box.until(stands + 123)
    assert box.scene == "check"
    box.press(1)
    box.press(3)
    assert [(one["player"], one["source"]) for one in box.of("gem")] == [("green", "track"), ("green", "bag")]
    assert box.table.e.with_match().track.sapphires == 8


def test_a_press_after_the_end_heard_late_is_late_by_its_own_time() -> None:
    box = Box()
    stands = box.race()
    box.press(1)
    box.edge(2, True, stands + 60.25, heard=stands + 61)
    box.until(stands + 61.1)
    assert [(one["player"], one["by"]) for one in box.of("late")] == [("blue", pytest.approx(0.25))]


def test_a_whole_second_heard_of_at_once_is_played_in_its_order() -> None:
    box = Box()
    stands = box.race()
    box.until(stands + 59.5)
    edges = [Edge(2, True, stands + 59.9), Edge(4, True, stands + 59.95), Edge(1, True, stands + 60.1)]
    box.now = stands + 60.5
    box.table.edges(edges, box.now)
    box.collect()
    box.until(stands + 61)
    assert [one["player"] for one in box.of("claim")] == ["blue", "yellow"]
    assert [(one["player"], one["by"]) for one in box.of("late")] == [("red", pytest.approx(0.1))]
    assert [one["what"] for one in box.of("claim", "stop", "late")] == ["claim", "claim", "stop", "late"]


def held_up(box: Box, seconds: float) -> float:
    """A roll, and the loop held up so long beyond the die's standing; when it was awake again."""
    box.start(2)
    box.press(1)
    box.now += 0.7 + seconds
    box.table.wake(box.now)
    box.collect()
    return box.now


@pytest.mark.parametrize("seconds", [0.3, 2.0, 70.0])
def test_a_box_that_was_held_up_turns_a_full_glass(seconds: float) -> None:
    box = Box()
    turned = held_up(box, seconds)
    assert box.seconds("flip") == [pytest.approx(turned, abs=0.001)]
    box.press(1, at=turned + 10)
    box.until(turned + 60.1)
    assert [one["left"] for one in box.of("claim")] == [pytest.approx(50, abs=0.001)]
    assert [(one["t"], one["reason"]) for one in box.of("stop")] == [(pytest.approx(turned + 60, abs=0.001), "sand")]


def test_nobody_claims_before_the_symbol_was_seen() -> None:
    box = Box()
    box.start(2)
    box.press(1)
    pressed = box.now + 1.5
    box.now += 2.7
    box.edge(1, True, pressed, heard=box.now)
    box.until(box.now + 0.1)
    assert box.of("claim") == []
    assert box.sounds[-1][1] == "refused"
