"""The debounce filter as a table of edges: what comes of them, in which order, and when it is known."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.table.contacts import Contacts
from device.table.edges import Edge

CHATTER = " ".join(f"1{'+-'[n % 2]}{n}" for n in range(60))


class Heard:
    """The loop around the contacts. `edges`: (button, down, ms, ms when it was known); `given_up`: which, when."""

    def __init__(self, held: str = "", first: int = 1) -> None:
        self.contacts = Contacts(frozenset(int(n) for n in held))
        self.contacts.first = first
        self.edges: list[tuple[int, bool, float, float]] = []
        self.given_up: list[tuple[int, float]] = []

    def decide(self, ms: float) -> None:
        self.contacts.decide(ms / 1000)
        self.given_up += [(button, round(ms, 3)) for button in self.contacts.given_up]
        self.contacts.given_up.clear()
        while (edge := self.contacts.next()) is not None:
            assert self.contacts.take() == edge
            self.edges.append((edge.button, edge.down, round(edge.stamp * 1000, 3), round(ms, 3)))

    def until(self, ms: float) -> None:
        while self.contacts.due * 1000 < ms - 1e-6:
            self.decide(self.contacts.due * 1000)

    def play(self, text: str) -> Heard:
        """`1+0 1-40`: button 1 goes down at 0 ms and up at 40 ms; then half a second passes."""
        for word in text.split():
            button, down, ms = int(word[0]), word[1] == "+", float(word[2:])
            self.until(ms)
            self.contacts.edge(Edge(button, down, ms / 1000))
            self.decide(ms)
        self.until(self.contacts.due * 1000 if not text else float(text.split()[-1][2:]) + 500)
        return self

    def __str__(self) -> str:
        return " ".join(f"{button}{'-+'[down]}{ms:g}@{known:g}" for button, down, ms, known in self.edges)


CASES = [
    pytest.param("1+0 1-40", "1+0@3 1-40@43", id="a tap of 40 ms"),
    pytest.param("1+0 1-10", "1+0@3 1-10@25", id="a tap of 10 ms: its end is known after 25"),
    pytest.param("1+0 1-3.1", "1+0@3 1-3.1@25", id="just long enough"),
    pytest.param("1+0 1-2", "", id="2 ms is noise"),
    pytest.param("1+0 1-2 1+300 1-380", "1+300@303 1-380@383", id="a press after noise"),
    pytest.param("1+0 1-0.5 1+1 1-1.5 1+2 1-60", "1+0@5 1-60@63", id="bouncing as it goes down"),
    pytest.param("1+0 1-50 1+50.5 1-51", "1+0@3 1-50@54", id="bouncing as it goes up"),
    pytest.param("1+0 1-20 1+21 1-100", "1+0@3 1-100@103", id="a late bounce is the same edge"),
    pytest.param("1+0 1-100 1+120 1-123 1-300", "1+0@3 1-100@103", id="a late bounce of the release"),
    pytest.param("1+0 1-80 1+110 1-190", "1+0@3 1-80@83 1+110@113 1-190@193", id="two taps, 30 ms between"),
    pytest.param("1+0 1-0.5 2+1 1+1.5 1-2 1+3", "1+0@6 2+1@6", id="A bounces to 3 ms, B is clean 1 ms after A"),
    pytest.param("1+0 2+0.1 1-0.5 1+1.5 1-2 1+3", "1+0@6 2+0.1@6", id="0.1 ms after A"),
    pytest.param("2+0 2-0.5 1+1 2+1.5 2-2 2+3", "2+0@6 1+1@6", id="the same with B bouncing first"),
    pytest.param("2+0 1+0.1 2-0.5 2+1.5 2-2 2+3", "2+0@6 1+0.1@6", id="0.1 ms after B"),
    pytest.param("1+0 2+0.1 2-1 2+2", "1+0@3 2+0.1@5", id="the clean one first waits for nobody"),
    pytest.param("1+0 2+1 1-2", "2+1@5", id="noise that began earlier is waited for"),
    pytest.param("3+0 2+1 1+2 4+2.5 3-0.5 3+2.9", "3+0@5.9 2+1@5.9 1+2@5.9 4+2.5@5.9", id="four within 3 ms"),
    pytest.param("1-0 1+0.9 1-80", "1+0@3.9 1-80@83", id="the level was read after it had bounced back"),
    pytest.param("2-0 1+0.6 2+0.9 2-2 2+2.6", "2+0@5.6 1+0.6@5.6", id="so was A's, and B is clean"),
    pytest.param("1-0 1-1", "", id="the level believed is no news"),
    pytest.param(f"{CHATTER} 1-60", "", id="chatter that ends open is nothing"),
    pytest.param(f"{CHATTER} 1+60 1-200", "1+60@160 1-200@203", id="chatter that ends closed is a press once it stood"),
    pytest.param(
        "2+0 " + " ".join(f"1{'+-'[n % 2]}{n + 1}" for n in range(60)),
        "2+0@3",
        id="who began earlier does not wait for chatter that began later",

    ),
]  # fmt: skip


@pytest.mark.parametrize(("edges", "heard"), CASES)
def test_what_comes_of_edges(edges: str, heard: str) -> None:
    # Words may stand in any order: the edges themselves come in the order of their stamps.
    in_order = " ".join(sorted(edges.split(), key=lambda word: float(word[2:])))
    assert str(Heard().play(in_order)) == heard


@pytest.mark.parametrize("first", [1, 2, 3, 4])
def test_exactly_the_same_time_goes_from_the_first_button_on(first: int) -> None:
    heard = Heard(first=first).play("1+0 2+0 3+0 4+0")
    assert [button for button, *_ in heard.edges] == [(first - 1 + n) % 4 + 1 for n in range(4)]


def test_a_burst_is_given_up_after_50_ms_with_one_notice() -> None:
    heard = Heard().play(" ".join([CHATTER.replace("1+1 ", "1+1 2+1 ", 1), "1-60"]))
    assert heard.given_up == [(1, 50.0)]


def test_nobody_waits_longer_than_50_ms_for_chatter() -> None:
    words = sorted([*CHATTER.split(), "1-60", "2+1.5"], key=lambda word: float(word[2:]))
    assert str(Heard().play(" ".join(words))) == "2+1.5@50"


def test_held_since_power_on_does_nothing_until_it_was_let_go() -> None:
    assert str(Heard(held="13").play("2+100 1-500 1+600 1-700 3-900")) == "2+100@103 1+600@603 1-700@703"


def test_bounces_of_letting_go_after_power_on_are_no_press() -> None:
    assert str(Heard(held="1").play("1-500 1+501 1-502 1+510 1-511 1+600")) == "1+600@603"


LEVELS = [
    pytest.param(True, [], 0.3, "1+0@3 1-300@400", id="a lost release heals 100 ms after it was seen"),
    pytest.param(True, [(1, False, 350)], 0.3, "1+0@3 1-350@353", id="an edge that comes after all is believed"),
    pytest.param(False, [], 0.3, "1+300@400", id="a lost press heals, dated when it was first seen"),
]


@pytest.mark.parametrize(("pressed", "later", "seen", "expected"), LEVELS)
def test_a_lost_edge_heals(pressed: bool, later: list[tuple[int, bool, float]], seen: float, expected: str) -> None:
    heard = Heard()
    if pressed:
        heard.play("1+0")
    level = (not pressed, False, False, False)
    heard.contacts.levels(level, seen)
    for button, down, ms in later:
        heard.until(ms)
        heard.contacts.edge(Edge(button, down, ms / 1000))
        heard.decide(ms)
        heard.until(ms + 10)
    heard.contacts.levels(level, seen + 0.099)
    assert not later or heard.contacts.due > 1
    assert later or heard.contacts.due == pytest.approx(seen + 0.1)
    heard.contacts.levels(level, seen + 0.1)
    heard.decide((seen + 0.1) * 1000)
    assert str(heard) == expected


def test_levels_that_agree_ask_for_no_wake_up() -> None:
    heard = Heard().play("1+0")
    heard.contacts.levels((True, False, False, False), 0.5)
    assert heard.contacts.due == float("inf")


def words(edges: list[tuple[int, bool, float]]) -> str:
    """Edges with their distances in ms as a line."""
    ms, found = 0.0, []
    for button, down, gap in edges:
        ms = round(ms + gap, 3)
        found.append(f"{button}{'-+'[down]}{ms}")
    return " ".join(found)


GAPS = st.sampled_from([0.0, 0.1, 0.5, 1.0, 2.9, 3.0, 3.1, 10.0, 25.0, 49.0, 60.0, 120.0])


@given(
    st.lists(st.tuples(st.integers(1, 4), st.booleans(), GAPS), min_size=1, max_size=80),
    st.sampled_from(["", "1", "24"]),
)
def test_of_any_edges(edges: list[tuple[int, bool, float]], held: str) -> None:
    heard = Heard(held).play(words(edges))
    raw = {(int(word[0]), float(word[2:])) for word in words(edges).split()}
    for button in (1, 2, 3, 4):
        mine = [(down, ms, known) for who, down, ms, known in heard.edges if who == button]
        assert [down for down, *_ in mine] == [n % 2 == 0 for n in range(len(mine))], "down and up alternate"
        assert [ms for _, ms, _ in mine] == sorted({ms for _, ms, _ in mine}), "stamps rise"
        assert all((button, ms) in raw for _, ms, _ in mine), "a decided edge is dated by one that was"
        assert all(ms <= known <= ms + 60_000 for _, ms, known in mine), "nothing is known before it was"
        level = [down for who, down, _ in edges if who == button]
        if level and str(button) not in held:
            assert (bool(mine) and mine[-1][0]) == level[-1], "in the end the level is believed"
    assert heard.contacts.due == float("inf")


TAPS = st.lists(
    st.tuples(st.integers(1, 4), st.floats(30, 200), st.lists(st.floats(0.05, 0.9), max_size=4)), min_size=1, max_size=6
)


@given(TAPS, st.lists(st.floats(0.0, 5.0), min_size=6, max_size=6))
def test_bouncing_presses_come_in_the_order_of_their_first_edges(
    taps: list[tuple[int, float, list[float]]], gaps: list[float]
) -> None:
    ms, first, raw = 0.0, {}, []
    for (button, lasts, bounces), gap in zip(taps, gaps, strict=False):
        if button in first:
            continue
        ms = round(ms + gap, 3)
        first[button] = ms
        at = ms
        raw.append((at, button, True))
        for bounce in bounces:
            raw += [(round(at + bounce / 2, 4), button, False), (round(at + bounce, 4), button, True)]
            at = round(at + bounce, 4)
        raw.append((round(at + lasts, 3), button, False))
    heard = Heard().play(" ".join(f"{button}{'-+'[down]}{at}" for at, button, down in sorted(raw)))
    presses = [(button, at) for button, down, at, _ in heard.edges if down]
    assert presses == sorted(first.items(), key=lambda one: (one[1], one[0]))
