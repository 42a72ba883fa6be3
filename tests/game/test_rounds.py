"""What a round with a track gives, in which order, and how the nine rounds follow each other."""

from __future__ import annotations

from itertools import product

import pytest

from device.game import rules
from device.game.chance import SeededChance
from device.game.events import Claim, Confirm, Counted, Draw, End, Flip, Gave, GiveUp, Outcome, Returned, Roll, Scored
from device.game.gems import GEMS, Gem, Gems, Track
from device.game.match import Match
from device.game.players import SEATS, Player, from_seat
from tests.game.laws import next_roller
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
    claimed,
    drawn,
    hands,
    lost,
    played,
    race,
    refused,
    start,
    told,
)

NONE = {"ruby": 0, "sapphire": 0, "emerald": 0, "amber": 0}


@pytest.mark.parametrize(
    ("finishers", "draws", "gained", "bag"),
    [
        pytest.param(
            (GREEN, RED, YELLOW, BLUE),
            (RUBY, EMERALD, AMBER, SAPPHIRE),
            {
                "green": NONE | {"sapphire": 1, "ruby": 1},
                "red": NONE | {"amber": 1, "emerald": 1},
                "yellow": NONE | {"amber": 1},
                "blue": NONE | {"sapphire": 1},
            },
            Gems(9, 9, 9, 9),
            id="all four",
        ),
        pytest.param(
            (BLUE, RED, GREEN),
            (RUBY, RUBY, RUBY),
            {
                "blue": NONE | {"sapphire": 1, "ruby": 1},
                "red": NONE | {"amber": 1, "ruby": 1},
                "green": NONE | {"ruby": 1},
                "yellow": NONE,
            },
            Gems(7, 10, 10, 10),
            id="three",
        ),
        pytest.param(
            (YELLOW, GREEN),
            (AMBER, EMERALD),
            {
                "yellow": NONE | {"sapphire": 1, "amber": 1},
                "green": NONE | {"amber": 1, "emerald": 1},
                "red": NONE,
                "blue": NONE,
            },
            Gems(10, 10, 9, 9),
            id="two",
        ),
        pytest.param(
            (RED,),
            (RUBY,),
            {"red": NONE | {"sapphire": 1, "ruby": 1}, "blue": NONE, "green": NONE, "yellow": NONE},
            Gems(9, 10, 10, 11),
            id="one: the amber goes into the bag",
        ),
        pytest.param(
            (),
            (),
            {"red": NONE, "blue": NONE, "green": NONE, "yellow": NONE},
            Gems(10, 11, 10, 11),
            id="none: both go into the bag",
        ),
    ],
)
@pytest.mark.parametrize("edition", ["classic", "lines", "3d"])
def test_track_reward(
    edition: str,
    finishers: tuple[Player, ...],
    draws: tuple[Gem, ...],
    gained: dict[str, dict[str, int]],
    bag: Gems,
) -> None:
    match = start(edition, 4)
    match = played(match, finishers, draws) if finishers else lost(match)
    assert match.phase == "scores"
    assert hands(match) == gained
    assert match.bag == bag
    assert match.track == Track(8, 8)


def test_order_in_a_round_track_then_draws_by_place_then_what_is_left() -> None:
    match = claimed(race(start("classic", 4)), (GREEN, RED, BLUE))
    match, at_once = told(match, Confirm())
    assert at_once == [Gave(GREEN, SAPPHIRE, "track"), Gave(RED, AMBER, "track")]
    assert match.to_draw == (GREEN, RED, BLUE)
    refused(match, Draw(RED, RUBY), "by this player")
    match, draws = told(match, Draw(GREEN, AMBER), Draw(RED, RUBY), Draw(BLUE, RUBY))
    assert draws == [
        Gave(GREEN, AMBER, "bag"),
        Gave(RED, RUBY, "bag"),
        Gave(BLUE, RUBY, "bag"),
        Counted(8, 8),
        Scored(1, {RED: 5, BLUE: 4, GREEN: 4, YELLOW: 0}),
    ]


