"""What mashing has found, each with the script that showed it: a button that sticks, a cut at a bad moment, a sleep."""

from __future__ import annotations

from tests.rehearsal import laws
from tests.rehearsal.scripts import fields, of, play

JOIN = """
1 press 1
2 press 2
3 press 3
4 hold 1
8 press 1            # the youngest
"""

# Rolled at 10.083, the glass runs from 10.783. Blue never lets go of the button that claimed.
STUCK = (
    '#!config bag = "cloth"\n'
    + JOIN
    + """
10 press 1
20 press 1
21 press 3
30 down 2            # all: check
34 press 1
36 press 1           # a ruby for red
38 press 3           # an emerald for green
40 press 4           # an amber for blue
"""
)


def test_a_cut_while_the_second_rounds_die_tumbles_leaves_a_whole_glass() -> None:
    script = JOIN + "10 press 1\n20 press 1\n21 press 2\n22 press 3\n26 press 1\n28 press 1\n30 press 2\n32 press 3\n"
    said = play(script + "35 press 2\n35.4 cut\n36 press 4\n37 press 4\n40 press 3\n")
    laws.check(said, [35.4])
    # Not what was left, and had been played, in the round before.
    assert fields(said, "resumed", "round", "left") == [(2, 60)]
    # The die, rolled already, stands as play goes on at 37.083.
    assert [(one["t"], one["chance"]) for one in of(said, "flip")][-1] == (37.083, 1)
    assert fields(said, "claim", "player", "left")[-1] == ("green", 57.083)


def test_a_button_that_sticks_does_not_let_the_menu_undo_what_was_settled() -> None:
    said = play(STUCK + "50 down 1\n50 down 3\n53 up 1\n53 up 3\n")
    laws.check(said)
    # Three are down for two seconds: the menu. Only what the three did since then is taken back, and that is nothing.
    assert fields(said, "scene", "scene")[-1] == "menu"
    assert not of(said, "undone")
    assert fields(said, "scored", "round") == [1]


def test_a_match_given_up_on_the_way_to_the_menu_stays_given_up() -> None:
    # In resume one finger has held for 1.5 s before two others join it.
    said = play(JOIN + "10 cut\n11 down 1\n13 down 2\n13 down 3\n16 up 1\n16 up 2\n16 up 3\n17 press 4\n18 cut\n")
    laws.check(said, [10, 18])
    assert fields(said, "scene", "scene") == ["lobby", "youngest", "ready", "resume", "lobby", "menu", "lobby", "lobby"]


def test_a_draw_undone_on_the_way_to_the_menu_is_undone_for_the_store_too() -> None:
    round_one = JOIN + "10 press 1\n20 press 1\n21 press 2\n22 press 3\n26 press 1\n28 press 1\n"
    said = play(
        round_one
        + "30 down 4\n32 down 3\n32 down 2\n35 up 4\n35 up 3\n35 up 2\n36 press 4\n37 cut\n38 press 4\n40 press 1\n"
    )
    laws.check(said, [37])
    first, again = [one for one in of(said, "gem") if one["source"] == "bag"]
    assert first["player"] == again["player"] == "red"
    assert first["gem"] == again["gem"]
    assert fields(said, "undone", "decision") == ["draw"]


def test_who_has_played_for_long_without_a_press_is_not_asleep() -> None:
    # Goal "20 minutes", and not one task solved: Stop, the result, and a quarter of an hour until the box sleeps.
    said = play("1 press 1\n2 hold 1\n6 press 2\n7 press 2\n8 press 3\n9 press 1\n2200 end\n")
    (result,) = of(said, "alone")
    assert (result["goal"], result["t"]) == ("20 minutes", 1209.0)
    assert [(one["scene"], one["t"]) for one in of(said, "scene")][-2:] == [("final", 1209.0), ("asleep", 2109.0)]


def test_a_picture_shown_just_before_it_dims_does_not_stop_the_time() -> None:
    said = play("1 press 1\n300.5 fault oled on\n300.9 fault oled off\n400 press 2\n")
    assert [one["t"] for one in of(said, "joined")] == [1.083, 400.083]


def test_a_race_that_everybody_else_had_ended_is_not_ended_by_presses_that_are_taken_back() -> None:
    # Red withdraws on the way to the menu; the withdrawal is taken back, so all have claimed: Stop is heard after all.
    script = (
        JOIN
        + "10 press 1\n20 press 1\n21 press 3\n22 down 1\n24 press 2 0.2\n"
        + "25 down 3\n25 down 4\n28 up 1\n28 up 3\n28 up 4\n"
    )
    said = play(script)
    laws.check(said)
    assert fields(said, "undone", "decision") == ["withdrawal"]
    assert fields(said, "stop", "reason") == ["all"]
    assert [one["sound"] for one in of(said, "sound")].count("stop") == 1
