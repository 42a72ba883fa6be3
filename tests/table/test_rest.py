"""What rests while nobody plays: the glass lies on its side in menu, rules and settings, and nobody can claim."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from device.table.scenes import Menu, Race
from tests.table.box import Box, Does

OPENED = [
    pytest.param(lambda box: box.press(2), id="menu"),
    pytest.param(lambda box: (box.press(2), box.press(2), box.press(2), box.press(3)), id="rules"),
    pytest.param(lambda box: ([box.press(2) for _ in range(6)], box.press(3)), id="settings"),
]


@pytest.mark.parametrize("does", OPENED)
def test_the_glass_rests(does: Does) -> None:
    box = Box()
    stands = box.race()
    box.hold(1, 2, 3, at=stands + 20)
    at = box.seconds("scene")[-1] - stands
    does(box)
    box.until(stands + 800)
    assert not box.of("stop", "late")
    assert [one["player"] for one in box.of("claim")] == ["red", "blue", "green"]
    while box.scene != "race":
        box.press(4)
    on = box.seconds("scene")[-1]
    box.press(1, at=on + 5)
    claim = box.of("claim")[-1]
    assert (claim["player"], claim["place"]) == ("red", 1)
    assert claim["left"] == pytest.approx(60 - at - 5, abs=0.002)
    box.until(on + 60)
    assert box.seconds("stop") == [pytest.approx(on + 60 - at, abs=0.001)]


def test_the_shown_time_is_the_same_before_and_after() -> None:
    box = Box()
    stands = box.race()
    box.hold(2, 3, 4, at=stands + 12.3)
    assert isinstance(box.shown, Menu)
    box.until(stands + 100)
    box.press(4)
    shown = box.shown
    assert isinstance(shown, Race)
    assert shown.glass is not None
    assert shown.glass.left == 46  # 60 - 14.3 s: opened two seconds after the third button went down


def test_a_tumbling_die_stands_when_the_menu_closes() -> None:
    box = Box(glass_seconds=60)
    box.start()
    box.press(1)
    rolled = box.now
    box.edge(2, True, rolled + 0.01)
    box.edge(3, True, rolled + 0.01)
    box.edge(4, True, rolled + 0.01)
    box.until(rolled + 3)
    # The die came to rest while the three were held, and play ran for these 1.3 s.
    assert box.scene == "menu"
    assert box.seconds("flip") == [pytest.approx(rolled + 0.7, abs=0.01)]
    assert box.table.e.play.at(box.now) == pytest.approx(1.31, abs=0.02)


def test_a_power_off_rests_the_match() -> None:
    box = Box()
    stands = box.race()
    box.hold(2, 3, 4, at=stands + 10)
    for _ in range(7):
        box.press(2)
    box.press(3)
    assert box.power_off
    box.until(stands + 500)
    assert not box.of("stop")


def test_a_round_given_up_in_the_menu_counts_for_nobody() -> None:
    box = Box(edition="lines")
    box.start(4)
    box.press(2)
    box.until(box.now + 100)
    box.hold(1, 2, 3)
    box.press(2)
    box.press(2)
    box.press(3)
    assert [one["reason"] for one in box.of("stop")] == ["given-up"]
    assert [one["gem"] for one in box.of("returned")] == ["sapphire", "amber"]
    assert box.scene == "scores"


@settings(max_examples=20, deadline=None)
@given(st.lists(st.tuples(st.floats(0.5, 9.0), st.floats(0.1, 300.0)), min_size=1, max_size=4))
def test_however_often_the_menu_is_opened_the_glass_has_its_sixty_seconds(visits: list[tuple[float, float]]) -> None:
    box = Box()
    began, played = box.race(), 0.0
    for plays, rests in visits:
        box.hold(2, 3, 4, at=began + plays)
        played += box.seconds("scene")[-1] - began
        box.press(4, at=box.now + rests)
        began = box.seconds("scene")[-1]
    box.until(began + 60 - played - 0.01)
    assert not box.of("stop")
    assert len(box.of("flip")) == 1
    box.until(began + 60 - played + 0.01)
    assert len(box.of("flip")) == 2


def test_the_menu_takes_back_only_the_presses_that_opened_it() -> None:
    box = Box()
    stands = box.race()
    box.edge(2, True, stands + 10)
    box.press(1, at=stands + 10.2)
    # Blue's button is still down as red, who has claimed and let go, presses again with green for the menu.
    box.edge(1, True, stands + 11)
    box.edge(3, True, stands + 11)
    box.until(stands + 13.1)
    assert box.scene == "menu"
    assert [one["decision"] for one in box.of("undone")] == ["claim", "claim"]
    assert [claim.player for claim in box.table.e.with_match().claims] == ["red"]