def test_what_one_finisher_leaves_comes_after_the_draw() -> None:
    match = checked(start("classic", 2), (BLUE,))
    assert match.bag == Gems(10, 10, 10, 10)
    _, outcomes = told(match, Draw(BLUE, EMERALD))
    assert outcomes == [Gave(BLUE, EMERALD, "bag"), Returned(AMBER), Counted(8, 8), Scored(1, {RED: 0, BLUE: 5})]


def test_a_gem_left_over_cannot_be_drawn_in_its_round_but_from_then_on() -> None:
    match = start("classic", 1)
    for _ in range(5):
        match = played(match, (RED,), [AMBER])
    # Five ambers drawn, five come back from the track: ten again, each drawable only a round later.
    assert match.bag[AMBER] == 10
    match = start("classic", 2)
    for _ in range(5):
        match = played(match, (RED, BLUE), (AMBER, AMBER))
    match = checked(match, (RED,))
    assert match.bag[AMBER] == 0
    refused(match, Draw(RED, AMBER), "none of that colour left")
    match = drawn(match, [RUBY])
    assert match.bag[AMBER] == 1
    match = drawn(checked(match, (RED,)), [AMBER])
    # The one was drawn, this round's own came back.
    assert match.bag[AMBER] == 1


def test_nobody_solved_gives_both_gems_back() -> None:
    match = after(race(start("classic", 3)), Flip(60.0))
    match, outcomes = told(match, End("sand", 120.0))
    assert outcomes == [Returned(SAPPHIRE), Returned(AMBER), Counted(8, 8), Scored(1, {RED: 0, BLUE: 0, GREEN: 0})]
    assert (match.phase, match.lost) == ("scores", True)


@pytest.mark.parametrize(
    ("finishers", "gained", "supply"),
    [
        pytest.param((YELLOW, RED, GREEN, BLUE), (RUBY, SAPPHIRE, EMERALD, AMBER), Gems(9, 10, 9, 10), id="four"),
        pytest.param((GREEN, BLUE), (RUBY, SAPPHIRE), Gems(9, 10, 10, 11), id="two"),
        pytest.param((GREEN,), (RUBY,), Gems(9, 11, 10, 11), id="one"),
        pytest.param((), (), Gems(10, 11, 10, 11), id="none"),
    ],
)
@pytest.mark.parametrize("edition", ["classic", "lines"])
def test_without_luck(edition: str, finishers: tuple[Player, ...], gained: tuple[Gem, ...], supply: Gems) -> None:
    match = start(edition, 4, scoring="no-luck")
    wanted: list[Outcome] = [Gave(p, gem, "supply") for p, gem in zip(finishers, gained, strict=True)]
    if finishers:
        match, outcomes = told(claimed(race(match), finishers), Confirm())
        assert outcomes[:-2] == wanted
    else:
        match = lost(match)
    assert match.phase == "scores"
    assert {p: tuple(match.hands[p]) for p in SEATS} == dict.fromkeys(SEATS, ()) | {
        p: (gem,) for p, gem in zip(finishers, gained, strict=True)
    }
    assert (match.bag, match.track) == (supply, Track(8, 8))


@pytest.mark.parametrize("edition", ["classic", "lines"])
def test_without_luck_nine_rounds_take_nine_of_each_and_never_a_draw(edition: str) -> None:
    match = start(edition, 4, scoring="no-luck")
    for _ in range(9):
        match = checked(match, SEATS)
        assert match.phase == "scores"
    assert [tuple(match.hands[p]) for p in SEATS] == [(gem,) * 9 for gem in GEMS]
    assert match.scores == {RED: 36, BLUE: 27, GREEN: 18, YELLOW: 9}
    # 10 of each less the nine won, and the counter's nine pairs have left play into the supply.
    assert match.bag == Gems(1, 10, 1, 10)


