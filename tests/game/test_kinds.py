"""The other kinds of games: duels, ladders of gems, gems taken openly, chips for each, numbers and a go."""

from __future__ import annotations

import pytest

from device.game import rules
from device.game.chance import SeededChance
from device.game.editions import parse
from device.game.events import (
    Claim,
    Confirm,
    Draw,
    End,
    Flip,
    Gave,
    GiveUp,
    Go,
    Next,
    Ranked,
    Reveal,
    Roll,
    Scored,
    TiedFirst,
)
from device.game.gems import Gem, Gems
from device.game.match import Match, begin
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
    drawn,
    lost,
    played,
    race,
    refused,
    start,
    told,
)

PAIR = (RED, BLUE)

TWO_TASKS = """
id = "our-duel"
name = "Our duel"
players = [2, 2]
rounds = 9
ties = "playoff"
[chooser]
kind = "die"
symbols = ["1", "2", "3"]
[glass]
start = "none"
[reward]
kind = "wins"
target = 5
two_tasks_from = 3
"""


def wins(match: Match, winners: str) -> Match:
    """These win the next rounds: r, b, or - for nobody."""
    for letter in winners:
        match = lost(match) if letter == "-" else played(match, ({"r": RED, "b": BLUE}[letter],))
    return match


@pytest.mark.parametrize(
    ("winners", "scores", "over"),
    [
        pytest.param("", (0, 0), False, id="before"),
        pytest.param("rrrr", (4, 0), False, id="four are not five"),
        pytest.param("rrrrr", (5, 0), True, id="five in a row"),
        pytest.param("rbrbrbrb", (4, 4), False, id="four all"),
        pytest.param("rbrbrbrbb", (4, 5), True, id="the ninth decides"),
        pytest.param("r-------", (1, 0), False, id="eight rounds"),
        pytest.param("r--------", (1, 0), True, id="nine rounds are the most"),
    ],
)
def test_duel_first_to_five_in_at_most_nine(winners: str, scores: tuple[int, int], over: bool) -> None:
    match = wins(start("duel"), winners)
    assert (match.scores, match.over) == (dict(zip(PAIR, scores, strict=True)), over)
    if over:
        refused(match, rules.rolled(match, SeededChance(1), match.next_starter or RED), "last round")
        leader = RED if scores[0] > scores[1] else BLUE
        assert after(match, Next()).ranking[0] == (leader,)
    elif winners:
        refused(match, Next(), "begins the next round")


def test_duel_scores_only_the_first_and_needs_no_glass() -> None:
    match = race(start("duel"))
    refused(match, Flip(0.0), "no glass")
    match = after(match, Claim(RED, 9.5), Claim(BLUE, 9.4), End("all", 9.5))
    match, outcomes = told(match, Confirm())
    assert outcomes == [Scored(1, {RED: 0, BLUE: 1})]


def test_duel_a_tie_after_nine_is_played_off() -> None:
    match = wins(start("duel"), "rbrbrbrb-")
    assert match.over
    match, outcomes = told(match, Next())
    assert outcomes == [TiedFirst(PAIR)]
    assert match.starter == BLUE
    match = after(match, Roll(BLUE, (17,)))
    assert match.symbol == "17"
    match, outcomes = told(match, Claim(RED, 8.0), End("all", 8.0), Confirm())
    assert outcomes == [Ranked({RED: 4, BLUE: 4}, ((RED,), (BLUE,)))]


@pytest.mark.parametrize(
    ("winners", "scores"),
    [
        pytest.param("rrr", (3, 0), id="up to three as always"),
        pytest.param("rrrr", (3, 0), id="a leader's first task of two"),
        pytest.param("rrrrr", (4, 0), id="the second one scores"),
        pytest.param("rrrrrr", (4, 0), id="again two from four"),
        pytest.param("rrrrrrr", (5, 0), id="five"),
        pytest.param("rrrrbr", (4, 1), id="another win in between: the half is kept"),
        pytest.param("rrrbbbr", (4, 3), id="three all: nobody leads"),
        pytest.param("rrrbbbrb", (4, 4), id="who is behind scores at once"),
        pytest.param("rrrbbbrr", (4, 3), id="the new leader needs two"),
    ],
)
def test_the_leaders_option_of_two_tasks(winners: str, scores: tuple[int, int]) -> None:
    assert wins(begin(parse(TWO_TASKS, "x"), PAIR, RED), winners).scores == dict(zip(PAIR, scores, strict=True))


@pytest.mark.parametrize(
    ("players", "finishers", "queue"),
    [
        pytest.param(4, (BLUE, RED, YELLOW, GREEN), "bbbbrrryyg", id="four: 4, 3, 2, 1"),
        pytest.param(4, (BLUE, RED), "bbbbrrr", id="two of four: 4, 3"),
        pytest.param(3, (GREEN, BLUE, RED), "gggbbr", id="three: 3, 2, 1"),
        pytest.param(2, (RED, BLUE), "rrb", id="two: 2, 1"),
        pytest.param(1, (RED,), "r", id="alone: one"),
    ],
)
def test_junior_ladder(players: int, finishers: tuple[Player, ...], queue: str) -> None:
    match = checked(start("junior", players), finishers)
    assert match.phase == "draw"
    assert "".join(player.value[0] for player in match.to_draw) == queue
    match = drawn(match, [RUBY] * len(queue))
    assert match.scores == {p: queue.count(p.value[0]) for p in match.players}
    assert match.bag == Gems(18 - len(queue), 18, 18, 18)


