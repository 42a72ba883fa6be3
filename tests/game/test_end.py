"""How a match ends: after the last round, by points, with equal totals sharing a rank or playing it off."""

from __future__ import annotations

import pytest

from device.game import rules
from device.game.chance import SeededChance
from device.game.events import (
    Claim,
    Confirm,
    Draw,
    End,
    Event,
    Flip,
    GiveUp,
    Next,
    Ranked,
    Reveal,
    Roll,
    TiedFirst,
    Withdraw,
)
from device.game.gems import Gem
from device.game.match import Match, ranked
from device.game.players import SEATS, Player
from tests.game.play import (
    AMBER,
    BLUE,
    EMERALD,
    GREEN,
    RED,
    RUBY,
    SAPPHIRE,
    YELLOW,
    after,
    checked,
    lost,
    nine_rounds,
    played,
    race,
    refused,
    start,
    told,
)


@pytest.mark.parametrize(
    ("scores", "winner", "ranking"),
    [
        pytest.param({RED: 9, BLUE: 12, GREEN: 3}, None, ((BLUE,), (RED,), (GREEN,)), id="all different"),
        pytest.param({RED: 9, BLUE: 9, GREEN: 3}, None, ((RED, BLUE), (GREEN,)), id="shared first"),
        pytest.param({RED: 9, BLUE: 9, GREEN: 3}, BLUE, ((BLUE,), (RED,), (GREEN,)), id="playoff of two"),
        pytest.param({RED: 9, BLUE: 9, GREEN: 9}, BLUE, ((BLUE,), (RED, GREEN)), id="playoff of three"),
        pytest.param({RED: 3, BLUE: 9, GREEN: 3, YELLOW: 3}, None, ((BLUE,), (RED, GREEN, YELLOW)), id="shared 2nd"),
        pytest.param({RED: 9, BLUE: 3, GREEN: 9, YELLOW: 3}, GREEN, ((GREEN,), (RED,), (BLUE, YELLOW)), id="both"),
        pytest.param({YELLOW: 0, RED: 0}, None, ((RED, YELLOW),), id="nothing at all, by seats"),
        pytest.param({GREEN: 5}, None, ((GREEN,),), id="alone"),
    ],
)
def test_ranking(scores: dict[Player, int], winner: Player | None, ranking: tuple[tuple[Player, ...], ...]) -> None:
    assert ranked(scores, winner) == ranking


@pytest.mark.parametrize("edition", ["classic", "lines", "3d"])
def test_most_points_win_after_nine_rounds(edition: str) -> None:
    match = nine_rounds(start(edition, 3), (BLUE, GREEN, BLUE))
    assert (match.phase, match.round, match.over) == ("scores", 9, True)
    match, outcomes = told(match, Next())
    assert outcomes == [Ranked({RED: 0, BLUE: 8, GREEN: 4}, ((BLUE,), (GREEN,), (RED,)))]
    assert (match.phase, match.tied, match.winner) == ("final", (), None)


def test_not_before_the_ninth_round_is_scored() -> None:
    match = start("classic", 2)
    for number in range(1, 9):
        match = played(match, (RED,), (AMBER,))
        assert (match.round, match.over) == (number, False)
        refused(match, Next(), "begins the next round")
    assert played(match, (RED,), (AMBER,)).over


def test_points_are_the_gems_in_hand() -> None:
    match = played(start("classic", 2), (RED, BLUE), (RUBY, EMERALD))
    match = played(match, (BLUE, RED), (AMBER, AMBER))
    assert match.scores == {RED: 3 + 4 + 1 + 1, BLUE: 1 + 2 + 3 + 1}


@pytest.mark.parametrize(
    ("first", "winners", "tied", "roller"),
    [
        # The last of nine rollers sits where the first sat, one seat on for every round: 8 seats.
        pytest.param(RED, (RED, BLUE), (RED, BLUE), BLUE, id="red rolled last: blue is left of red"),
        pytest.param(RED, (RED, GREEN), (RED, GREEN), GREEN, id="red rolled last: over blue to green"),
        pytest.param(BLUE, (RED, GREEN), (RED, GREEN), GREEN, id="blue rolled last, not tied"),
        pytest.param(YELLOW, (RED, GREEN), (RED, GREEN), RED, id="yellow rolled last, round the table"),
        pytest.param(GREEN, (RED, GREEN), (RED, GREEN), RED, id="green rolled last and is tied: the other one"),
        pytest.param(BLUE, (GREEN, RED, YELLOW), (RED, GREEN, YELLOW), GREEN, id="three"),
        pytest.param(GREEN, (), SEATS, YELLOW, id="nobody ever solved one"),
    ],
)
@pytest.mark.parametrize("edition", ["classic", "3d"])
def test_playoff_among_the_tied_rolled_by_the_first_of_them_left_of_the_last_roller(
    edition: str, first: Player, winners: tuple[Player, ...], tied: tuple[Player, ...], roller: Player
) -> None:
    match = nine_rounds(start(edition, 4, first), winners)
    assert match.starter == first
    match, outcomes = told(match, Next())
    assert outcomes == [TiedFirst(tied)]
    assert (match.phase, match.starter, match.racers, match.claims) == ("playoff", roller, tied, ())
    for player in SEATS:
        if player != roller:
            refused(match, Roll(player, (3,)), "another player rolls")
    assert after(match, Roll(roller, (3,))).phase == "race"


def tie(edition: str = "classic") -> Match:
    """Red and green share the first place with 8 points, blue has 4, yellow none."""
    match = nine_rounds(start(edition, 4), (RED, GREEN, BLUE, RED, GREEN))
    return after(match, Next())


