"""Every kept evening: its transcript to the byte, the laws, and what must be in it, worked out here."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

import pytest

from tests.rehearsal import laws
from tests.rehearsal.scripts import EVENINGS, One, compare, cuts, fields, names, of, play, text_of, times

RED, BLUE, GREEN, YELLOW = "red", "blue", "green", "yellow"
POINTS = {"ruby": 4, "sapphire": 3, "emerald": 2, "amber": 1}
GEMS = {"ruby": 10, "sapphire": 19, "emerald": 10, "amber": 19}

# Every evening with four players begins alike: the roll is heard at 7.083, the die stands 0.7 s later.
STANDS = 7.783
SAND = STANDS + 60


@cache
def played(name: str) -> tuple[One, ...]:
    """What comes of a kept evening."""
    return tuple(play(text_of(name)))


@pytest.mark.parametrize("name", names())
def test_the_transcript_is_the_kept_one(name: str) -> None:
    compare(name, played(name))


@pytest.mark.parametrize("name", names())
def test_the_laws_hold(name: str) -> None:
    laws.check(played(name), cuts(text_of(name)))


def test_no_transcript_without_its_script() -> None:
    assert names() == sorted(path.stem for path in EVENINGS.glob("*.jsonl"))


def claims(name: str) -> list[Any]:
    """Who claimed, for which place, with how much left."""
    return fields(played(name), "claim", "player", "place", "left")


def test_nine_rounds_with_four_players() -> None:
    said = played("nine-rounds-four-players")
    (started,) = fields(said, "started", "edition", "side", "players", "scoring", "bag")
    assert started == ("classic", "A", [RED, BLUE, GREEN, YELLOW], "track", "box")
    assert fields(said, "rolled", "player") == [RED, BLUE, GREEN, YELLOW, RED, BLUE, GREEN, YELLOW, RED]
    assert fields(said, "track", "sapphires", "ambers") == [(n, n) for n in range(8, -1, -1)]
    assert fields(said, "flip", "seconds", "chance") == [(60, 1)] * 6 + [(60, 2)] + [(60, 1)] * 3
    assert fields(said, "stop", "reason") == ["all", "all", "sand", "all", "sand", "sand", "sand", "all", "sand"]
    places = [
        *([RED, BLUE, GREEN, YELLOW], [BLUE, RED, YELLOW, GREEN], [GREEN, RED], [YELLOW, BLUE, GREEN, RED], [RED]),
        *([], [GREEN, YELLOW, BLUE], [BLUE, GREEN, RED, YELLOW], [YELLOW, RED]),
    ]
    assert fields(said, "claim", "player", "place") == [(p, n) for order in places for n, p in enumerate(order, 1)]
    hands: dict[str, Counter[str]] = {p: Counter() for p in (RED, BLUE, GREEN, YELLOW)}
    back: Counter[str] = Counter()
    totals = iter(fields(said, "scored", "round", "scores"))
    for number, order in enumerate(places, 1):
        expected = [(p, gem, "track") for p, gem in zip(order, ("sapphire", "amber"), strict=False)]
        given = [one for one in of(said, "gem") if one["t"] < times(said, "scored", round=number)[0] + 1e-9]
        given = given[sum(sum(hand.values()) for hand in hands.values()) :]
        assert [(one["player"], one["gem"], one["source"]) for one in given[: len(expected)]] == expected
        assert [(one["player"], one["source"]) for one in given[len(expected) :]] == [(p, "bag") for p in order]
        for one in given:
            hands[one["player"]][one["gem"]] += 1
        back.update(("amber",) if len(order) == 1 else () if order else ("sapphire", "amber"))
        scores = {p: sum(POINTS[gem] * n for gem, n in hand.items()) for p, hand in hands.items()}
        assert next(totals) == (number, scores)
    assert Counter(fields(said, "returned", "gem")) == back
    # 58 gems: what nobody has lies in the bag, and of no colour more was given than there is.
    bag = Counter(GEMS) - sum(hands.values(), Counter())
    assert bag.total() + sum(hand.total() for hand in hands.values()) == 58
    assert all(hand[gem] <= GEMS[gem] for hand in hands.values() for gem in GEMS)
    (final,) = of(said, "final")
    best = sorted(final["scores"], key=lambda p: -final["scores"][p])
    assert final["scores"] == scores
    assert [p for group in final["ranking"] for p in group] == best


def test_a_tie_and_its_playoff() -> None:
    said = played("a-tie-and-its-playoff")
    # Each round gives both 4: a sapphire and an amber, one of the two from the track, the other from the bag.
    assert fields(said, "scored", "scores") == [{RED: 4 * n, BLUE: 4 * n} for n in range(1, 10)]
    assert fields(said, "playoff", "players") == [[RED, BLUE]]
    # Red rolled in round 9, so the first of the tied to the left of red rolls.
    assert fields(said, "rolled", "player")[-2:] == [RED, BLUE]
    assert times(said, "sound", sound="refused") == [152.083]
    assert claims("a-tie-and-its-playoff")[-1] == (BLUE, 1, None)
    assert not [one for one in of(said, "flip", "tick") if one["t"] > 150]
    assert fields(said, "final", "scores", "ranking") == [({RED: 36, BLUE: 36}, [[BLUE], [RED]])]


def test_nobody_solves_twice() -> None:
    said = played("nobody-solves-twice")
    assert times(said, "flip", chance=2) == times(said, "sound", sound="second-chance") == [SAND]
    assert times(said, "sound", sound="stop") == times(said, "stop", reason="sand") == [round(SAND + 60, 3)]
    assert fields(said, "returned", "gem") == ["sapphire", "amber"]
    assert fields(said, "track", "sapphires", "ambers") == [(8, 8)]
    assert fields(said, "scored", "scores") == [{RED: 0, BLUE: 0, GREEN: 0, YELLOW: 0}]
    assert "check" not in fields(said, "scene", "scene")


def test_only_one_finisher() -> None:
    said = played("only-one-finisher")
    (drawn,) = [one["gem"] for one in of(said, "gem") if one["source"] == "bag"]
    assert [(one["what"], one.get("player"), one.get("gem")) for one in of(said, "gem", "returned")] == [
        ("gem", GREEN, "sapphire"),
        ("gem", GREEN, drawn),
        ("returned", None, "amber"),
    ]
    assert fields(said, "scored", "scores") == [{RED: 0, BLUE: 0, GREEN: 3 + POINTS[drawn], YELLOW: 0}]


def test_a_claim_exactly_at_the_end_counts_and_one_a_millisecond_later_is_late() -> None:
    said = played("exactly-at-the-end")
    assert claims("exactly-at-the-end") == [(RED, 1, 47.783), (BLUE, 2, 0.0)]
    assert fields(said, "late", "player", "by") == [(GREEN, 0.001), (YELLOW, 1.917)]
    assert times(said, "sound", sound="stop") == [SAND]
    assert times(said, "scene", scene="draw") == [69.883]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        pytest.param(
            "the-first-bounces",
            [(RED, 1, 47.783), (BLUE, 2, 47.782), (GREEN, 3, 27.783), (YELLOW, 4, 27.783)],
            id="a press that bounces is dated by its first edge",
        ),
        pytest.param(
            "the-same-moment",
            [(BLUE, 1, 47.783), (GREEN, 2, 47.783), (YELLOW, 3, 47.783), (RED, 4, 47.783)],
            id="exactly the same time goes from the roller on",
        ),
        pytest.param("a-burst-astride-the-end", [(GREEN, 1, 0.002)], id="a burst that began in time"),
        pytest.param("noise-astride-the-end", [(YELLOW, 1, 27.783)], id="a claim in the second glass"),
        pytest.param("a-button-that-does-not-settle", [(YELLOW, 1, 37.783)], id="no claim of a loose wire"),
    ],
)
def test_places_go_by_the_press(name: str, expected: list[tuple[str, int, float]]) -> None:
    assert claims(name) == expected


def test_the_end_of_the_glass_waits_for_a_burst_but_stop_does_not() -> None:
    claimed, noise = played("a-burst-astride-the-end"), played("noise-astride-the-end")
    assert times(claimed, "sound", sound="stop") == [SAND]
    assert fields(claimed, "flip", "chance") == [1]
    assert times(noise, "sound", sound="stop") == [SAND, round(SAND + 60, 3)]
    assert fields(noise, "flip", "chance") == [1, 2]
    # The second glass runs from the end of the first, however late that was known.
    assert times(noise, "stop") == [round(SAND + 60, 3)]


def test_a_button_that_does_not_settle_is_told_once() -> None:
    said = played("a-button-that-does-not-settle")
    assert [(one["t"], one["about"]) for one in of(said, "notice")] == [(20.05, "button")]


def test_a_withdrawn_first_place_moves_the_others_up() -> None:
    said = played("a-withdrawn-first-place")
    places = [(one["what"], one["player"], one.get("place")) for one in of(said, "claim", "withdrawn")]
    assert places == [
        ("claim", RED, 1),
        ("claim", BLUE, 2),
        ("withdrawn", RED, None),
        ("claim", GREEN, 2),
        ("claim", RED, 3),
        ("withdrawn", GREEN, None),
    ]
    assert fields(said, "gem", "player", "source") == [(BLUE, "track"), (RED, "track"), (BLUE, "bag"), (RED, "bag")]
    assert times(said, "withdrawn") == [31.5, 71.5]


def test_undo_of_a_draw_gives_the_same_gem_again() -> None:
    said = played("undo-of-a-draw")
    drawn = [(one["player"], one["gem"]) for one in of(said, "gem") if one["source"] == "bag"]
    assert [player for player, _ in drawn] == [RED, RED, BLUE, BLUE]
    assert drawn[0] == drawn[1]
    assert drawn[2] == drawn[3]
    first, second = fields(said, "scored", "scores")
    assert first == second


def test_undo_of_a_roll_gives_the_same_symbol_again() -> None:
    said = played("undo-of-a-roll")
    assert len(set(fields(said, "rolled", "player", "symbol", "line"))) == 1
    assert len(of(said, "rolled")) == 3
    assert fields(said, "undone", "decision") == ["claim"] * 3 + ["roll"] * 2


def test_undo_goes_back_across_the_scenes_into_the_round_before() -> None:
    said = played("undo-across-a-scene")
    undone = [decision for decision in fields(said, "undone", "decision") if decision != "claim"]
    assert undone == ["roll", "draw", "check", "roll"]
    scenes = [scene for scene in fields(said, "scene", "scene") if scene != "menu"]
    assert scenes[4:] == ["check", "draw", "scores", "race", "scores", "draw", "check", "race", "ready", "race"]
    rolls = fields(said, "rolled", "player", "symbol")
    assert rolls[0] == rolls[2] != rolls[1]


def test_without_luck_gems_go_by_place() -> None:
    said = played("no-luck")
    assert fields(said, "gem", "player", "gem", "source") == [
        (GREEN, "ruby", "supply"),
        (RED, "sapphire", "supply"),
        (YELLOW, "emerald", "supply"),
        (BLUE, "amber", "supply"),
        (BLUE, "ruby", "supply"),
    ]
    assert fields(said, "track", "sapphires", "ambers") == [(8, 8), (7, 7)]
    assert fields(said, "scored", "scores")[-1] == {RED: 3, BLUE: 5, GREEN: 4, YELLOW: 2}
    assert "draw" not in fields(said, "scene", "scene")


def test_a_colour_that_is_used_up_is_dark_and_refused() -> None:
    said = played("a-colour-used-up")
    drawn = [one["gem"] for one in of(said, "gem") if one["source"] == "bag"]
    assert drawn == ["emerald"] * 10 + ["ruby"] * 2
    assert times(said, "sound", sound="refused") == [70.083, 72.083]
    (after,) = [one for one in of(said, "lamps") if one["t"] == 69.083]
    assert (after["lit"], after["blinking"]) == ([RED, BLUE, YELLOW], [])


def test_too_late_is_told_once_a_player() -> None:
    said = played("too-late")
    assert fields(said, "late", "player", "by") == [(BLUE, 0.3), (GREEN, 1.217), (BLUE, 0.217), (GREEN, 0.717)]
    assert len([one for one in of(said, "sound") if one["sound"] == "late"]) == 4
    assert fields(said, "rolled", "player") == [RED, BLUE, GREEN]


def test_a_button_held_at_power_on_does_nothing_until_it_was_let_go() -> None:
    said = played("held-at-power-on")
    assert [(one["t"], one["player"]) for one in of(said, "joined")] == [
        (1.083, RED),
        (4.083, GREEN),
        (9.083, YELLOW),
        (10.083, RED),
    ]
    assert claims("held-at-power-on") == [(YELLOW, 1, 59.783)]
    assert not of(said, "withdrawn", "undone", "late")


@pytest.mark.parametrize(
    ("name", "after"),
    [
        pytest.param("menu-takes-its-presses-back", [(BLUE, 1, 35.866)], id="in mid-race"),
        pytest.param("menu-after-all", [(BLUE, 1, 35.866)], id="they had ended the round"),
        pytest.param(
            "menu-and-a-fourth-claim",
            [(YELLOW, 4, 46.783), (BLUE, 2, 35.866), (RED, 3, 30.866), (GREEN, 4, 25.866)],
            id="and a fourth player had claimed meanwhile",
        ),
    ],
)
def test_the_menu_takes_its_three_presses_back(name: str, after: list[tuple[str, int, float]]) -> None:
    said = played(name)
    assert claims(name) == [(p, n, 47.783) for n, p in enumerate((RED, BLUE, GREEN), 1)] + after
    assert [one["t"] for one in of(said, "undone")] == [22.0] * 3
    # Closed at 30.083 the glass goes on with what was left at 22.
    assert times(said, "scene", scene="race")[1] == 30.083
    assert dict(zip(fields(said, "claim", "player"), fields(said, "claim", "left"), strict=True))[
        BLUE
    ] == pytest.approx(SAND - 22 - (40 - 30.083), abs=0.002)


def test_a_sleeping_box_only_wakes() -> None:
    said = played("asleep")
    assert times(said, "scene", scene="asleep") == [round(28.083 + 900, 3)]
    assert times(said, "rolled", player=BLUE) == [1001.083]
    assert [one["t"] for one in of(said, "lamps") if not one["lit"] and not one["blinking"]][-2] == 928.083


def test_the_glass_rests_while_the_menu_is_open() -> None:
    said = played("paused-in-the-menu")
    opened, closed = times(said, "scene", scene="menu")[0], times(said, "scene", scene="race")[1]
    assert claims("paused-in-the-menu")[-1] == (BLUE, 1, pytest.approx(60 - (opened - 6.783) - (33.683 - closed)))
    assert fields(said, "stop", "reason") == ["all", "given-up"]
    assert fields(said, "returned", "gem") == ["sapphire", "amber"]


def without(name: str, *verbs: str) -> list[One]:
    """The same evening without the lines of these verbs."""
    return play("".join(line + "\n" for line in text_of(name).splitlines() if not set(line.split()) & set(verbs)))


def test_three_years_on_the_wall_clock_change_nothing() -> None:
    assert list(played("three-years")) == without("three-years", "clock")


def test_a_display_that_goes_and_comes_back_changes_nothing() -> None:
    name = "the-display-goes-and-comes-back"
    notices = of(played(name), "notice")
    assert [(one["t"], one["about"]) for one in notices] == [(22.0, "oled"), (71.0, "oled")]
    assert [one for one in played(name) if one not in notices] == without(name, "fault")


def test_a_store_that_goes_and_comes_back_loses_nothing() -> None:
    name = "the-store-goes-and-comes-back"
    notices = of(played(name), "notice")
    assert [one["about"] for one in notices] == ["store", "store"]
    # Said at the first mark that could not be written, and as soon as it could be again.
    assert 22.0 < notices[0]["t"] <= 22.25
    assert notices[1]["t"] == 75.0
    assert [one for one in played(name) if one not in notices] == without(name, "fault")
    assert fields(played(name), "scene", "scene")[-3:] == ["resume", "scores", "race"]
