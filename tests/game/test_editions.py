"""Every edition states what the rules' table says, and a family's own edition plays from one file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from device.errors import UserError
from device.game import rules
from device.game.chance import SeededChance
from device.game.editions import Edition, Goal, available, load, parse
from device.game.events import Claim, Confirm, End, Next
from device.game.gems import Gems, Track
from device.game.match import Match, begin
from device.game.players import SEATS
from tests.game.play import BLUE, RED, after, claimed, lost, race

ALL_SIX = tuple(Goal(kind, number) for kind in ("minutes", "tasks") for number in (5, 10, 20))
ALONE_20 = (Goal("minutes", 20),)
SYMBOLS = ("shield", "hand", "gazelle", "snake", "elephant", "mask")
TEN_EACH = Gems(10, 10, 10, 10)

# id: players, chooser, faces, start of the glass, seconds on side A and B, counted, second chance, rounds
TABLE: dict[str, tuple[object, ...]] = {
    "classic": ((1, 4), "die", 6, "roll", (60, 60), False, True, 9),
    "lines": ((1, 4), "none", 0, "first-claim", (60, 60), False, False, 9),
    "extreme-fun-size": ((1, 4), "stacks", 0, "first-claim", (20, 30), True, False, None),
    "3d": ((1, 4), "die", 6, "ready", (60, 60), False, True, 9),
    "extreme": ((2, 4), "chips", 4, "ready", (60, 60), False, True, 9),
    "duel": ((2, 2), "die", 20, "none", None, False, False, 9),
    "junior": ((1, 4), "none", 0, "press", (90, 90), False, False, 7),
    "mini": ((1, 4), "stacks", 0, "first-claim", (20, 30), True, False, None),
    "trigo": ((1, 4), "stacks", 0, "first-claim", (20, 30), True, False, 8),
    "pawns": ((2, 4), "die", 6, "roll", (60, 60), False, True, 9),
}

# id: reward, scorings, unit, bag, pairs on the track, who begins, where the start goes, ties, goals for one alone
PRIZES: dict[str, tuple[object, ...]] = {
    "classic": ("track", ("track", "no-luck"), "points", TEN_EACH, 9, "youngest", "left", "playoff", ALL_SIX),
    "lines": ("track", ("track", "no-luck"), "points", TEN_EACH, 9, "anyone", "anyone", "playoff", ALL_SIX),
    "extreme-fun-size": ("cards", ("cards",), "cards", Gems(), 0, "youngest", "left-of-first", "shared", ALONE_20),
    "3d": ("track", ("track",), "points", TEN_EACH, 9, "youngest", "left", "playoff", ALL_SIX),
    "extreme": ("track", ("track",), "points", Gems(9, 9, 9, 9), 9, "youngest", "left", "playoff", ()),
    "duel": ("wins", ("wins",), "wins", Gems(), 0, "youngest", "left", "playoff", ()),
    "junior": ("ladder", ("ladder",), "gems", Gems(18, 18, 18, 18), 0, "youngest", "left", "shared", ALL_SIX),
    "mini": ("cards", ("cards",), "cards", Gems(), 0, "youngest", "left-of-first", "shared", ALL_SIX),
    "trigo": ("cards", ("cards",), "cards", Gems(), 0, "youngest", "left-of-first", "shared", ALL_SIX),
    "pawns": ("take", ("take",), "points", Gems(18, 18, 18, 18), 0, "youngest", "left", "shared", ()),
}


def test_the_seeds_own_three_come_first_and_none_is_missing() -> None:
    assert [edition.id for edition in available()] == list(TABLE) == list(PRIZES)


@pytest.mark.parametrize("name", TABLE)
def test_an_edition_states_what_the_rules_say(name: str) -> None:
    one = load(name)
    assert TABLE[name] == (
        one.players,
        one.chooser,
        len(one.symbols),
        one.start,
        one.seconds,
        one.counts,
        one.second_chance,
        one.rounds,
    )


@pytest.mark.parametrize("name", PRIZES)
def test_an_edition_gives_what_the_rules_say(name: str) -> None:
    one = load(name)
    track = one.track or Track(0, 0)
    assert track.sapphires == track.ambers
    assert PRIZES[name] == (
        one.reward,
        one.scorings,
        one.unit,
        one.bag,
        track.sapphires,
        one.first,
        one.passes,
        one.ties,
        one.goals,
    )


@pytest.mark.parametrize(
    ("name", "gems"),
    [pytest.param(*case, id=case[0]) for case in (("classic", 58), ("lines", 58), ("3d", 58), ("extreme", 54))]
    + [pytest.param("junior", 72, id="junior")],
)
def test_gems_in_all(name: str, gems: int) -> None:
    one = load(name)
    track = one.track or Track(0, 0)
    assert len(one.bag) + track.sapphires + track.ambers == gems


@pytest.mark.parametrize(
    ("name", "cards", "for_two"), [("extreme-fun-size", 8, 5), ("mini", 8, 8), ("trigo", 8, 8), ("classic", 0, 0)]
)
def test_cards_in_a_stack(name: str, cards: int, for_two: int) -> None:
    assert (load(name).cards, load(name).cards_for_two) == (cards, for_two)


def test_what_only_some_have() -> None:
    assert {one.id for one in available() if one.levels} == {"lines", "3d"}
    assert {one.id for one in available() if not one.sides} == {"lines"}
    assert {one.id for one in available() if one.symbols == SYMBOLS} == {"classic", "pawns"}
    assert {one.id: one.target for one in available() if one.target} == {"duel": 5}
    assert {one.id: one.take for one in available() if one.take != 1} == {"pawns": 2}
    assert [one.id for one in available() if one.two_tasks_from] == []


@pytest.mark.parametrize(
    ("name", "easy", "hard"),
    [("classic", 60, 60), ("extreme-fun-size", 20, 30), ("junior", 90, 90), ("duel", None, None)],
)
def test_the_printed_length_of_the_glass_by_side(name: str, easy: int | None, hard: int | None) -> None:
    assert (load(name).glass_seconds(), load(name).glass_seconds("A"), load(name).glass_seconds("B")) == (
        easy,
        easy,
        hard,
    )


@pytest.mark.parametrize("name", TABLE)
def test_a_scoring_an_edition_has_not_is_its_own(name: str) -> None:
    one = load(name)
    players = SEATS[: one.players[1]]
    match = begin(one, players, None if one.first == "anyone" else RED, scoring="no-luck")
    assert match.scoring == ("no-luck" if name in ("classic", "lines") else one.scorings[0])


HOME_MADE = """
# Three rounds for two: a coin, 30 seconds, finishers take three gems.
id = "coin"
name = "Our own"
players = [2, 2]
rounds = 3
goals = ["1 minutes", "99 tasks"]