def test_second_chance_once_at_once_and_only_where_nobody_solved() -> None:
    running = race(start("classic", 2))
    refused(running, End("sand", 60.0), "turned once more")
    again = after(running, Flip(60.0))
    assert (again.phase, again.chance, again.turned) == ("race", 2, 60.0)
    refused(again, Flip(120.0), "not turned again")
    assert after(again, End("sand", 120.0)).lost
    some = after(again, Claim(BLUE, 90.0))
    refused(some, Flip(120.0), "not turned again")
    solved = after(some, End("sand", 120.0))
    assert (solved.phase, solved.claims) == ("check", (Claim(BLUE, 90.0),))
    first = after(running, Claim(RED, 30.0))
    refused(first, Flip(60.0), "not turned again")
    assert after(first, End("sand", 60.0)).phase == "check"


def test_every_round_has_its_own_second_chance() -> None:
    match = lost(start("classic", 2))
    match = race(match)
    assert match.chance == 1
    assert after(match, Flip(60.0)).chance == 2


@pytest.mark.parametrize("edition", ["lines", "junior"])
def test_no_second_chance_where_the_edition_has_none(edition: str) -> None:
    match = race(start(edition, 2))
    if edition == "lines":
        refused(match, Flip(60.0), "not before")
        refused(match, End("sand", 60.0), "no sand")
        match = after(match, GiveUp(200.0))
    else:
        refused(match, Flip(90.0), "not turned again")
        match = after(match, End("sand", 90.0))
    assert (match.phase, match.lost) == ("scores", True)


@pytest.mark.parametrize(
    ("players", "first"),
    [pytest.param(SEATS[:n], first, id=f"{n} from {first}") for n in (1, 2, 3, 4) for first in SEATS[:n]],
)
@pytest.mark.parametrize("winner", ["the roller", "somebody else", "nobody"])
def test_the_die_passes_left_for_nine_rounds_whoever_won(
    players: tuple[Player, ...], first: Player, winner: str
) -> None:
    match, rollers = start("classic", len(players), first), list[Player]()
    chance = SeededChance(1)
    for _ in range(9):
        roller = next_roller(match)
        assert roller is not None
        rollers.append(roller)
        for other in players:
            if other != roller:
                refused(match, Roll(other, (1,)), "another player")
        others = [p for p in players if p != roller]
        if winner == "nobody":
            match = lost(match)
        else:
            match = played(match, [roller if winner == "the roller" or not others else others[-1]])
    refused(match, rules.rolled(match, chance, first), "last round")
    order = from_seat(players, first)
    assert rollers == [order[n % len(order)] for n in range(9)]


@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_the_track_counts_nine_rounds_down(number: int) -> None:
    match, counted = start("classic", number), list[tuple[int, int, int]]()
    for finishing in range(9):
        match = played(match, SEATS[: 1 + finishing % number])
        counted.append((match.round, match.track.sapphires, match.track.ambers))
    assert counted == [(n, 9 - n, 9 - n) for n in range(1, 10)]
    assert match.over


def test_a_bag_that_is_nearly_empty_gives_what_it_has() -> None:
    match: Match = start("extreme", 4)
    for _ in range(9):
        match = played(match, SEATS)
    assert (len(match.bag), match.over) == (0, True)
    assert sum(len(hand) for hand in match.hands.values()) == 54


@pytest.mark.parametrize(("gem", "count"), list(product(GEMS, (10,))))
def test_a_colour_used_up_is_refused(gem: Gem, count: int) -> None:
    match = start("classic", 4)
    drawn_so_far = 0
    while drawn_so_far < count:
        match = checked(match, SEATS)
        for player in match.to_draw:
            other = next(g for g in GEMS if g is not gem and match.bag[g])
            match = after(match, Draw(player, gem if drawn_so_far < count else other))
            drawn_so_far += 1
    match = checked(match, SEATS)
    refused(match, Draw(match.to_draw[0], gem), "none of that colour left")
