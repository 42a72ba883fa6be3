"""Games of card stacks: cards taken in turn, kept, given away or out of the game, until a stack is used up."""

from __future__ import annotations

import pytest

from device.game.events import (
    Card,
    Claim,
    Confirm,
    End,
    Flip,
    GiveUp,
    Next,
    Ranked,
    Reveal,
    Scored,
    Take,
    Withdraw,
)
from device.game.match import Match
from device.game.players import SEATS, Player
from tests.game.play import (
    BLUE,
    GREEN,
    RED,
    YELLOW,
    after,
    checked,
    claimed,
    lost,
    played,
    race,
    refused,
    start,
    told,
)

STACK_GAMES = ["extreme-fun-size", "mini", "trigo"]


@pytest.mark.parametrize(
    ("edition", "players", "stacks"),
    [
        pytest.param("extreme-fun-size", 1, (8, 8, 8, 8), id="Fun-Size alone"),
        pytest.param("extreme-fun-size", 2, (5, 5, 5, 5), id="Fun-Size for two: three less on each"),
        pytest.param("extreme-fun-size", 3, (8, 8, 8, 8), id="Fun-Size for three"),
        pytest.param("extreme-fun-size", 4, (8, 8, 8, 8), id="Fun-Size for four"),
        pytest.param("mini", 2, (8, 8, 8, 8), id="Mini for two"),
        pytest.param("trigo", 2, (8, 8, 8, 8), id="Trigo for two"),
    ],
)
def test_setup(edition: str, players: int, stacks: tuple[int, ...]) -> None:
    match = start(edition, players)
    assert (match.phase, match.chooser, match.stacks, match.open_stacks()) == ("stacks", RED, stacks, (1, 2, 3, 4))


@pytest.mark.parametrize("edition", STACK_GAMES)
def test_each_takes_a_card_in_turn_from_a_stack_nobody_took_from(edition: str) -> None:
    match, seen = start(edition, 4, GREEN), list[tuple[Player | None, tuple[int, ...]]]()
    for stack in (3, 1, 4, 2):
        seen.append((match.chooser, match.open_stacks()))
        assert match.chooser is not None
        match = after(match, Take(match.chooser, stack))
    assert seen == [(GREEN, (1, 2, 3, 4)), (YELLOW, (1, 2, 4)), (RED, (2, 4)), (BLUE, (2,))]
    assert (match.phase, match.chooser, match.stacks) == ("ready", None, (7, 7, 7, 7))
    assert match.taken == {GREEN: 3, YELLOW: 1, RED: 4, BLUE: 2}
    for other in (RED, BLUE, YELLOW):
        refused(match, Reveal(other), "another player begins")
    assert after(match, Reveal(GREEN)).phase == "race"


def round_of(match: Match, stacks: dict[Player, int]) -> Match:
    """The next round up to the race, these cards taken by these players in turn."""
    match = after(match, Next()) if match.phase == "scores" else match
    for _ in match.players:
        assert match.chooser is not None
        match = after(match, Take(match.chooser, stacks[match.chooser]))
    assert match.starter is not None
    return after(match, Reveal(match.starter))


@pytest.mark.parametrize(
    ("rule", "finishers", "fates", "counts"),
    [
        pytest.param("all", (BLUE, GREEN), "given kept kept given", (0, 3, 1, 0), id="the others give to the first"),
        pytest.param("all", (YELLOW, GREEN, BLUE, RED), "kept kept kept kept", (1, 1, 1, 1), id="nobody gives"),
        pytest.param("all", (YELLOW,), "given given given kept", (0, 0, 0, 4), id="all to the only one"),
        pytest.param("first-only", (BLUE, GREEN), "out kept out out", (0, 1, 0, 0), id="pro: one card is kept"),
    ],
)
@pytest.mark.parametrize("edition", STACK_GAMES)
def test_what_becomes_of_the_cards(
    edition: str, rule: str, finishers: tuple[Player, ...], fates: str, counts: tuple[int, ...]
) -> None:
    match = round_of(start(edition, 4, cards_rule=rule), {RED: 1, BLUE: 2, GREEN: 3, YELLOW: 4})
    match, outcomes = told(claimed(match, finishers), Confirm())
    totals = dict(zip(SEATS, counts, strict=True))
    cards = [
        Card(player, stack, fate, finishers[0] if fate == "given" else None)
        for stack, (player, fate) in enumerate(zip(SEATS, fates.split(), strict=True), 1)
    ]
    assert outcomes == [*cards, Scored(1, totals)]
    assert (match.phase, match.counts, match.scores) == ("scores", totals, totals)


@pytest.mark.parametrize("edition", STACK_GAMES)
def test_nobody_solved_the_cards_go_out_and_the_start_passes_left(edition: str) -> None:
    match = round_of(start(edition, 3, BLUE), {RED: 1, BLUE: 2, GREEN: 4})
    refused(match, End("sand", 30.0), "no sand")
    match, outcomes = told(match, GiveUp(300.0))
    assert outcomes == [
        Card(BLUE, 2, "out"),
        Card(GREEN, 4, "out"),
        Card(RED, 1, "out"),
        Scored(1, {RED: 0, BLUE: 0, GREEN: 0}),
    ]
    assert (match.lost, match.stacks) == (True, (7, 7, 8, 7))
    match = after(match, Next())
    assert (match.phase, match.round, match.starter, match.taken) == ("stacks", 2, GREEN, {})


