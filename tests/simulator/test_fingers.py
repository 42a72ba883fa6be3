"""Fingers in virtual time: what becomes of a tap and of a hold when the page, the line or our own thread stalls."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from itertools import count, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.simulator.fingers import SHORTEST, SILENCE, Fingers

HOLD = 1.5
"""Seconds after which the box takes a press for a hold (ruling)."""
PULSE = 0.15
SLACK = 0.06
"""The second look, and a bit."""


class Desk:
    """A clock, what is to be called when, and the edges that came of it as (seconds, button, down)."""

    def __init__(self) -> None:
        self.now = 0.0
        self.edges: list[tuple[float, int, bool]] = []
        self._calls: list[tuple[float, int, Callable[[], None]]] = []
        self._order = count()
        self.fingers = Fingers(self._push, self.later, now=lambda: self.now)

    def _push(self, button: int, down: bool) -> None:
        self.edges.append((round(self.now, 3), button, down))

    def later(self, seconds: float, call: Callable[[], None]) -> None:
        heapq.heappush(self._calls, (self.now + seconds, next(self._order), call))

    def run(self, until: float, *, late: bool = False) -> None:
        """Let time pass. `late`: the thread slept meanwhile, and what was due is called at the end of it."""
        if late:
            self.now = until
        while self._calls and self._calls[0][0] <= until:
            due, _, call = heapq.heappop(self._calls)
            self.now = max(self.now, due)
            call()
        self.now = until

    def at(self, moment: float, word: str, who: str = "page", *buttons: int) -> None:
        """A message of this page comes in."""
        self.run(moment)
        for button in buttons or (1,):
            if word == "down":
                self.fingers.press(who, button)
            elif word == "up":
                self.fingers.release(who, button)
        if word == "still":
            self.fingers.still(who)


@pytest.fixture
def desk() -> Desk:
    return Desk()


def stills(first: float, last: float) -> list[float]:
    return [first + PULSE * number for number in range(int((last - first) / PULSE) + 1)]


@pytest.mark.parametrize(
    ("heard", "up", "earliest", "latest"),
    [
        pytest.param([], 0.08, 0.08, 0.08, id="a tap"),
        pytest.param([], 0.0, SHORTEST, SHORTEST, id="a tap handed over all at once"),
        pytest.param([], 1.0, 1.0, 1.0, id="a tap whose end is late"),
        pytest.param([], 1.58, SILENCE, SILENCE + SLACK, id="a tap whose end waits behind a stall of 1.5 s"),
        pytest.param([], 60.0, SILENCE, SILENCE + SLACK, id="a page that hangs"),
        pytest.param([0.15, 0.3], 1.9, SILENCE + 0.3, HOLD - 0.01, id="a tap of 0.3 s and a stall"),
        pytest.param(stills(0.15, 2.4), 2.5, 2.5, 2.5, id="a hold"),
        pytest.param([0.15, 0.3, *stills(1.3, 2.4)], 2.5, 2.5, 2.5, id="a hold with a hiccup of a second"),
        pytest.param(stills(0.15, 1.8), 9.0, 1.8 + SILENCE, 1.8 + SILENCE + SLACK, id="a hold, then the page hangs"),
    ],
)
def test_how_long_a_button_is_down(desk: Desk, heard: list[float], up: float, earliest: float, latest: float) -> None:
    desk.at(0.0, "down")
    for moment in heard:
        desk.at(moment, "still")
    desk.at(up, "up")
    desk.run(100.0)
    assert [(button, down) for _, button, down in desk.edges] == [(1, True), (1, False)]
    assert earliest <= desk.edges[1][0] <= latest


def test_what_silence_let_go_stays_up_until_it_is_pressed_again(desk: Desk) -> None:
    desk.at(0.0, "down")
    for moment in stills(2.0, 4.0):
        desk.at(moment, "still")
    desk.at(4.0, "up")
    desk.at(4.1, "down")
    desk.at(4.2, "up")
    desk.run(10.0)
    assert [(button, down) for _, button, down in desk.edges] == [(1, True), (1, False)] * 2
    assert [moment for moment, _, _ in desk.edges[2:]] == [4.1, 4.2]


def test_one_page_that_hangs_lets_go_of_all_it_holds_and_of_nobody_elses(desk: Desk) -> None:
    desk.at(0.0, "down", "hanging", 1, 2)
    desk.at(0.0, "down", "lively", 2, 3)
    for moment in stills(0.15, 3.0):
        desk.at(moment, "still", "lively")
    assert [(button, down) for _, button, down in desk.edges] == [(1, True), (2, True), (3, True), (1, False)]
    desk.at(3.0, "up", "lively", 2, 3)
    assert [(button, down) for _, button, down in desk.edges[4:]] == [(2, False), (3, False)]


def test_words_that_wait_because_our_own_thread_was_late_are_read_first(desk: Desk) -> None:
    desk.at(0.0, "down")
    desk.run(3.0, late=True)
    desk.at(3.01, "still")
    desk.run(3.5)
    assert desk.edges == [(0.0, 1, True)]


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["down", "up", "still"]),
            st.sampled_from(["one", "other"]),
            st.integers(1, 4),
            st.floats(0, 2, allow_subnormal=False),
        ),
        max_size=40,
    )
)
def test_edges_alternate_none_is_short_and_silence_ends_all(story: list[tuple[str, str, int, float]]) -> None:
    desk, moment = Desk(), 0.0
    for word, who, button, wait in story:
        moment += wait
        desk.at(moment, word, who, button)
    desk.run(moment + 10.0)
    for button in (1, 2, 3, 4):
        edges = [(when, down) for when, number, down in desk.edges if number == button]
        assert [down for _, down in edges] == [True, False] * (len(edges) // 2)
        assert all(later[0] - earlier[0] >= SHORTEST - 0.002 for earlier, later in pairwise(edges))
