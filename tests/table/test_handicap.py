"""Seconds taken off the glass for one player: a quiet signal, a dark lamp, and claims after them are late."""

from __future__ import annotations

import pytest

from device.config import load
from device.game.players import Player
from device.table.scenes import Settings
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


def handicap_row(box: Box) -> str:
    """What the settings say is taken off for blue."""
    shown = box.shown
    assert isinstance(shown, Settings)
    (row,) = [row for row in shown.rows if row.key == "handicap.blue"]
    return row.value


def test_no_more_is_taken_off_than_the_glass_has_whatever_is_set_first() -> None:
    box = Box(handicap__blue=30)
    box.hold(1, 2, 3)
    for _ in range(6):
        box.press(2)
    box.press(3)
    assert handicap_row(box) == "30"
    # The glass is the fifth line; its second value is 20 seconds.
    for _ in range(4):
        box.press(2)
    box.press(3)
    assert handicap_row(box) == "20"
    while box.shown.rows[box.shown.cursor].key != "handicap.blue":  # type: ignore[union-attr]  # settings, as above
        box.press(2)
    steps = []
    for _ in range(5):
        box.press(3)
        steps.append(handicap_row(box))
    assert steps == ["0", "5", "10", "15", "20"]


def test_a_handicap_as_long_as_the_glass_leaves_no_time_as_the_config_has_it() -> None:
    kept = load(None, settings={"handicap.blue": 30, "glass_seconds": 20}, fallback=None)
    assert kept.config.handicap[Player.BLUE] == 20
    for seconds in (30, 20):
        box = Box()
        box.table.settings = box.table.settings.changed("glass_seconds", 20).changed("handicap.blue", seconds)
        stands = box.race(2)
        box.press(2, at=stands + 5)
        assert [(one["player"], one["by"]) for one in box.of("late")] == [("blue", pytest.approx(5, abs=0.001))]