@pytest.mark.parametrize(
    ("first", "solver", "starter"),
    [
        pytest.param(RED, RED, BLUE, id="the starter solved first"),
        pytest.param(RED, GREEN, YELLOW, id="another one did"),
        pytest.param(GREEN, YELLOW, RED, id="round the table"),
        pytest.param(BLUE, BLUE, GREEN, id="not the first seat"),
    ],
)
@pytest.mark.parametrize("edition", STACK_GAMES)
def test_the_player_left_of_the_first_solver_starts_next(
    edition: str, first: Player, solver: Player, starter: Player
) -> None:
    others = [p for p in SEATS if p != solver]
    match = played(start(edition, 4, first), (solver, *others[:2]))
    assert match.next_starter == starter
    refused(match, Take(starter, 1), "another player's turn")
    refused(match, Reveal(starter), "nothing is to be revealed")
    match = after(match, Next())
    assert (match.starter, match.chooser, match.round) == (starter, starter, 2)


def test_the_start_passes_from_who_stood_first_in_the_check_not_from_who_was() -> None:
    match = claimed(race(start("mini", 3)), (RED, BLUE))
    match = after(match, Withdraw(RED, 70.0), Confirm())
    assert match.next_starter == GREEN


@pytest.mark.parametrize(
    ("edition", "players", "rounds"),
    [
        pytest.param("extreme-fun-size", 4, 8, id="Fun-Size for four: every stack every round"),
        pytest.param("extreme-fun-size", 3, 8, id="Fun-Size for three, stacks 1 to 3 every round"),
        pytest.param("extreme-fun-size", 2, 5, id="Fun-Size for two"),
        pytest.param("mini", 4, 8, id="Mini"),
        pytest.param("trigo", 4, 8, id="Trigo: eight rounds"),
        pytest.param("trigo", 1, 8, id="Trigo alone: eight rounds"),
    ],
)
def test_it_is_over_when_a_stack_is_used_up_at_a_rounds_end(edition: str, players: int, rounds: int) -> None:
    match = start(edition, players)
    for number in range(1, rounds + 1):
        assert not match.over
        match = race(match)
        # The last card of a stack is taken, but the round is played.
        assert match.phase == "race"
        match = checked_now(match)
        assert (match.round, match.phase) == (number, "scores")
    assert match.over
    match = after(match, Next())
    assert match.phase == "final"


def checked_now(match: Match) -> Match:
    return after(claimed(match, match.players), Confirm())


def in_turn(match: Match, first: int, second: int) -> Match:
    """A round of two, solved by both, with cards from these stacks."""
    chooser = match.starter if match.phase == "stacks" else match.next_starter
    assert chooser is not None
    other = BLUE if chooser == RED else RED
    return checked_now(round_of(match, {chooser: first, other: second}))


def test_spread_over_all_stacks_two_players_play_longer() -> None:
    match, rounds = start("extreme-fun-size", 2), 0
    while not match.over:
        match = in_turn(match, 3, 4) if rounds % 2 else in_turn(match, 1, 2)
        rounds += 1
    assert (rounds, match.stacks) == (9, (0, 0, 1, 1))


def test_trigo_ends_after_eight_rounds_with_cards_left() -> None:
    match = start("trigo", 2)
    for n in range(8):
        assert not match.over
        match = in_turn(match, 3, 4) if n % 2 else in_turn(match, 1, 2)
    assert (match.over, match.stacks) == (True, (4, 4, 4, 4))


def test_a_stack_that_is_used_up_is_refused_even_in_the_last_round() -> None:
    match = start("extreme-fun-size", 2)
    for _ in range(4):
        match = checked_now(race(match))
    assert match.stacks == (1, 1, 5, 5)
    match = after(match, Next())
    assert match.chooser is not None
    match = after(match, Take(match.chooser, 1))
    assert match.open_stacks() == (2, 3, 4)
    assert match.chooser is not None
    refused(match, Take(match.chooser, 1), "no card can be taken")


@pytest.mark.parametrize(
    ("winners", "ranking"),
    [
        pytest.param((RED, RED, RED, BLUE, BLUE), ((RED,), (BLUE,)), id="most cards win"),
        pytest.param((RED, RED, BLUE, BLUE, None), ((RED, BLUE),), id="equal: they share the win"),
        pytest.param((None,) * 5, ((RED, BLUE),), id="no card at all"),
    ],
)
def test_most_cards_win_and_ties_share(
    winners: tuple[Player | None, ...], ranking: tuple[tuple[Player, ...], ...]
) -> None:
    match = start("extreme-fun-size", 2)
    for winner in winners:
        match = played(match, (winner,)) if winner else lost(match)
    match, outcomes = told(match, Next())
    assert outcomes == [Ranked(match.scores, ranking)]
    assert (match.phase, match.winner, sum(match.scores.values())) == ("final", None, 2 * sum(map(bool, winners)))


def test_who_claims_before_the_count_ends_keeps_the_card_and_exactly_at_its_end_too() -> None:
    match = after(race(start("extreme-fun-size", 3)), Claim(BLUE, 31.0), Flip(31.0), End("sand", 51.0))
    refused(match, Claim(RED, 51.001), "nothing to claim")
    match = after(match, Claim(GREEN, 51.0), Confirm())
    assert match.counts == {RED: 0, BLUE: 2, GREEN: 1}


def test_cards_are_never_lost_from_sight() -> None:
    match = start("extreme-fun-size", 3, cards_rule="first-only")
    out = 0
    while not match.over:
        match = race(match)
        match, outcomes = told(claimed(match, (RED, BLUE)), Confirm())
        out += sum(isinstance(one, Card) and one.fate == "out" for one in outcomes)
        assert sum(match.stacks) + sum(match.counts.values()) + out == 32
    assert (out, match.counts) == (16, {RED: 8, BLUE: 0, GREEN: 0})
    assert checked(start("mini", 1), (RED,)).counts == {RED: 1}
