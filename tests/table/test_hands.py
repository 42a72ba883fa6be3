"""Press, hold, two together, three together: what becomes of buttons that are down, by time and by scene."""

from __future__ import annotations

import pytest

from device.table.gestures import Hands
from tests.table.box import Box, Does


def gestures(text: str, until: float = 10.0) -> list[str]:
    """`1+0 1-0.5`: button 1 goes down at 0 s and is let go at 0.5 s. What came of it, with its time."""
    hands, found, now = Hands(), list[str](), 0.0

    def pass_until(t: float) -> None:
        nonlocal now
        while (due := hands.due()) < t:
            held = hands.held()
            name = {1: "hold", 2: "pair"}.get(len(held), "menu")
            found.append(f"{name} {''.join(map(str, held))}@{max(due, now):g}")
        now = t

    for word in text.split():
        button, down, t = int(word[0]), word[1] == "+", float(word[2:])
        pass_until(t)
        if down:
            hands.down(button, t, 0)
        elif hands.up(button, 0) is not None:
            found.append(f"press {button}@{t:g}")
    pass_until(until)
    return found


CASES = [
    pytest.param("1+0 1-0.08", ["press 1@0.08"], id="a press counts at its release"),
    pytest.param("1+0 1-1.499", ["press 1@1.499"], id="a long press"),
    pytest.param("1+0 1-1.6", ["hold 1@1.5"], id="a hold is no press as well"),
    pytest.param("1+0", ["hold 1@1.5"], id="a hold comes once"),
    pytest.param("1+0 2+1 1-1.2 2-1.3", ["press 1@1.2", "press 2@1.3"], id="two overlapping presses"),
    pytest.param("1+0 2+1", ["pair 12@2.5"], id="two together: 1.5 s after the second, and no single hold"),
    pytest.param("1+0 2+1.6", ["hold 1@1.5", "hold 2@3.1"], id="a hold, then another"),
    pytest.param("1+0 2+0.5 2-1 1-3", ["press 2@1", "hold 1@1.5"], id="the other one let go"),
    pytest.param("1+0 2+0 3+0", ["menu 123@2"], id="three together"),
    pytest.param("1+0 2+1 3+1.4 1-9", ["menu 123@3.4"], id="two seconds after the third, and nothing before"),
    pytest.param("1+0 2+0 3+0 4+1 1-9", ["menu 1234@2"], id="the fourth changes nothing"),
    pytest.param(
        "1+0 2+0 3+0 3-1.9 1-3 2-3", ["press 3@1.9", "pair 12@1.9"], id="the third let go too early: two are left"
    ),
    pytest.param(
        "1+0 2+0 3+0 1-3 2-3 3-3 1+4 1-4.1", ["menu 123@2", "press 1@4.1"], id="no press at the menu's releases"
    ),
    pytest.param("1+0 2+0 3+0 3-3 3+4 3-7", ["menu 123@2", "press 3@7"], id="one lifted and put down again: a press"),
    pytest.param("1+0 2+1.6 3+1.7", ["hold 1@1.5", "menu 123@3.7"], id="what was held may still open the menu"),
]


@pytest.mark.parametrize(("edges", "expected"), CASES)
def test_what_becomes_of_buttons(edges: str, expected: list[str]) -> None:
    assert gestures(edges) == expected


def test_a_press_of_another_scene_counts_no_more() -> None:
    hands = Hands()
    hands.down(1, 0.0, turn=3)
    assert hands.up(1, turn=4) is None
    hands.down(1, 1.0, turn=4)
    assert hands.up(1, turn=4) == 1.0


def test_what_has_done_its_work_is_neither_press_nor_hold() -> None:
    hands = Hands()
    hands.down(1, 0.0, 0)
    hands.use(1)
    assert hands.due() == float("inf")
    assert hands.pressed(1) is None
    assert hands.up(1, 0) is None


SCENES = [
    pytest.param(lambda box: box.press(1), "lobby", id="lobby"),
    pytest.param(lambda box: (box.press(1, 2), box.hold(1)), "youngest", id="youngest"),
    pytest.param(lambda box: box.start(), "ready", id="ready"),
    pytest.param(lambda box: box.race(), "race", id="race"),
    pytest.param(lambda box: (box.race(2), box.press(1, 2)), "check", id="check"),
    pytest.param(lambda box: (box.race(2), box.press(1, 2), box.press(1, at=box.now + 3)), "draw", id="draw"),
]


@pytest.mark.parametrize(("go", "scene"), SCENES)
def test_three_together_open_the_menu_in_any_scene_and_do_nothing_else(go: Does, scene: str) -> None:
    box = Box()
    go(box)
    assert box.scene == scene
    before = box.table.e
    box.hold(2, 3, 4)
    assert box.scene == "menu"
    assert (box.table.e.scene, box.table.e.match, box.table.e.joined) == (before.scene, before.match, before.joined)
    box.press(4)
    assert box.scene == scene
    assert (box.table.e.match, box.table.e.joined) == (before.match, before.joined)


def test_a_press_that_began_in_the_draw_rolls_no_die_in_the_scores() -> None:
    box = Box()
    stands = box.race(2)
    box.press(1)
    box.press(1, at=stands + 63)
    assert box.scene == "draw"
    box.edge(2, True, stands + 65)
    box.press(1, at=stands + 66)
    assert box.scene == "scores"
    box.edge(2, False, stands + 66.2)
    box.until(stands + 68)
    assert (box.scene, len(box.of("rolled"))) == ("scores", 1)
    box.press(2)
    assert (box.scene, len(box.of("rolled"))) == ("race", 2)