[chooser]
kind = "die"
symbols = ["heads", "tails"]

[glass]
start = "roll"
seconds = 30

[reward]
kind = "take"
take = 3
bag = { ruby = 5, amber = 4 }
"""


@pytest.fixture
def family(tmp_path: Path) -> Path:
    (tmp_path / "coin.toml").write_text(HOME_MADE, "utf-8")
    return tmp_path


def test_a_home_made_edition_is_read_whole(family: Path) -> None:
    assert load("coin", family) == Edition(
        id="coin",
        name="Our own",
        players=(2, 2),
        chooser="die",
        start="roll",
        reward="take",
        rounds=3,
        goals=(Goal("minutes", 1), Goal("tasks", 99)),
        symbols=("heads", "tails"),
        seconds=(30, 30),
        bag=Gems(ruby=5, amber=4),
        take=3,
    )


def test_a_home_made_edition_plays_to_its_end(family: Path) -> None:
    match: Match = begin(load("coin", family), (RED, BLUE), RED)
    chance = SeededChance(4)
    for _ in range(3):
        match = after(claimed(race(match), (BLUE, RED)), Confirm())
        while match.phase == "draw":
            match = after(match, rules.drawn(match, chance))
    # Nine gems are in the bag: three rounds of six would want eighteen.
    assert (len(match.bag), len(match.hands[RED]) + len(match.hands[BLUE])) == (0, 9)
    match = after(match, Next())
    assert match.phase == "final"


def test_home_made_editions_come_after_the_boxs_own_and_wrong_ones_not_at_all(family: Path) -> None:
    (family / "a-b.toml").write_text(HOME_MADE.replace('"coin"', '"a-b"'), "utf-8")
    (family / "wrong.toml").write_text("id = ", "utf-8")
    (family / "other.toml").write_text(HOME_MADE, "utf-8")
    (family / "classic.toml").write_text(HOME_MADE.replace('"coin"', '"classic"'), "utf-8")
    (family / "folder.toml").mkdir()
    (family / "notes.txt").write_text("no edition", "utf-8")
    assert [one.id for one in available(family)] == [*TABLE, "a-b", "coin"]
    assert [one.id for one in available(family / "nowhere")] == list(TABLE)
    assert [one.id for one in available(family / "notes.txt")] == list(TABLE)


def test_the_boxs_own_cannot_be_hidden(family: Path) -> None:
    (family / "classic.toml").write_text(HOME_MADE.replace('"coin"', '"classic"'), "utf-8")
    assert load("classic", family) == load("classic")


CARDS_IN_TURN = """
id = "quick"
name = "Quick"
players = [1, 3]
passes = "left"
ties = "playoff"
[chooser]
kind = "stacks"
cards = 2
[glass]
start = "press"
seconds = [45, 90]
second_chance = true
[reward]
kind = "cards"
"""


def test_kinds_that_no_printed_game_joins_work_together() -> None:
    match = begin(parse(CARDS_IN_TURN, "quick.toml"), SEATS[:3], BLUE)
    match = lost(match)
    assert (match.lost, match.over, match.stacks) == (True, False, (1, 1, 1, 2))
    match = after(claimed(race(match), SEATS[:3]), Confirm(), Next())
    assert (match.phase, match.tied) == ("playoff", SEATS[:3])
    match = race(match)
    assert match.glassless
    match = after(match, Claim(RED, 3.0), End("all", 3.0), Confirm())
    assert match.ranking == ((RED,), SEATS[1:3])


def test_every_edition_of_the_box_is_named_when_one_is_not_known() -> None:
    with pytest.raises(UserError) as said:
        load("chess")
    assert str(said.value) == f"edition: 'chess' is not known: one of {', '.join(TABLE)}"
    assert said.value.code == 2


TURNED = ("mask", "elephant", "snake", "gazelle", "hand", "shield")


@pytest.mark.parametrize(
    ("name", "start", "symbols", "became"),
    [
        pytest.param("3d", "roll", (), ("roll", "1"), id="3d: the roll turns the glass"),
        pytest.param("classic", "ready", (), ("ready", "shield"), id="classic: when all are ready"),
        pytest.param("classic", "roll", TURNED, ("roll", "mask"), id="another order of the symbols"),
        pytest.param("classic", "roll", TURNED[:5], ("roll", "shield"), id="a symbol missing: as printed"),
        pytest.param("classic", "roll", ("mask",) * 6, ("roll", "shield"), id="a symbol six times: as printed"),
        pytest.param("classic", "press", (), ("roll", "shield"), id="a start it cannot have"),
        pytest.param("duel", "ready", TURNED, ("none", "1"), id="without a glass it stays without"),
    ],
)
def test_what_a_family_may_set_otherwise(
    name: str, start: str, symbols: tuple[str, ...], became: tuple[str, str]
) -> None:
    one = load(name).variant(start, symbols)
    assert (one.start, one.symbols[0]) == became
    assert replace(one, start=load(name).start, symbols=load(name).symbols) == load(name)


@pytest.mark.parametrize("start", ["roll", "ready", "press", "none"])
@pytest.mark.parametrize("name", ["lines", "junior", "mini"])
def test_the_start_of_a_game_without_a_die_stays(name: str, start: str) -> None:
    assert load(name).variant(start, TURNED) == load(name)
