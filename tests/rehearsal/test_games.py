"""Facts of the kept evenings beyond the classic match, worked out here: each game's own, alone, counting, the menu."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache

import pytest

from tests.rehearsal.scripts import EVENINGS, One, fields, of, times

RED, BLUE, GREEN, YELLOW = "red", "blue", "green", "yellow"


@cache
def kept(name: str) -> tuple[One, ...]:
    """A kept transcript: that it is what is played is proved in test_evenings."""
    return tuple(json.loads(line) for line in (EVENINGS / f"{name}.jsonl").read_text("utf-8").splitlines())


def said_players(said: tuple[One, ...]) -> list[str]:
    """Who plays."""
    players: list[str] = fields(said, "started", "players")[0]
    return players


def test_in_lines_the_first_claim_turns_the_glass() -> None:
    said = kept("lines-whole-match")
    flips = times(said, "flip")
    firsts = [one["t"] for one in of(said, "claim") if one["left"] is None]
    # Also after the first claim was withdrawn (round 2) or undone (round 3): none ran in between.
    assert flips == firsts
    assert fields(said, "flip", "seconds", "chance") == [(60, 1)] * len(firsts)
    assert not of(said, "rolled", "youngest")
    withdrawn = times(said, "withdrawn")[0]
    assert not [t for t in times(said, "sound", sound="tick") if withdrawn < t < withdrawn + 60]
    # Any player reveals; a round nobody solves is given up and gives both gems back; nothing else ends it.
    assert fields(said, "stop", "reason").count("given-up") == 1
    assert times(said, "stop", reason="given-up") == times(said, "returned", gem="sapphire")
    # No glass had been turned, so no time was left; then 10 s of 60 had run.
    assert fields(said, "resumed", "round", "left") == [(5, None), (5, pytest.approx(50, abs=0.25))]
    # Green and yellow share the last rank.
    assert fields(said, "final", "ranking") == [[[RED], [BLUE], [GREEN, YELLOW]]]


def test_in_lines_a_tie_is_played_off_with_a_new_card_and_no_roll() -> None:
    said = kept("lines-without-luck")
    # Eight rounds of a ruby for one and a sapphire for the other, in turn.
    assert fields(said, "scored", "scores")[-1] == {RED: 28, BLUE: 28, GREEN: 4}
    assert fields(said, "playoff", "players") == [[RED, BLUE]]
    start = times(said, "playoff")[0]
    after = [one for one in said if one["t"] > start and one["what"] not in ("lamps", "sound")]
    assert [(one["what"], one.get("player"), one.get("left")) for one in of(after, "claim", "flip", "rolled")] == [
        ("claim", RED, None)
    ]
    assert fields(said, "final", "ranking") == [[[RED], [BLUE], [GREEN]]]


CARDS = {"extreme-fun-size": (4, 8), "mini": (2, 9), "trigo": (3, 8)}


@pytest.mark.parametrize(("edition", "players", "rounds"), [(name, *row) for name, row in CARDS.items()])
def test_cards_are_kept_given_or_out(edition: str, players: int, rounds: int) -> None:
    said = kept(f"{edition}-whole-match")
    # The fates of each round's cards; a round that was undone and scored again counts as it was scored last.
    rounds_cards: dict[int, list[One]] = {}
    fates: list[One] = []
    for one in of(said, "card", "scored"):
        if one["what"] == "scored":
            rounds_cards[one["round"]], fates = fates, []
        elif len(one) == 5:
            fates.append(one)
    counts: Counter[str] = Counter()
    for cards in rounds_cards.values():
        assert len(cards) == players
        keepers = [one["player"] for one in cards if "kept" in one]
        receivers = {one["given"] for one in cards if "given" in one}
        # Given up: all are out. Else the first, who is one of the finishers, gets the others' cards.
        assert receivers <= set(keepers)
        assert len(receivers) <= 1
        assert sum("out" in one for one in cards) == (0 if keepers else players)
        counts.update(keepers + [one["given"] for one in cards if "given" in one])
    assert fields(said, "final", "scores") == [{player: counts[player] for player in said_players(said)}]
    assert fields(said, "scored", "round")[-1] == rounds
    assert counts.total() == players * (rounds - 1)
    assert {one["seconds"] for one in of(said, "flip")} == {20}


def test_after_a_lost_round_the_start_passes_left_else_to_the_left_of_the_first() -> None:
    said = kept("extreme-fun-size-whole-match")
    # Who takes the first card of each round: blue is the youngest; red was first three times, so blue again; …
    starters = []
    fresh = False
    for one in of(said, "scene", "card"):
        if one["what"] == "scene":
            fresh = fresh or one["scene"] in ("youngest", "scores")
        elif fresh and len(one) == 4:
            starters.append(one["player"])
            fresh = False
    firsts = [RED, RED, None, YELLOW, RED, RED, RED]
    seats = [RED, BLUE, GREEN, YELLOW]
    expected = [BLUE]
    for first in firsts:
        expected.append(seats[(seats.index(first or expected[-1]) + 1) % 4])
    assert starters == expected


def test_duel_is_won_by_the_first_to_five() -> None:
    said = kept("duel-whole-match")
    assert fields(said, "claim", "player", "left") == [(p, None) for p in (RED, BLUE, RED, RED, BLUE, BLUE, RED, RED)]
    assert not of(said, "flip")
    assert "tick" not in fields(said, "sound", "sound")
    assert all(1 <= int(symbol) == line <= 20 for symbol, line in fields(said, "rolled", "symbol", "line"))
    assert fields(said, "final", "scores", "ranking") == [({RED: 5, BLUE: 3}, [[RED], [BLUE]])]


def test_extreme_deals_everybody_another_chip() -> None:
    said = kept("extreme-whole-match")
    deals: dict[float, dict[str, str]] = {}
    for one in of(said, "rolled"):
        deals.setdefault(one["t"], {})[one["player"]] = one["symbol"]
    assert len(deals) == 9
    for chips in deals.values():
        assert sorted(chips) == sorted(chips.values()) == sorted((RED, BLUE, GREEN, YELLOW))
    # 54 gems: what nobody drew is still in the bag of 36 and the pairs that came back.
    drawn = Counter(fields([one for one in of(said, "gem") if one["source"] == "bag"], "gem", "gem"))
    assert all(count <= 9 + 9 for count in drawn.values())


@pytest.mark.parametrize("edition", ["3d", "extreme"])
def test_the_second_press_turns_the_glass(edition: str) -> None:
    name = f"{edition}-whole-match"
    rolls = sorted(set(times(kept(name), "rolled")))
    flips = times(kept(name), "flip", chance=1)
    races = [t for t in times(kept(name), "scene", scene="race") if t in flips]
    # Not 0.7 s after the roll but at a press 3.89 s later, and the race begins there.
    assert flips == races
    assert {round(flip - roll, 2) for roll, flip in zip(rolls, flips, strict=True)} == {3.89}


def test_junior_gives_one_gem_less_a_place() -> None:
    said = kept("junior-whole-match")
    given: list[str] = []
    order: list[str] = []
    for one in of(said, "claim", "gem", "undone", "scored"):
        if one["what"] == "claim":
            order.append(one["player"])
        elif one["what"] == "gem":
            given.append(one["player"])
        elif one["what"] == "undone":
            given.pop()
        else:
            assert given == [player for player, n in zip(order, (3, 2, 1), strict=False) for _ in range(n)]
            given, order = ([], []) if one["round"] != 5 or of(said, "undone")[-1]["t"] < one["t"] else (given, order)
    assert {one["seconds"] for one in of(said, "flip")} == {90}
    assert fields(said, "scored", "round")[-1] == 7


def test_pawns_take_two_gems_openly() -> None:
    said = kept("pawns-whole-match")
    assert {one["source"] for one in of(said, "gem")} == {"supply"}
    assert not of(said, "track", "returned")
    first = [one["player"] for one in of(said, "gem") if one["t"] < times(said, "scored")[0] + 0.001]
    assert first == [GREEN, GREEN, RED, RED]


def test_alone_all_six_goals_end_as_they_should() -> None:
    results = fields(kept("alone-all-goals"), "alone", "goal", "solved", "aside", "seconds", "record")
    # The aside in the minutes was taken back, the one in the tasks was not.
    assert results == [
        ("5 minutes", 4, 0, 300.0, True),
        ("10 minutes", 4, 0, 600.0, True),
        ("20 minutes", 4, 0, 1200.0, True),
        ("5 tasks", 5, 1, sum(range(20, 25)) + 7.0, True),
        ("10 tasks", 10, 1, sum(range(20, 30)) + 7.0, True),
        ("20 tasks", 20, 1, sum(range(20, 40)) + 7.0, True),
    ]
    assert fields(kept("alone-all-goals"), "undone", "decision") == ["aside"] * 3
    # Ten beats and one Stop for each of the three that a clock ends; a quarter of an hour of play is no sleep.
    sounds = Counter(fields(kept("alone-all-goals"), "sound", "sound"))
    assert (sounds["tick"], sounds["stop"], sounds["record"]) == (30, 3, 6)
    assert "asleep" not in fields(kept("alone-all-goals"), "scene", "scene")


def test_alone_a_record_is_set_equalled_and_missed() -> None:
    said = kept("alone-records")
    assert fields(said, "alone", "goal", "solved", "seconds", "record")[:8] == [
        *[("5 minutes", solved, 300.0, record) for solved, record in ((2, True), (2, False), (1, False), (3, True))],
        *[("5 tasks", 5, t, record) for t, record in ((100.0, True), (100.0, False), (110.0, False), (90.0, True))],
    ]
    # Cut off 5 s after the second task, and paused: of 10 + 10 + 5 + … + 20 s at most 0.25 are missing.
    last = of(said, "alone")[-1]
    assert (last["solved"], last["aside"]) == (5, 1)
    assert 0 <= 25 + 5 + 15 - last["seconds"] - 0.08 <= 0.25 + 0.01
    assert fields(said, "scene", "scene")[-5:] == ["final", "lobby", "alone", "menu", "lobby"]


def test_counting_multiplies_and_adds() -> None:
    said = kept("counting-only")
    assert fields(said, "final", "scores", "ranking") == [({RED: 16, BLUE: 16, GREEN: 0}, [[RED, BLUE], [GREEN]])]
    assert fields(said, "sound", "sound").count("refused") == 1


def test_settings_made_on_the_box_hold_for_the_next_match_and_through_a_cut() -> None:
    said = kept("menu-settings-rules")
    assert fields(said, "started", "side", "scoring") == [("B", "no-luck")] * 2
    assert [(one["t"], one["gem"]) for one in of(said, "gem")] == [(94.083, "ruby"), (94.083, "sapphire")]
    # Undo, history and the rest do nothing where there is nothing: refused, and the menu stays.
    assert times(said, "sound", sound="refused") == [8.083, 16.083]
    # The race rested from the menu at 52 s to its closing at 81.083: red's claim at 90 has 44.783 - 52 + … left.
    (flip,) = times(said, "flip")
    rested = 81.083 - 52.0
    assert of(said, "claim")[2]["left"] == pytest.approx(flip + 60 + rested - 90, abs=0.001)


def test_undo_from_the_menu_puts_the_race_back_as_it_was() -> None:
    said = kept("undo-from-the-menu")
    chosen = [one for one in of(said, "undone") if one["t"] not in times(said, "scene", scene="menu")]
    assert fields(chosen, "undone", "decision") == ["claim", "withdrawal", "give-up", "claim"]
    reds = [one for one in of(said, "claim") if (one["player"], one["place"]) == (RED, 3) and one["t"] < 100]
    # Undone at 82.436, the race goes on with what was left at the claim; the next one is 4.917 s later.
    before, again = reds[-2:]
    assert again["left"] == pytest.approx(before["left"] - (again["t"] - 0.003 - 82.436), abs=0.002)
    assert fields(said, "stop", "reason")[-2:] == ["all", "given-up"]
    # What a given-up round gives is said before the scene that shows it.
    end = [one["what"] for one in said[-6:] if one["what"] != "lamps"]
    assert end == ["returned", "returned", "track", "scored", "scene"]


def test_sand_that_runs_out_on_the_way_to_the_menu_has_run_out() -> None:
    name = "menu-while-the-sand-runs-out"
    said = kept(name)
    opened, second = times(said, "scene", scene="menu")
    first_end = times(said, "flip")[0] + 60
    # Said when the menu opens, as its second glass has run since the first one's end.
    assert times(said, "flip", chance=2)[0] == opened
    (yellow,) = [one for one in of(said, "claim") if one["player"] == YELLOW]
    closed = times(said, "scene", scene="race")[1]
    assert yellow["left"] == pytest.approx(60 - (opened - first_end) - (yellow["t"] - 0.003 - closed), abs=0.002)
    # The second time it was the last sand: the round is lost, whoever had claimed.
    assert fields([one for one in said if one["t"] == second], "scored", "scores") == [
        {RED: 0, BLUE: 0, GREEN: 0, YELLOW: 4}
    ]


def test_edges_make_presses() -> None:
    said = kept("edges-and-taps")
    assert [(one["t"], one["what"], one["player"]) for one in of(said, "joined", "left")] == [
        # Bounces of 6 ms down and 25 ms up are one press, heard when the last has stood for 3 ms.
        (pytest.approx(1.106, abs=0.02), "joined", RED),
        (2.043, "joined", BLUE),
        (4.025, "joined", GREEN),
        (5.025, "joined", YELLOW),
        (6.033, "left", YELLOW),
        (6.093, "joined", YELLOW),
    ]
    # A gap of 2 ms does not break a hold: 1.5 s after 7.0.
    assert times(said, "scene", scene="youngest") == [8.5]


def test_a_hold_is_no_press_and_a_press_of_another_scene_none_at_all() -> None:
    said = kept("hold-and-press")
    assert [(round(one["t"], 1), one["what"], one["player"]) for one in of(said, "joined", "left")] == [
        (2.5, "joined", RED),
        (8.1, "joined", BLUE),
        (9.1, "left", BLUE),
        (10.1, "joined", BLUE),
        (11.1, "joined", YELLOW),
        (11.2, "joined", GREEN),
        (20.2, "left", GREEN),
    ]
    assert fields(said, "scene", "scene") == [
        "lobby",
        "alone",
        "lobby",
        "youngest",
        "lobby",
        "youngest",
        "ready",
        "race",
    ]


def test_a_duel_is_for_two() -> None:
    said = kept("lobby-of-two")
    # Nobody, one (duel has no goals for one), three: refused; and green does not play.
    assert times(said, "sound", sound="refused") == [2.5, 7.5, 13.5, 21.083]
    assert fields(said, "started", "edition", "players") == [("duel", [RED, BLUE])]


def test_presses_around_a_race() -> None:
    name = "presses-around-a-race"
    said = kept(name)
    flip = times(said, "flip")[0]
    # Twice while the die tumbled, once for another's draw; the button held from the tumbling on never claims.
    assert times(said, "sound", sound="refused") == [10.303, 10.503, 75.083]
    assert fields(said, "claim", "player", "left") == [
        (BLUE, round(flip + 60 - 20, 3)),
        (RED, round(flip + 60 - 40, 3)),
    ]
    assert not of(said, "withdrawn")
    assert fields(said, "late", "player", "by") == [(GREEN, 0.1)]
    # Let go 2.057 s after Stop: on; down and up again before the two seconds: nothing.
    assert times(said, "scene", scene="draw") == [72.843]
    lit = [one["lit"] for one in of(said, "lamps") if one["t"] in (70.786, 72.783)]
    assert lit == [[], [RED, BLUE, GREEN]]
