"""Undo: the last decision taken back, as often as wished back to the round before; chance gives the same again."""

from __future__ import annotations

from dataclasses import replace

import pytest

from device.game import rules
from device.game.chance import Chance, SeededChance
from device.game.events import (
    Claim,
    Confirm,
    Draw,
    End,
    Event,
    Flip,
    GiveUp,
    Go,
    Next,
    Reveal,
    Roll,
    Take,
    Undo,
    Withdraw,
)
from device.game.gems import Gem
from device.game.match import Match
from device.game.players import SEATS, Player
from tests.game.play import (
    AMBER,
    BLUE,
    EMERALD,
    GREEN,
    RED,
    RUBY,
    SAPPHIRE,
    Never,
    after,
    checked,
    claimed,
    lost,
    opening,
    played,
    race,
    refused,
    start,
)


def bare(match: Match) -> Match:
    """The match but for what chance has given, which undo keeps on purpose."""
    return replace(match, memo={})


FIRST_ROUND: dict[str, list[Event]] = {
    "classic": [
        Roll(RED, (3,)),
        Flip(0),
        Claim(BLUE, 10.0),
        Claim(RED, 11.0),
        Withdraw(BLUE, 12.5),
        Claim(BLUE, 30.0),
        End("all", 30.0),
        Withdraw(BLUE, 33.0),
        Confirm(),
        Draw(RED, RUBY),
        Roll(BLUE, (1,)),
        Flip(0),
        GiveUp(20.0),
    ],
    "lines": [
        Reveal(BLUE),
        Claim(BLUE, 10.0),
        Flip(10.0),
        Withdraw(BLUE, 12.5),
        Claim(RED, 30.0),
        Flip(30.0),
        End("sand", 90.0),
        Confirm(),
        Draw(RED, RUBY),
    ],
    "3d": [Roll(RED, (3,)), Go(RED), Flip(0), Flip(60.0), Claim(RED, 70.0), End("sand", 120.0), Confirm()],
    "extreme-fun-size": [
        Take(RED, 1),
        Take(BLUE, 4),
        Reveal(RED),
        Claim(BLUE, 30.0),
        Flip(30.0),
        End("sand", 50.0),
        Confirm(),
        Next(),
        Take(RED, 2),
    ],
    "duel": [Roll(RED, (20,)), Claim(BLUE, 10.0), End("all", 10.0), Withdraw(BLUE, 12.0), Claim(RED, 14.0)],
}


@pytest.mark.parametrize(("edition", "events"), FIRST_ROUND.items(), ids=FIRST_ROUND)
def test_each_undo_takes_back_one_decision_and_all_of_them_the_start(edition: str, events: list[Event]) -> None:
    match = begun = start(edition, 2)
    states = list[tuple[str, Match]]()
    for event in events:
        if event.decision:
            states.append((event.decision, match))
        match = after(match, event)
    assert states
    for word, state in reversed(states):
        assert rules.last_decision(match) == word
        match = after(match, Undo())
        assert bare(match) == bare(state)
    assert bare(match) == bare(begun)
    assert rules.last_decision(match) == ""
    refused(match, Undo(), "nothing to take back")


def test_the_turning_of_the_glass_and_its_end_are_nobodys_decisions() -> None:
    running = after(race(start("classic", 2)), Claim(RED, 9.0))
    ended = after(running, End("sand", 60.0))
    assert bare(after(ended, Undo())) == bare(race(start("classic", 2)))
    assert bare(after(race(start("classic", 2)), Flip(60.0), End("sand", 120.0), Undo())) == bare(start("classic", 2))


def test_an_undone_claim_that_was_heard_late_leaves_the_race_of_before() -> None:
    match = after(race(start("classic", 2)), Claim(RED, 9.0), End("sand", 60.0), Claim(BLUE, 60.0), Undo())
    assert (match.phase, match.claims) == ("race", (Claim(RED, 9.0),))


def test_undo_goes_back_to_the_round_before_and_no_further() -> None:
    first = start("classic", 2)
    second = played(first, (RED,), (RUBY,))
    third = played(second, (BLUE,), (AMBER,))
    match = race(third)
    words = []
    while match.past:
        words.append(rules.last_decision(match))
        match = after(match, Undo())
    assert words == ["roll", "draw", "check", "claim", "roll"]
    assert bare(match) == bare(second)
    refused(match, Undo(), "nothing to take back")


def test_what_undo_keeps_does_not_grow_with_the_rounds() -> None:
    match, kept = start("classic", 4), list[int]()
    for _ in range(9):
        match = played(match, SEATS)
        kept.append(len(match.past))
        assert all(state.past == () and state.rewind is None for _, _, state in match.past)
    # A roll, four claims, the check and four draws: of the round that was played and of the one before.
    assert kept == [10] + [20] * 8


