"""Whose press is awaited: lit and blinking lamps of every scene, as a table."""

from __future__ import annotations

from typing import Any

import pytest

from device.table.past import Page, Past
from device.table.scene import SCENES
from tests.table.box import Box, Does


def lamps(box: Box) -> str:
    """`RBgy`: red and blue lit, green blinking … ; `.` is dark."""
    lit, blinking = box.table.lamps.lit, box.table.lamps.blinking
    assert not lit & blinking
    assert (lit | blinking) <= {"red", "blue", "green", "yellow"}
    return "".join(
        p[0].upper() if p in lit else p[0] if p in blinking else "." for p in ("red", "blue", "green", "yellow")
    )


def rounds(box: Box, count: int) -> Box:
    """Whole rounds of two players up to the scores; they draw gems of the same worth from a cloth bag."""
    for number in range(count):
        roller = number % 2 + 1
        box.round(roller, roller, 4, 2)
    return box


def claimed(box: Box, *buttons: int, players: int = 4) -> Box:
    """A race in which these claim, up to two seconds after its end."""
    stands = box.race(players)
    for button in buttons:
        box.press(button)
    if len(buttons) < players:
        box.until(stands + 60.01)
    box.until(box.now + 2.01)
    return box


def drawing(box: Box, *buttons: int, players: int = 4) -> Box:
    """The same, up to the first draw."""
    claimed(box, *buttons, players=players)
    box.press(1)
    return box


def cases() -> list[Any]:
    """(what is done, config, lamps)."""
    cloth, stacks = {"bag": "cloth"}, {"edition": "extreme-fun-size"}
    return [
        pytest.param(lambda box: box.until(1), {}, "rbgy", id="lobby: everybody may join"),
        pytest.param(lambda box: box.press(1, 3), {}, "RbGy", id="lobby: lit who is in"),
        pytest.param(lambda box: (box.press(1, 3), box.hold(1)), {}, "r.g.", id="youngest: one who plays"),
        pytest.param(lambda box: box.start(4, 3), {}, "..g.", id="ready: the roller"),
        pytest.param(lambda box: box.start(3), {"edition": "lines"}, "rbg.", id="ready: anybody reveals"),
        pytest.param(lambda box: (box.start(4, 3), box.press(3)), {}, "....", id="race: the die tumbles"),
        pytest.param(lambda box: box.race(3), {}, "RBG.", id="race: who plays"),
        pytest.param(lambda box: (box.race(), box.press(2)), {}, "R.GY", id="race: who has not claimed"),
        pytest.param(
            lambda box: box.until(box.race() + 51), {"handicap__blue": 10}, "R.GY", id="race: whose time is not over"
        ),
        pytest.param(
            lambda box: (box.start(2, 1), box.press(1), box.until(box.now + 1)),
            {"edition": "3d"},
            "r...",
            id="rolled: the roller turns the glass",
        ),
        pytest.param(lambda box: (box.race(2), box.press(1, 2)), {}, "....", id="check: look first"),
        pytest.param(lambda box: claimed(box, 1, 2, players=2), {}, "RB..", id="check: any player goes on"),
        pytest.param(lambda box: drawing(box, 3, 2), {}, "..g.", id="draw: the finisher"),
        pytest.param(lambda box: drawing(box, 3, 2), cloth, "RBGY", id="draw: the colours in the bag"),
        pytest.param(
            lambda box: (drawing(box, 3, 2), box.press(3), box.press(2)), {}, ".b..", id="scores: the next roller"
        ),
        pytest.param(lambda box: (box.start(2), rounds(box, 9)), cloth, "rb..", id="last scores: any player goes on"),
        pytest.param(lambda box: (box.start(2), rounds(box, 9), box.press(1)), cloth, ".b..", id="playoff: its roller"),
        pytest.param(
            lambda box: (box.start(2), rounds(box, 9), box.press(1), box.press(2), box.until(box.now + 1)),
            cloth,
            "RB..",
            id="playoff: the tied",
        ),
        pytest.param(
            lambda box: (
                *(box.start(2), rounds(box, 9), box.press(1), box.press(2), box.until(box.now + 1)),
                *(box.press(1), box.press(1, at=box.now + 3)),
            ),
            cloth,
            "RB..",
            id="final: who played",
        ),
        pytest.param(lambda box: box.start(2), stacks, "RBGY", id="stacks: all four"),
        pytest.param(lambda box: (box.start(2), box.press(3)), stacks, "RB.Y", id="stacks: what nobody took"),
        pytest.param(
            lambda box: (box.start(2, 2), box.press(3), box.press(1)), stacks, ".b..", id="stacks taken: the starter"
        ),
        pytest.param(lambda box: (box.press(2), box.hold(2)), {}, "RBGY", id="alone: a goal"),
        pytest.param(lambda box: (box.press(2), box.hold(2), box.press(3)), {}, ".b..", id="alone: the own button"),
        pytest.param(
            lambda box: (box.press(2), box.hold(2), box.press(3), box.press(2)),
            {},
            "RbGY",
            id="alone: solved, or set aside",
        ),
        pytest.param(lambda box: (box.menu(5), box.press(3)), {}, "RBGY", id="count"),
        pytest.param(lambda box: (box.race(2), box.menu()), {}, "RBGY", id="menu"),
        pytest.param(lambda box: (box.menu(3), box.press(3)), {}, "RBGY", id="rules"),
        pytest.param(lambda box: (box.menu(6), box.press(3)), {}, "RBGY", id="settings"),
        pytest.param(lambda box: (box.menu(8), box.press(3)), {}, "RBGY", id="history"),
        pytest.param(lambda box: (box.start(2), box.until(box.now + 901)), {}, "....", id="asleep"),
    ]


@pytest.mark.parametrize(("does", "config", "expected"), cases())
def test_whose_press_is_awaited(does: Does, config: dict[str, Any], expected: str) -> None:
    box = Box(past=Past({}, (Page("matches", "", ()),)), **config)
    does(box)
    assert lamps(box) == expected


def test_every_scene_is_in_the_table() -> None:
    seen = {"resume", "paused"}  # after a power cut: tests/rehearsal/evenings/a-cut-in-every-scene
    for case in cases():
        does, config, _ = case.values
        box = Box(past=Past({}, (Page("matches", "", ()),)), **config)
        does(box)
        seen.add(box.scene)
    assert seen == {*SCENES, "asleep"}


@pytest.mark.parametrize(("does", "config", "expected"), cases())
def test_a_dark_lamp_means_that_a_press_does_nothing_to_the_match(
    does: Does, config: dict[str, Any], expected: str
) -> None:
    for button, lamp in enumerate(expected, 1):
        box = Box(past=Past({}, (Page("matches", "", ()),)), **config)
        does(box)
        before = box.table.e.match
        if lamp == "." and box.scene != "asleep":
            box.press(button, at=box.now + 0.01)
            assert box.table.e.match == before
