"""Playing alone: all six goals, a record set, equalled, missed and beaten; a cut in mid-run rests the clock."""

from __future__ import annotations

from itertools import accumulate
from typing import Any

import pytest

from device.prepare import summary
from device.store import Store
from tests.rehearsal import laws
from tests.rehearsal.scripts import One, cuts, fields, of, play, text_of

GOALS = [(kind, number) for kind in ("minutes", "tasks") for number in (5, 10, 20)]
RECORDS = (True, False, False, True)
"""Set, equalled, missed, beaten."""


def run(began: float, down: int, solves: list[float], aside: int, lasts: float) -> tuple[list[str], float]:
    """The lines of one run in the lobby of red: `down` lines down to the goal, solved after so many seconds.

    And when the table is in the lobby again, with red still there.
    """
    lines = [f"{began} hold 1"]
    t = began + 3
    for _ in range(down):
        lines.append(f"{t:.3f} press 2")
        t += 0.3
    lines += [f"{t:.3f} press 3", f"{t + 1:.3f} press 1"]
    t += 1
    lines += [f"{t + 0.5 + n:.3f} press 3      # set aside" for n in range(aside)]
    lines += [f"{t + solved:.3f} press 1" for solved in solves]
    t += max(lasts, solves[-1])
    lines.append(f"{t + 3:.3f} hold 1     # final: the lobby again")
    return lines, t + 8


def runs(kind: str, number: int) -> tuple[str, list[tuple[int, float]]]:
    """A script of runs: a first one, the same again, a worse one, for 5 a better one too; what must come of each."""
    down = GOALS.index((kind, number))
    lines, expected, t = ["1 press 1"], [], 2.0
    for change in (0, 0, -1, +1) if number == 5 else (0, 0, -1):
        if kind == "minutes":
            solves = [20.0 * n for n in range(1, 6 + change)]
            expected.append((len(solves), number * 60.0))
        else:
            solves = list(accumulate([10.0 - change] * number))
            expected.append((number, solves[-1]))
        more, t = run(t, down, solves, 2, number * 60.0 if kind == "minutes" else 0.0)
        lines += more
    return "\n".join(lines) + "\n", expected


@pytest.mark.parametrize(("kind", "number"), GOALS)
def test_a_record_is_set_equalled_missed_and_beaten(kind: str, number: int) -> None:
    text, expected = runs(kind, number)
    store = Store(None)
    said = play(text, store)
    laws.check(said)
    assert fields(said, "alone", "goal", "solved", "aside", "seconds", "record") == [
        (f"{number} {kind}", solved, 2, seconds, record)
        for (solved, seconds), record in zip(expected, RECORDS, strict=False)
    ]
    ends = [one["sound"] for one in of(said, "sound") if one["sound"] in ("record", "final")]
    assert ends == ["record" if record else "final" for record in RECORDS[: len(expected)]]
    stops = [one["t"] for one in of(said, "sound") if one["sound"] == "stop"]
    assert len(stops) == (len(expected) if kind == "minutes" else 0)
    # The best of its kind is the first or, where it was beaten, the fourth; and there is one for this goal only.
    solved, seconds = expected[-1 if number == 5 else 0]
    best = solved if kind == "minutes" else seconds
    kept = [(r.what, r.number, r.value) for r in store.past().records if r.what in ("minutes", "tasks")]
    assert kept == [(kind, number, best)]


def test_a_cut_in_mid_run_resumes_paused() -> None:
    said = play(text_of("alone-with-a-cut"))
    laws.check(said, cuts(text_of("alone-with-a-cut")))
    scenes = [(one["t"], one["scene"]) for one in of(said, "scene")]
    assert scenes[2:] == [(60.08, "resume"), (100.083, "paused"), (110.083, "alone"), (140.083, "final")]
    played = (60.08 - 8) + (140 - 110.083)
    ((solved, aside, seconds),) = fields(said, "alone", "solved", "aside", "seconds")
    assert (solved, aside) == (5, 1)
    assert 0 <= played - seconds <= 0.25


