"""What one match adds to the players' figures and the records, and that memory and file agree about it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from device.past import Past, PastMatch, Record, Tally, total
from device.store import Store
from device.table.saves import Finish
from tests.store.games import LATER, NOW, alone, outcome

ANNA = Tally(
    "Anna", "classic", matches=1, wins=1, races=3, solves=2, firsts=2, timed=2, seconds=39.75, fastest=18.25,
    ruby=2, sapphire=2, run=0, longest=2,
)  # fmt: skip
BEN = Tally(
    "Ben", "classic", matches=1, wins=0, races=3, solves=1, firsts=1, timed=1, seconds=40.0, fastest=40.0,
    ruby=1, sapphire=1, run=1, longest=1,
)  # fmt: skip

ONE_MATCH = [
    pytest.param(outcome(), [ANNA, BEN], id="a match"),
    pytest.param(
        outcome(unfinished=True),
        [
            replace(ANNA, matches=0, wins=0, ruby=0, sapphire=0),
            replace(BEN, matches=0, ruby=0, sapphire=0),
        ],
        id="given up: the rounds count, the match does not",
    ),
    pytest.param(
        outcome(kind="counted", solves=[], races={}, rounds=0),
        [
            Tally("Anna", "classic", matches=1, wins=1, ruby=2, sapphire=2),
            Tally("Ben", "classic", matches=1, ruby=1, sapphire=1),
        ],
        id="counted: no rounds",
    ),
    pytest.param(
        outcome(names={}, gems={}, wins=["red", "blue"]),
        [
            replace(BEN, name="blue", wins=1, ruby=0, sapphire=0),
            replace(ANNA, name="red", ruby=0, sapphire=0),
        ],
        id="without names and gems, a shared win",
    ),
    pytest.param(
        outcome(solves=[{"player": "red", "round": 1, "place": 1, "seconds": None}]),
        [
            replace(ANNA, solves=1, firsts=1, timed=0, seconds=0.0, fastest=None, longest=1),
            replace(BEN, solves=0, firsts=0, timed=0, seconds=0.0, fastest=None, run=0, longest=0),
        ],
        id="a solve without a time",
    ),
    pytest.param(alone("minutes", 10, 12, 600.0), [Tally("Ben", "classic", alone=1, tasks=12)], id="alone"),
]


@pytest.mark.parametrize(("played", "tallies"), ONE_MATCH)
def test_what_one_match_adds_to_each_player(played: dict[str, Any], tallies: list[Tally]) -> None:
    store = Store(None)
    store.save([Finish(played)], NOW)
    assert list(store.past().players) == tallies


def test_rate_and_mean() -> None:
    assert ANNA.rate == pytest.approx(2 / 3)
    assert ANNA.mean == pytest.approx(19.875)
    assert (Tally("Zoé", "lines").rate, Tally("Zoé", "lines").mean) == (None, None)


RUNS = [
    pytest.param([[1, 2, 3]], 3, 3, id="all solved"),
    pytest.param([[1, 3]], 1, 1, id="a lost round ends it"),
    pytest.param([[2, 3], [1, 2]], 0, 4, id="carried on into the next match"),
    pytest.param([[1, 2, 3], []], 0, 3, id="the longest stays"),
]


@pytest.mark.parametrize(("matches", "run", "longest"), RUNS)
def test_the_longest_run_of_rounds_solved(matches: list[list[int]], run: int, longest: int) -> None:
    tally = Tally("Anna", "classic")
    for rounds in matches:
        solves = [{"player": "red", "round": n, "place": 1, "seconds": 1.0} for n in rounds]
        tally = tally.after(outcome(solves=solves), "red")
    assert (tally.run, tally.longest) == (run, longest)


def test_a_name_is_added_up_over_its_editions() -> None:
    lines = replace(ANNA, edition="lines", fastest=9.0, longest=5, alone=2, tasks=30)
    assert total([ANNA, lines, BEN]) == [
        Tally(
            "Anna", "", matches=2, wins=2, races=6, solves=4, firsts=4, timed=4, seconds=79.5, fastest=9.0,
            ruby=4, sapphire=4, longest=5, alone=2, tasks=30,
        ),
        replace(BEN, edition="", run=0),
    ]  # fmt: skip


SCORE = Record("classic", "A", "score", 0, "track", 14.0, "Anna", NOW)
SOLVE = Record("classic", "A", "solve", 0, "", 18.25, "Anna", NOW)
TEN_MINUTES = Record("classic", "A", "minutes", 10, "", 12.0, "Ben", NOW)
FIVE_TASKS = Record("classic", "A", "tasks", 5, "", 241.5, "Ben", NOW)

RECORDS = [
    pytest.param([outcome()], [SCORE, SOLVE], id="score and solve"),
    pytest.param([outcome(unfinished=True)], [SOLVE], id="given up: no score"),
    pytest.param([outcome(kind="counted", solves=[])], [], id="counted: none"),
    pytest.param([outcome(unit="wins", scores={"red": 5, "blue": 2})], [SOLVE], id="first to five: no score"),
    pytest.param([outcome(scores={"red": 9}, players=["red"])], [SOLVE], id="one player: no score"),
    pytest.param([outcome(scores={"red": 0, "blue": 0}, solves=[])], [], id="nobody solved anything"),
    pytest.param(
        [outcome(), outcome(scoring="no-luck", solves=[])],
        [replace(SCORE, scoring="no-luck", when=LATER), SCORE, SOLVE],
        id="each scoring has its own",
    ),
    pytest.param(
        [outcome(), outcome(scores={"red": 14, "blue": 14}, side="A", solves=[])], [SCORE, SOLVE], id="equalled"
    ),
    pytest.param(
        [outcome(), outcome(scores={"red": 3, "blue": 15}, solves=[])],
        [replace(SCORE, value=15.0, name="Ben", when=LATER), SOLVE],
        id="beaten",
    ),
    pytest.param([alone("minutes", 10, 12, 600.0)], [TEN_MINUTES], id="alone, minutes"),
    pytest.param([alone("tasks", 5, 5, 241.5)], [FIVE_TASKS], id="alone, tasks"),
    pytest.param(
        [alone("minutes", 10, 12, 600.0), alone("minutes", 10, 13, 600.0)],
        [replace(TEN_MINUTES, value=13.0, when=LATER)],
        id="minutes: more is better",
    ),
    pytest.param(
        [alone("minutes", 10, 12, 600.0), alone("minutes", 10, 12, 500.0)],
        [TEN_MINUTES],
        id="minutes: equalled, however fast",
    ),
    pytest.param(
        [alone("tasks", 5, 5, 241.5), alone("tasks", 5, 5, 240.0)],
        [replace(FIVE_TASKS, value=240.0, when=LATER)],
        id="tasks: fewer seconds are better",
    ),
    pytest.param([alone("tasks", 5, 5, 241.5), alone("tasks", 5, 5, 300.0)], [FIVE_TASKS], id="tasks: missed"),
    pytest.param([alone("tasks", 5, 4, 100.0)], [], id="tasks: not all of them"),
    pytest.param([alone("minutes", 10, 12, 300.0, unfinished=True)], [], id="alone, given up"),
    pytest.param([alone("minutes", 10, 0, 600.0)], [], id="alone, nothing solved"),
    pytest.param(
        [alone("minutes", 10, 12, 600.0), alone("minutes", 5, 7, 300.0)],
        [replace(TEN_MINUTES, number=5, value=7.0, when=LATER), TEN_MINUTES],
        id="each goal has its own",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("played", "records"), RECORDS)
@pytest.mark.parametrize("card", ["writes", "fails"])
def test_records(card: str, played: list[dict[str, Any]], records: list[Record]) -> None:
    store = Store(None)
    store.broken = card == "fails"
    for when, one in zip((NOW, LATER), played, strict=False):
        store.save([Finish(one)], when)
    assert list(store.past().records) == records


def test_the_best_of_playing_alone_is_found_by_its_goal() -> None:
    past = Past(records=(SCORE, TEN_MINUTES, FIVE_TASKS))
    assert past.best("classic", "A", "minutes", 10) == TEN_MINUTES
    assert past.best("classic", "A", "tasks", 5) == FIVE_TASKS
    assert past.best("classic", "B", "minutes", 10) is None
    assert past.best("classic", "A", "tasks", 10) is None


def test_a_past_match_knows_names_points_and_winners() -> None:
    match = PastMatch(1, NOW, outcome(names={"red": "Anna"}))
    assert (match.scores, match.winners) == ((("Anna", 14), ("blue", 7)), ("Anna",))
    assert PastMatch(1, NOW, outcome(unfinished=True)).winners == ()


PLAYED = st.one_of(
    st.builds(
        lambda edition, kind, unfinished, red, blue, rounds, seconds: outcome(
            edition=edition,
            kind=kind,
            unfinished=unfinished,
            scores={"red": red, "blue": blue},
            wins=["red"] if red > blue else ["blue"],
            solves=[{"player": "blue", "round": n, "place": 1, "seconds": seconds} for n in rounds],
        ),
        st.sampled_from(["classic", "lines"]),
        st.sampled_from(["match", "counted"]),
        st.booleans(),
        st.integers(0, 60),
        st.integers(0, 60),
        st.sets(st.integers(1, 3)),
        st.one_of(st.none(), st.integers(1, 240).map(lambda quarters: quarters / 4)),
    ),
    st.builds(
        alone,
        st.sampled_from(["minutes", "tasks"]),
        st.sampled_from([5, 10]),
        st.integers(0, 12),
        st.integers(1, 900).map(float),
    ),
)


@given(st.lists(PLAYED, max_size=6), st.integers(0, 6))
@settings(max_examples=60, deadline=None)
def test_what_waits_for_the_card_counts_as_if_it_were_written(played: list[dict[str, Any]], fails: int) -> None:
    steady, shaky = Store(None), Store(None)
    for number, one in enumerate(played):
        shaky.broken = number >= fails
        for store in (steady, shaky):
            store.save([Finish(one)], f"t{number}")
    assert shaky.past(4) == steady.past(4)
    shaky.broken = False
    shaky.flush()
    assert (shaky.past(), shaky.unsaved) == (steady.past(), False)


@pytest.mark.parametrize("limit", [1, 199, 200, 201, 1000])
def test_the_newest_matches_come_first_and_no_more_than_asked_for(tmp_path: Path, limit: int) -> None:
    store = Store(tmp_path / "box.sqlite")
    store.save([Finish(outcome(rounds=number)) for number in range(1, 402)], NOW)
    found = store.past(limit).matches
    assert [match.outcome["rounds"] for match in found] == list(range(401, max(401 - limit, 0), -1))
    store.close()