def test_first_to_solve_the_playoff_wins_alone_and_gets_no_gem() -> None:
    match = race(tie())
    before = match.hands
    match, outcomes = told(match, Claim(GREEN, 41.5), End("all", 41.5), Confirm())
    assert outcomes == [Ranked({RED: 8, BLUE: 4, GREEN: 8, YELLOW: 0}, ((GREEN,), (RED,), (BLUE,), (YELLOW,)))]
    assert (match.phase, match.winner, match.hands) == ("final", GREEN, before)
    assert all(solve.round <= 9 for solve in match.solves)
    assert len(match.solves) == 5


def test_the_playoff_has_no_glass_and_is_only_for_the_tied() -> None:
    match = race(tie())
    assert match.glassless
    refused(match, Flip(0.0), "no glass")
    refused(match, End("sand", 60.0), "no sand")
    refused(match, GiveUp(60.0), "no round to give up")
    refused(match, Claim(BLUE, 3.0), "does not play this round")
    refused(match, End("all", 3.0), "nobody has claimed")


def test_the_earlier_press_wins_the_playoff_and_a_withdrawn_one_plays_on() -> None:
    match = after(race(tie()), Claim(GREEN, 10.001), Claim(RED, 10.0), End("all", 10.001))
    assert [claim.player for claim in match.claims] == [RED, GREEN]
    assert after(match, Confirm()).winner == RED
    match = after(match, Withdraw(RED, 12.0))
    assert match.phase == "check"
    assert after(match, Confirm()).winner == GREEN
    match = after(match, Withdraw(GREEN, 12.5))
    assert match.phase == "race"
    refused(match, Confirm(), "nothing to check")
    assert after(match, Claim(RED, 80.0), End("all", 80.0), Confirm()).winner == RED


def test_exactly_together_in_the_playoff_goes_by_seats_from_its_roller() -> None:
    match = tie()
    assert match.starter == GREEN
    match = after(race(match), Claim(RED, 10.0), Claim(GREEN, 10.0), End("all", 10.0), Confirm())
    assert match.ranking == ((GREEN,), (RED,), (BLUE,), (YELLOW,))


def test_lines_plays_it_off_with_a_new_card_and_no_roll() -> None:
    match = tie("lines")
    refused(match, Reveal(BLUE), "another player")
    refused(match, Roll(GREEN, (1,)), "nothing to roll")
    match = after(match, Reveal(RED), Claim(RED, 90.0), End("all", 90.0), Confirm())
    assert match.ranking == ((RED,), (GREEN,), (BLUE,), (YELLOW,))


def test_extreme_plays_it_off_with_one_chip_for_all() -> None:
    match = after(nine_rounds(start("extreme", 2), (RED, BLUE)), Next())
    roll = rules.rolled(match, SeededChance(3), BLUE)
    assert len(roll.lines) == 1
    match = after(match, roll)
    assert (match.phase, match.symbol) == ("race", match.edition.symbols[roll.lines[0] - 1])


def test_other_equal_totals_share_a_rank_and_nobody_plays_for_them() -> None:
    match = nine_rounds(start("classic", 4), (YELLOW, YELLOW, RED, BLUE))
    match, outcomes = told(match, Next())
    assert outcomes == [Ranked({RED: 4, BLUE: 4, GREEN: 0, YELLOW: 8}, ((YELLOW,), (RED, BLUE), (GREEN,)))]


def test_alone_at_the_table_wins_without_a_playoff() -> None:
    match = after(nine_rounds(start("classic", 1)), Next())
    assert (match.phase, match.ranking) == ("final", ((RED,),))


@pytest.mark.parametrize(
    ("edition", "take"), [pytest.param("junior", 0, id="junior"), pytest.param("pawns", 2, id="with pawns")]
)
def test_ties_are_shared_where_no_playoff_is_played(edition: str, take: int) -> None:
    match = start(edition, 2)
    rounds = match.edition.rounds or 0
    for n in range(rounds):
        match = played(match, (SEATS[n % 2],), (RUBY,) * take) if n < 2 else lost(match)
    match, outcomes = told(match, Next())
    total = 8 if take else 2
    assert outcomes == [Ranked({RED: total, BLUE: total}, ((RED, BLUE),))]
    assert match.phase == "final"


@pytest.mark.parametrize("event", [Next(), Confirm(), Roll(RED, (1,)), Claim(RED, 1.0), GiveUp(1.0), Draw(RED, RUBY)])
def test_after_the_end_nothing_happens(event: Event) -> None:
    refused(after(nine_rounds(start("classic", 2), (RED,)), Next()), event)


def test_no_gem_is_won_after_the_ninth_round() -> None:
    match = nine_rounds(start("classic", 2), (RED,))
    assert (match.track.sapphires, match.track.ambers) == (0, 0)
    refused(match, Roll(BLUE, (1,)), "last round")
    refused(nine_rounds(start("lines", 2), (RED,)), Reveal(BLUE), "last round")


@pytest.mark.parametrize("gem", Gem)
def test_the_last_draw_ends_the_round_whatever_it_is(gem: Gem) -> None:
    match = start("classic", 2)
    for _ in range(8):
        match = played(match, (RED,), (AMBER if match.bag[AMBER] else SAPPHIRE,))
    match = checked(match, (BLUE,))
    match = after(match, Draw(BLUE, gem))
    assert (match.phase, match.over, match.to_draw) == ("scores", True, ())
