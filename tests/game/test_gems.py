"""Gems and what they are worth, the multisets they lie in, and what "to the left" means at a table with gaps."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from device.game.gems import GEMS, Gem, Gems
from device.game.players import SEATS, Player, at_button, from_seat, in_seat_order, left_of
from tests.game.play import AMBER, BLUE, EMERALD, GREEN, RED, RUBY, SAPPHIRE, YELLOW, start

some_gems = st.builds(Gems, *(st.integers(0, 30) for _ in GEMS))
some_seats = st.sets(st.sampled_from(SEATS), min_size=1)


@pytest.mark.parametrize(
    ("held", "points"),
    [
        pytest.param(Gems(), 0, id="nothing"),
        pytest.param(Gems(ruby=1), 4, id="a ruby"),
        pytest.param(Gems(sapphire=1), 3, id="a sapphire"),
        pytest.param(Gems(emerald=1), 2, id="an emerald"),
        pytest.param(Gems(amber=1), 1, id="an amber"),
        pytest.param(Gems(1, 1, 3, 3), 16, id="the rules' worked example"),
        pytest.param(Gems(10, 19, 10, 19), 136, id="all 58"),
    ],
)
def test_points(held: Gems, points: int) -> None:
    assert held.points == points


@pytest.mark.parametrize("edition", ["classic", "lines", "3d"])
def test_setup_has_58_gems_and_40_of_them_in_the_bag(edition: str) -> None:
    match = start(edition)
    assert match.bag == Gems(10, 10, 10, 10)
    assert match.bag + Gems(sapphire=match.track.sapphires, amber=match.track.ambers) == Gems(10, 19, 10, 19)


def test_buttons_stand_for_gems_dearest_first() -> None:
    assert GEMS == (RUBY, SAPPHIRE, EMERALD, AMBER)


@pytest.mark.parametrize("gem", GEMS)
def test_no_gem_can_be_taken_where_none_is(gem: Gem) -> None:
    held = Gems(1, 1, 1, 1).plus(gem, -1)
    with pytest.raises(ValueError, match="negative"):
        held.plus(gem, -1)
    assert held[gem] == 0


def test_gems_cannot_be_changed_in_place_and_are_good_keys() -> None:
    held = Gems(1, 2, 3, 4)
    with pytest.raises(FrozenInstanceError):
        held.ruby = 9  # type: ignore[misc]  # what is tested is that it fails
    assert {held: "here"}[Gems(1, 2, 3, 4)] == "here"


@settings(deadline=None)
@given(some_gems, some_gems, some_gems)
def test_gems_add_up_like_numbers(a: Gems, b: Gems, c: Gems) -> None:
    assert a + b == b + a
    assert (a + b) + c == a + (b + c)
    assert a + Gems() == a
    assert len(a + b) == len(a) + len(b)
    assert (a + b).points == a.points + b.points


@settings(deadline=None)
@given(some_gems, st.sampled_from(GEMS), st.integers(0, 9))
def test_what_is_put_in_can_be_taken_out(held: Gems, gem: Gem, count: int) -> None:
    more = held.plus(gem, count)
    assert more[gem] == held[gem] + count
    assert all(more[other] == held[other] for other in GEMS if other is not gem)
    assert more.plus(gem, -count) == held


@settings(deadline=None)
@given(some_gems)
def test_gem_by_gem_is_the_whole(held: Gems) -> None:
    assert list(held) == sorted(held, key=GEMS.index)
    assert {gem: list(held).count(gem) for gem in GEMS} == {gem: held[gem] for gem in GEMS}
    assert Gems(**held.as_dict()) == held


@pytest.mark.parametrize(
    ("players", "first", "order"),
    [
        pytest.param(SEATS, RED, (RED, BLUE, GREEN, YELLOW), id="four from red"),
        pytest.param(SEATS, GREEN, (GREEN, YELLOW, RED, BLUE), id="four from green"),
        pytest.param((RED, GREEN), GREEN, (GREEN, RED), id="two opposite"),
        pytest.param((RED, GREEN), BLUE, (GREEN, RED), id="from an empty seat: the next one left of it"),
        pytest.param((BLUE,), YELLOW, (BLUE,), id="one"),
    ],
)
def test_clockwise_from(players: tuple[Player, ...], first: Player, order: tuple[Player, ...]) -> None:
    assert from_seat(players, first) == order


@pytest.mark.parametrize(
    ("players", "player", "left"),
    [
        pytest.param(SEATS, RED, BLUE, id="red to blue"),
        pytest.param(SEATS, YELLOW, RED, id="yellow round to red"),
        pytest.param((RED, GREEN), RED, GREEN, id="over a gap"),
        pytest.param((RED, BLUE), BLUE, RED, id="over two gaps"),
        pytest.param((RED, BLUE), GREEN, RED, id="from a seat that does not play"),
        pytest.param((GREEN,), GREEN, GREEN, id="alone"),
    ],
)
def test_left_of(players: tuple[Player, ...], player: Player, left: Player) -> None:
    assert left_of(players, player) == left


@settings(deadline=None)
@given(some_seats, st.sampled_from(SEATS))
def test_passing_left_visits_everybody_once(players: set[Player], first: Player) -> None:
    player, visited = from_seat(players, first)[0], list[Player]()
    for _ in players:
        visited.append(player)
        player = left_of(players, player)
    assert tuple(visited) == from_seat(players, first)
    assert player == visited[0]
    assert in_seat_order(visited) == tuple(p for p in SEATS if p in players)


def test_buttons_are_seats() -> None:
    assert {player: player.button for player in SEATS} == {RED: 1, BLUE: 2, GREEN: 3, YELLOW: 4}
    assert [at_button(button) for button in (1, 2, 3, 4)] == list(SEATS)