def test_junior_counts_gems_not_colours_over_seven_rounds() -> None:
    match = start("junior", 2)
    match = played(match, (RED, BLUE), (AMBER, AMBER, RUBY))
    match = played(match, (RED, BLUE), (AMBER, AMBER, RUBY))
    assert match.scores == {RED: 4, BLUE: 2}
    for _ in range(5):
        assert not match.over
        match = lost(match)
    match, outcomes = told(match, Next())
    assert outcomes == [Ranked({RED: 4, BLUE: 2}, ((RED,), (BLUE,)))]


def test_junior_its_72_gems_last_for_four_who_always_finish() -> None:
    match = start("junior", 4)
    while not match.over:
        match = played(match, SEATS)
    assert (match.round, len(match.bag)) == (7, 2)


def test_junior_the_start_player_starts_the_glass_and_passes_left() -> None:
    match = start("junior", 3, BLUE)
    refused(match, Reveal(RED), "another player begins")
    match = lost(match)
    assert match.next_starter == GREEN
    assert after(match, Reveal(GREEN), Flip(0)).phase == "race"


def test_with_pawns_finishers_take_two_gems_each_openly() -> None:
    match = checked(start("pawns", 3), (GREEN, RED))
    assert match.to_draw == (GREEN, GREEN, RED, RED)
    match, outcomes = told(match, Draw(GREEN, SAPPHIRE), Draw(GREEN, SAPPHIRE), Draw(RED, EMERALD), Draw(RED, RUBY))
    assert outcomes == [
        Gave(GREEN, SAPPHIRE, "supply"),
        Gave(GREEN, SAPPHIRE, "supply"),
        Gave(RED, EMERALD, "supply"),
        Gave(RED, RUBY, "supply"),
        Scored(1, {RED: 6, BLUE: 0, GREEN: 6}),
    ]
    assert match.hands == {RED: Gems(ruby=1, emerald=1), BLUE: Gems(), GREEN: Gems(sapphire=2)}
    assert match.bag == Gems(17, 16, 17, 18)


def test_with_pawns_the_72_gems_last_for_nine_rounds_of_four() -> None:
    match = start("pawns", 4)
    while not match.over:
        match = played(match, SEATS)
    assert (match.round, len(match.bag)) == (9, 0)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seed", range(5))
def test_extreme_gives_every_player_a_chip_of_their_own(players: int, seed: int) -> None:
    match = start("extreme", players)
    roll = rules.rolled(match, SeededChance(seed), RED)
    assert len(roll.lines) == players == len(set(roll.lines))
    match = after(match, roll)
    assert (match.phase, match.lines, match.symbol) == ("set", roll.lines, None)


def test_extreme_every_deal_of_chips_can_come() -> None:
    match, chance = start("extreme", 2), SeededChance(2)
    seen = {rules.rolled(match, chance, RED).lines for _ in range(400)}
    assert seen == {(a, b) for a in range(1, 5) for b in range(1, 5) if a != b}


def test_extreme_54_gems_18_of_them_on_the_track() -> None:
    match = start("extreme", 4)
    assert (match.track.sapphires + match.track.ambers, len(match.bag)) == (18, 36)
    assert match.edition.symbols == ("red", "blue", "green", "yellow")


@pytest.mark.parametrize("edition", ["3d", "extreme"])
def test_the_rollers_second_press_turns_the_glass_when_all_are_ready(edition: str) -> None:
    match = start(edition, 3, BLUE)
    match = after(match, rules.rolled(match, SeededChance(1), BLUE))
    assert match.phase == "set"
    for event in (Flip(0.0), Claim(BLUE, 1.0), GiveUp(1.0), Go(RED), Roll(BLUE, (1,))):
        refused(match, event)
    match = after(match, Go(BLUE))
    assert match.phase == "race"
    refused(match, Claim(BLUE, 0.0), "nothing to claim")
    assert after(match, Flip(0.0), Claim(BLUE, 0.1)).claims == (Claim(BLUE, 0.1),)


@pytest.mark.parametrize("line", range(1, 7))
def test_3d_has_numbers_on_its_die(line: int) -> None:
    assert after(start("3d"), Roll(RED, (line,))).symbol == str(line)


@pytest.mark.parametrize(
    ("line", "symbol"), list(enumerate(("shield", "hand", "gazelle", "snake", "elephant", "mask"), 1))
)
@pytest.mark.parametrize("edition", ["classic", "pawns"])
def test_the_six_symbols_stand_top_to_bottom(edition: str, line: int, symbol: str) -> None:
    assert after(start(edition), Roll(RED, (line,))).symbol == symbol


@pytest.mark.parametrize("gem", Gem)
def test_lines_pays_like_the_classic(gem: Gem) -> None:
    match = after(start("lines", 2), Reveal(BLUE), Claim(BLUE, 99.0), Flip(99.0), End("sand", 159.0), Confirm())
    match, outcomes = told(match, Draw(BLUE, gem))
    assert outcomes[0] == Gave(BLUE, gem, "bag")
    assert match.scores == {RED: 0, BLUE: 3 + gem.points}
    assert match.next_starter is None
    assert after(match, Reveal(RED)).round == 2
