"""Claims: places by the time of the press, presses heard of late, claims taken back, rounds given up."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from device.game.events import Claim, Confirm, Draw, End, Event, Flip, Gave, GiveUp, Reveal, Roll, Withdraw
from device.game.match import Match, Solve
from device.game.players import SEATS, Player, from_seat
from tests.game.play import (
    AMBER,
    BLUE,
    GREEN,
    RED,
    RUBY,
    SAPPHIRE,
    YELLOW,
    after,
    checked,
    claimed,
    played,
    race,
    refused,
    start,
    told,
    whole,
)


def places(match: Match) -> list[str]:
    return [claim.player.value for claim in match.claims]


@pytest.mark.parametrize("heard", [pytest.param(order, id="-".join(order)) for order in permutations(SEATS[:3])])
def test_places_go_by_the_time_of_the_press_in_whatever_order_heard(heard: tuple[Player, ...]) -> None:
    at = {RED: 12.001, BLUE: 12.0, GREEN: 11.9995}
    match = after(race(start("classic", 3)), *(Claim(player, at[player]) for player in heard))
    assert match.claims == (Claim(GREEN, 11.9995), Claim(BLUE, 12.0), Claim(RED, 12.001))


@pytest.mark.parametrize(
    ("roller", "order"),
    [
        pytest.param(RED, ["red", "blue", "green", "yellow"], id="red rolled"),
        pytest.param(BLUE, ["blue", "green", "yellow", "red"], id="blue rolled"),
        pytest.param(GREEN, ["green", "yellow", "red", "blue"], id="green rolled"),
        pytest.param(YELLOW, ["yellow", "red", "blue", "green"], id="yellow rolled"),
    ],
)
def test_exactly_the_same_time_goes_by_seats_from_the_roller(roller: Player, order: list[str]) -> None:
    for heard in permutations(SEATS):
        match = after(race(start("classic", 4, roller)), *(Claim(player, 30.0) for player in heard))
        assert places(match) == order


def test_the_tie_follows_the_die_in_later_rounds() -> None:
    match = race(played(start("classic", 3), (RED,)))
    assert match.starter == BLUE
    assert places(after(match, Claim(RED, 5.0), Claim(GREEN, 5.0), Claim(BLUE, 5.0))) == ["blue", "green", "red"]


@settings(deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from(SEATS), st.sampled_from([0.0, 1.0, 1.5, 59.999, 60.0])), unique_by=lambda c: c[0]
    ),
    st.sampled_from(SEATS),
)
def test_places_by_time_then_by_seat(claims: list[tuple[Player, float]], roller: Player) -> None:
    match = after(race(start("classic", 4, roller)), *(Claim(*claim) for claim in claims))
    seats = from_seat(SEATS, roller)
    assert [(c.player, c.at) for c in match.claims] == sorted(claims, key=lambda c: (c[1], seats.index(c[0])))


def in_time_then_heard(*heard: Event) -> tuple[Match, Match]:
    """The same claims, once heard before the sand ran out and once after it."""
    running = after(race(start("classic", 4)), Claim(BLUE, 40.0))
    return after(running, *heard, End("sand", 60.0)), after(running, End("sand", 60.0), *heard)


@pytest.mark.parametrize(
    "heard",
    [
        pytest.param([Claim(RED, 59.9)], id="just in time"),
        pytest.param([Claim(RED, 60.0)], id="exactly at the end"),
        pytest.param([Claim(RED, 39.0)], id="before one heard long ago"),
        pytest.param([Claim(RED, 60.0), Claim(GREEN, 59.9)], id="two, the earlier heard last"),
        pytest.param([Claim(YELLOW, 60.0), Claim(GREEN, 60.0), Claim(RED, 60.0)], id="three exactly at the end"),
    ],
)
def test_a_claim_in_time_heard_after_the_sand_is_as_one_heard_before(heard: list[Event]) -> None:
    before, late = in_time_then_heard(*heard)
    assert whole(late) == whole(before)
    assert late.phase == "check"


@pytest.mark.parametrize("at", [60.001, 60.3, 600.0])
def test_a_claim_after_the_end_counts_for_nothing(at: float) -> None:
    refused(after(race(start("classic")), Claim(BLUE, 40.0), End("sand", 60.0)), Claim(RED, at), "nothing to claim")


def test_the_end_heard_late_counts_from_the_end_not_from_now() -> None:
    match = after(race(start("classic", 3)), Claim(BLUE, 40.0), End("sand", 60.0), Claim(RED, 60.0))
    refused(match, Claim(GREEN, 60.001))
    assert after(match, Claim(GREEN, 59.0)).claims == (Claim(BLUE, 40.0), Claim(GREEN, 59.0), Claim(RED, 60.0))


def test_in_time_but_heard_after_the_second_turn_ends_the_first_glass() -> None:
    again = after(race(start("classic", 3)), Flip(60.0))
    match = after(again, Claim(GREEN, 60.0))
    assert (match.phase, match.chance, match.ended, match.claims) == ("check", 1, 60.0, (Claim(GREEN, 60.0),))
    match = after(match, Claim(BLUE, 59.99))
    assert match.claims == (Claim(BLUE, 59.99), Claim(GREEN, 60.0))
    refused(match, Claim(RED, 60.01))
    second = after(again, Claim(GREEN, 60.001))
    assert (second.phase, second.chance) == ("race", 2)


def test_in_time_of_the_first_glass_but_heard_after_the_second() -> None:
    match = after(race(start("classic")), Flip(5.0), End("sand", 10.0))
    assert match.lost
    match = after(match, Claim(RED, 5.0))
    assert (match.phase, match.chance, match.ended, match.claims) == ("check", 1, 5.0, (Claim(RED, 5.0),))


@pytest.mark.parametrize(("edition", "glass"), [("classic", 120.0), ("junior", 90.0)])
def test_a_round_lost_by_the_sand_is_won_by_a_claim_heard_late(edition: str, glass: float) -> None:
    match = race(start(edition, 2))
    match = after(match, Flip(60.0)) if edition == "classic" else match
    lost = after(match, End("sand", glass))
    assert (lost.phase, lost.lost) == ("scores", True)
    won = after(lost, Claim(RED, glass))
    assert (won.phase, won.lost, won.claims, won.track) == ("check", False, (Claim(RED, glass),), match.track)
    refused(lost, Claim(RED, glass + 0.001), "nothing to claim")


@pytest.mark.parametrize(
    "event",
    [pytest.param(Withdraw(BLUE, 61.0), id="a withdrawal"), pytest.param(Confirm(), id="the check")],
)
def test_nothing_is_heard_late_once_the_table_went_on(event: Event) -> None:
    match = after(race(start("classic")), Claim(BLUE, 40.0), End("sand", 60.0), event)
    refused(match, Claim(RED, 59.0), "nothing to claim")


def test_who_claimed_in_time_cannot_claim_again_late() -> None:
    refused(after(race(start("classic")), Claim(RED, 9.0), End("sand", 60.0)), Claim(RED, 9.0), "has claimed already")


@pytest.mark.parametrize(
    ("edition", "count", "why"),
    [
        pytest.param("classic", 2, "does not play this round", id="not at the table"),
        pytest.param("duel", 2, "does not play this round", id="not at a table without a glass"),
    ],
)
def test_who_does_not_play_cannot_claim(edition: str, count: int, why: str) -> None:
    refused(race(start(edition, count)), Claim(YELLOW, 3.0), why)


def test_nobody_claims_before_the_glass_stands_but_where_the_claim_turns_it() -> None:
    rolled = after(start("classic"), Roll(RED, (1,)))
    refused(rolled, Claim(RED, 0.1), "nothing to claim")
    match = after(start("lines"), Reveal(BLUE), Claim(RED, 77.7))
    assert (match.chance, match.claims) == (0, (Claim(RED, 77.7),))
    assert after(match, Flip(77.7)).chance == 1


@pytest.mark.parametrize("when", ["race", "check"])
def test_later_places_move_up_when_a_claim_is_withdrawn(when: str) -> None:
    match = after(race(start("classic", 4)), Claim(GREEN, 9.0), Claim(RED, 10.0), Claim(BLUE, 11.0))
    match = after(match, End("sand", 60.0)) if when == "check" else match
    match = after(match, Withdraw(GREEN, 12.0))
    assert match.claims == (Claim(RED, 10.0), Claim(BLUE, 11.0))
    refused(match, Withdraw(GREEN, 13.0), "claimed nothing")
    match = match if when == "check" else after(match, End("sand", 60.0))
    match, outcomes = told(match, Confirm())
    assert outcomes == [Gave(RED, SAPPHIRE, "track"), Gave(BLUE, AMBER, "track")]
    assert match.solves == (Solve(RED, 1, 1, 10.0), Solve(BLUE, 1, 2, 11.0))


def test_who_withdrew_in_the_race_may_claim_again() -> None:
    match = after(race(start("classic")), Claim(RED, 9.0), Claim(BLUE, 10.0), Withdraw(RED, 12.0), Claim(RED, 20.0))
    assert match.claims == (Claim(BLUE, 10.0), Claim(RED, 20.0))


def test_no_claim_is_withdrawn_once_gems_are_given() -> None:
    match = checked(start("classic"), (RED, BLUE))
    assert match.phase == "draw"
    refused(match, Withdraw(BLUE, 70.0), "no claim to withdraw")
    refused(played(start("classic"), (RED,)), Withdraw(RED, 70.0), "no claim to withdraw")


def test_all_withdrawn_in_the_check_loses_the_round() -> None:
    match = after(claimed(race(start("classic")), (RED,)), Withdraw(RED, 61.0))
    assert match.phase == "check"
    match = after(match, Confirm())
    assert (match.phase, match.lost, match.solves, match.scores) == ("scores", True, (), {RED: 0, BLUE: 0})
    assert (match.bag[SAPPHIRE], match.bag[AMBER]) == (11, 11)


def test_all_withdrawn_in_the_race_leaves_the_second_chance() -> None:
    match = after(race(start("classic")), Claim(RED, 9.0), Withdraw(RED, 10.0))
    assert after(match, Flip(60.0)).chance == 2


def test_without_a_glass_the_race_goes_on_when_the_only_claim_is_withdrawn() -> None:
    match = after(race(start("duel")), Claim(RED, 9.0), End("all", 9.0))
    assert match.phase == "check"
    match = after(match, Withdraw(RED, 12.0))
    assert (match.phase, match.claims) == ("race", ())
    match = after(match, Claim(BLUE, 20.0), End("all", 20.0), Confirm())
    assert match.scores == {RED: 0, BLUE: 1}


def test_the_first_claim_withdrawn_stops_the_glass_it_had_started() -> None:
    match = after(race(start("lines", 3)), Claim(RED, 50.0), Flip(50.0), Withdraw(RED, 60.0))
    assert (match.phase, match.chance, match.claims) == ("race", 0, ())
    refused(match, End("sand", 110.0), "no sand")
    match = after(match, Claim(BLUE, 200.0), Flip(200.0))
    assert (match.chance, match.turned) == (1, 200.0)
    assert after(match, End("sand", 260.0)).claims == (Claim(BLUE, 200.0),)


def test_the_glass_runs_on_while_another_claim_stands() -> None:
    match = after(race(start("lines", 3)), Claim(RED, 50.0), Flip(50.0), Claim(BLUE, 55.0), Withdraw(RED, 60.0))
    assert (match.chance, match.claims) == (1, (Claim(BLUE, 55.0),))


@pytest.mark.parametrize(
    "edition", ["classic", "lines", "duel", "extreme-fun-size", "junior", "pawns", "3d", "extreme"]
)
def test_a_round_can_be_given_up(edition: str) -> None:
    match = after(race(start(edition, 2)), GiveUp(33.0))
    assert (match.phase, match.lost, match.reason, match.ended) == ("scores", True, "given-up", 33.0)
    refused(match, GiveUp(34.0), "no round to give up")


def test_who_had_solved_it_keeps_the_place_when_the_rest_give_up() -> None:
    match = after(race(start("lines", 3)), Claim(RED, 50.0), Flip(50.0), GiveUp(60.0))
    assert (match.phase, match.lost, match.claims) == ("check", False, (Claim(RED, 50.0),))
    match, outcomes = told(match, Confirm())
    assert outcomes == [Gave(RED, SAPPHIRE, "track")]
    assert match.to_draw == (RED,)
    assert after(match, Draw(RED, RUBY)).bag[AMBER] == 11


def test_a_round_given_up_hears_nothing_late() -> None:
    refused(after(race(start("classic")), GiveUp(33.0)), Claim(RED, 20.0), "nothing to claim")


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_when_all_have_claimed_it_ends_without_the_sand(count: int) -> None:
    match = race(start("classic", count))
    refused(match, End("all", 5.0), "nobody has claimed")
    match = after(match, *(Claim(player, 5.0) for player in SEATS[:count]), End("all", 5.0))
    assert (match.phase, match.reason, match.ended) == ("check", "all", 5.0)


def test_the_history_keeps_places_and_seconds() -> None:
    match = played(start("classic", 3), (BLUE, RED))
    match = played(match, (GREEN,))
    assert match.solves == (Solve(BLUE, 1, 1, 10.0), Solve(RED, 1, 2, 20.0), Solve(GREEN, 2, 1, 10.0))
