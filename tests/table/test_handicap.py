"""Seconds taken off the glass for one player: a quiet signal, a dark lamp, and claims after them are late."""

from __future__ import annotations

import pytest

from tests.table.box import Box

CLAIMS = [
    pytest.param(49.9, [("blue", 10.1)], [], id="in time"),
    pytest.param(50.0, [("blue", 10.0)], [], id="exactly at the own end"),
    pytest.param(50.001, [], [("blue", 0.001)], id="a millisecond after it"),
    pytest.param(59.0, [], [("blue", 9.0)], id="while the others still play"),
]


@pytest.mark.parametrize(("at", "claims", "late"), CLAIMS)
def test_a_claim_counts_up_to_the_own_end(
    at: float, claims: list[tuple[str, float]], late: list[tuple[str, float]]
) -> None:
    box = Box(handicap__blue=10)
    stands = box.race()
    box.press(2, at=stands + at)
    assert [(one["player"], one["left"]) for one in box.of("claim")] == [
        (player, pytest.approx(left, abs=0.0011)) for player, left in claims
    ]
    assert [(one["player"], one["by"]) for one in box.of("late")] == [
        (player, pytest.approx(by, abs=0.0001)) for player, by in late
    ]


def test_the_own_end_is_told_by_a_quiet_signal_and_the_lamp() -> None:
    box = Box(handicap__blue=20)
    stands = box.race()
    box.until(stands + 39.99)
    assert "blue" in box.table.lamps.lit
    assert [sound for at, sound in box.sounds if at > stands] == []
    box.until(stands + 40.01)
    assert "blue" not in box.table.lamps.lit
    assert [sound for at, sound in box.sounds if at > stands] == ["tick"]


def test_nobody_waits_for_who_has_no_time_left() -> None:
    box = Box(handicap__blue=10)
    stands = box.race(2)
    box.press(1, at=stands + 55)
    assert [(one["t"], one["reason"]) for one in box.of("stop")] == [(pytest.approx(stands + 55.003, abs=0.001), "all")]
    box = Box(handicap__blue=10)
    stands = box.race(2)
    box.press(1, at=stands + 20)
    box.until(stands + 60)
    assert [(one["t"], one["reason"]) for one in box.of("stop")] == [(pytest.approx(stands + 50, abs=0.001), "all")]


def test_the_second_chance_has_its_own_end() -> None:
    box = Box(handicap__blue=10)
    stands = box.race()
    box.press(2, at=stands + 109.9)
    assert [(one["player"], one["place"]) for one in box.of("claim")] == [("blue", 1)]