def test_a_cut_costs_the_minutes_a_quarter_of_a_second_at_the_most() -> None:
    said = play("1 press 1\n2 hold 1\n5 press 3\n6 press 1\n30 press 1\n100 cut\n110 press 2\n120 press 2\n400 end\n")
    ran = 100 - 6
    (stop,) = [one["t"] for one in of(said, "sound") if one["sound"] == "stop"]
    assert 0 <= stop - (120.083 + 300 - ran) <= 0.25
    assert fields(said, "alone", "solved", "seconds") == [(1, 300.0)]


LAST_PRESS = [
    pytest.param("305.8 press 1", 2, id="in time"),
    pytest.param("306.0 press 1", 2, id="exactly at the end"),
    pytest.param("305.999 press 1 0.5", 2, id="down in time, up after the end"),
    pytest.param("306.001 press 1", 1, id="a millisecond late"),
]


@pytest.mark.parametrize(("line", "solved"), LAST_PRESS)
def test_the_last_task_counts_by_its_press(line: str, solved: int) -> None:
    said = play(f"1 press 1\n2 hold 1\n5 press 3\n6 press 1\n30 press 1\n{line}\n")
    assert fields(said, "alone", "solved") == [solved]
    assert [one["t"] for one in of(said, "sound") if one["sound"] == "stop"] == [306.0]


def ticks(said: list[One]) -> list[float]:
    """When the last ten seconds were told."""
    return [one["t"] for one in of(said, "sound") if one["sound"] == "tick"]


def test_the_last_ten_seconds_are_told() -> None:
    said = play("1 press 1\n2 hold 1\n5 press 3\n6 press 1\n30 press 1\n310 end\n")
    assert ticks(said) == [pytest.approx(306 - n, abs=0.001) for n in range(10, 0, -1)]


NOT_ALONE: list[Any] = [pytest.param(name, id=name) for name in ("duel", "extreme", "pawns")]


@pytest.mark.parametrize("edition", NOT_ALONE)
def test_an_edition_for_two_and_more_refuses_one(edition: str) -> None:
    said = play(f'#!config edition = "{edition}"\n1 press 1\n2 hold 1\n')
    assert fields(said, "scene", "scene") == ["lobby"]
    assert [one["sound"] for one in of(said, "sound")] == ["refused"]


def test_fun_size_has_its_one_goal() -> None:
    said = play(
        '#!config edition = "extreme-fun-size"\n'
        "1 press 1\n2 hold 1\n5 press 2\n6 press 3\n7 press 1\n20 press 1\n1300 end\n"
    )
    assert fields(said, "alone", "goal", "solved") == [("20 minutes", 1)]


ENDED = [
    pytest.param("100 hold 2 3 4\n105 press 2\n106 press 2\n107 press 2\n108 press 2\n109 press 3\n", id="at the menu"),
    pytest.param("102 cut\n110 hold 1\n", id="at the resume"),
    pytest.param("60 cut\n70 press 1\n80 press 1\n122 cut\n130 hold 1\n", id="at the second resume"),
]


@pytest.mark.parametrize("end", ENDED)
def test_a_run_given_up_is_kept_with_what_was_played_of_it(end: str) -> None:
    store = Store(None)
    said = play(f"1 press 1\n2 hold 1\n5 press 3\n6 press 1\n30 press 1\n50 press 1\n{end}", store)
    (match,) = store.past().matches
    outcome = match.outcome
    assert (outcome["unfinished"], outcome["solved"], outcome["record"]) == (True, 2, False)
    # From the press at 6 s to the menu or the cut, less what lies between a cut and the press that goes on after it.
    assert 0 <= 96.0 - outcome["seconds"] <= 0.1 + 0.25 * end.count("cut")
    assert fields(said, "scene", "scene")[-1] == "lobby"
    page = summary(store.past(), {}).pages[0]
    assert (page.title, page.heading, page.rows) == ("unfinished", "2026-01-02 Ubongo", (("red", "2"),))