@pytest.mark.parametrize("seed", range(8))
def test_the_same_gem_comes_again_in_whatever_order_the_players_then_stand(seed: int) -> None:
    chance: Chance = SeededChance(seed)
    match = checked(start("classic", 3), (RED, BLUE, GREEN))
    gems = list[Gem]()
    for _ in range(3):
        event = rules.drawn(match, chance)
        gems.append(event.gem)
        match = after(match, event)
    for _ in range(4):
        match = after(match, Undo())
    assert match.phase == "check"
    # Back at the check red is found not to have solved it: the others move up and meet the same gems.
    match = after(match, Withdraw(RED, 63.0), Confirm())
    assert match.to_draw == (BLUE, GREEN)
    again = list[Gem]()
    for _ in range(2):
        event = rules.drawn(match, Never())
        again.append(event.gem)
        match = after(match, event)
    assert again == gems[:2]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("edition", ["classic", "3d", "extreme", "duel", "pawns"])
def test_the_same_roll_comes_again(edition: str, seed: int) -> None:
    first = start(edition, 2)
    roll = rules.rolled(first, SeededChance(seed), RED)
    match = after(first, roll, Undo())
    assert rules.rolled(match, Never(), RED) == roll
    # Also the next round's, when all of this round is taken back and played otherwise.
    match = lost(start(edition, 2))
    later = rules.rolled(match, SeededChance(seed + 100), BLUE)
    match = after(match, later)
    while match.past:
        match = after(match, Undo())
    assert rules.rolled(played(match, (BLUE,)), Never(), BLUE) == later


def test_the_same_roll_comes_again_in_the_playoff() -> None:
    match = start("classic", 2)
    for _ in range(9):
        match = lost(match)
    match = after(match, Next())
    roll = rules.rolled(match, SeededChance(5), BLUE)
    match = after(match, roll, Undo())
    assert match.phase == "playoff"
    assert rules.rolled(match, Never(), BLUE) == roll
    match = after(match, Undo())
    assert (match.phase, match.tied, match.starter) == ("scores", (), RED)
    assert rules.rolled(after(match, Next()), Never(), BLUE) == roll


def test_a_remembered_gem_that_is_no_longer_in_the_bag_is_drawn_anew() -> None:
    match = start("classic", 2)
    for _ in range(4):
        match = played(match, (RED, BLUE), (RUBY, RUBY))
    match = checked(played(match, (RED,), (AMBER,)), (RED,))
    match = after(match, Draw(RED, RUBY))
    # Back in the race of the round before, where now both solve it and draw the last two rubies from a cloth bag.
    while match.round > 5 or match.phase != "race":
        match = after(match, Undo())
    both = [Claim(RED, 5.0), Claim(BLUE, 6.0), End("all", 6.0), Confirm(), Draw(RED, RUBY), Draw(BLUE, RUBY)]
    match = checked(after(match, *both), (RED,))
    assert match.bag[RUBY] == 0
    assert rules.drawn(match, SeededChance(1)).gem in (SAPPHIRE, EMERALD, AMBER)


def test_a_colour_pressed_wrongly_is_put_back_and_another_pressed() -> None:
    match = checked(start("classic", 2), (RED, BLUE))
    wrong = after(match, Draw(RED, RUBY))
    right = after(wrong, Undo(), Draw(RED, EMERALD), Draw(BLUE, SAPPHIRE))
    assert right.hands == {RED: after(match, Draw(RED, EMERALD)).hands[RED], BLUE: right.hands[BLUE]}
    assert right.scores == {RED: 5, BLUE: 4}
    assert rules.drawn(after(right, Undo()), Never()).gem == SAPPHIRE


def test_after_an_undo_the_match_goes_on_as_if_nothing_had_been() -> None:
    straight = played(start("classic", 3), (BLUE, GREEN), (RUBY, AMBER))
    crooked = after(race(start("classic", 3)), Claim(RED, 3.0), Undo(), Claim(BLUE, 9.0), Undo(), Undo())
    crooked = played(crooked, (BLUE, GREEN), (RUBY, AMBER))
    assert crooked == straight
    assert [(word, at, bare(state)) for word, at, state in crooked.past] == [
        (word, at, bare(state)) for word, at, state in straight.past
    ]


@pytest.mark.parametrize(
    ("edition", "winner"), [("classic", RED), ("lines", BLUE), ("extreme-fun-size", BLUE), ("duel", RED)]
)
def test_a_final_can_be_taken_back(edition: str, winner: Player) -> None:
    match = start(edition, 2)
    while not match.over:
        match = played(match, (winner,), (AMBER,) if match.bag[AMBER] else ())
    end = after(match, Next())
    assert (end.phase, end.ranking[0]) == ("final", (winner,))
    assert bare(after(end, Undo())) == bare(match)


def test_the_openings_are_what_they_say() -> None:
    assert opening(start("classic", 2)) == [Roll(RED, (2,)), Flip(0)]
    assert opening(start("3d", 2)) == [Roll(RED, (2,)), Go(RED), Flip(0)]
    assert claimed(race(start("duel", 2)), (BLUE,)).phase == "check"
