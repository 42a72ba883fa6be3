"""Events as the store keeps them: what is written is read again, and what is no event is not read."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from device.game.events import (
    EVENTS,
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
    from_json,
    to_json,
)
from device.game.gems import Gem
from device.game.players import SEATS
from tests.game.play import BLUE, GREEN, RED, RUBY, YELLOW

# Every kind once, as it lies in a store of this version: a later one must still read it.
STORED: list[tuple[Event, dict[str, Any], str]] = [
    (Roll(RED, (3,)), {"event": "roll", "player": "red", "lines": [3]}, "roll"),
    (Roll(BLUE, (4, 1, 2)), {"event": "roll", "player": "blue", "lines": [4, 1, 2]}, "roll"),
    (Take(GREEN, 4), {"event": "take", "player": "green", "stack": 4}, "stack"),
    (Reveal(YELLOW), {"event": "reveal", "player": "yellow"}, "reveal"),
    (Go(RED), {"event": "go", "player": "red"}, "go"),
    (Flip(60.0), {"event": "flip", "at": 60.0}, ""),
    (Claim(RED, 12.345678), {"event": "claim", "player": "red", "at": 12.345678}, "claim"),
    (Withdraw(RED, 14.0), {"event": "withdraw", "player": "red", "at": 14.0}, "withdrawal"),
    (End("sand", 60.0), {"event": "end", "reason": "sand", "at": 60.0}, ""),
    (GiveUp(33.0), {"event": "giveup", "at": 33.0}, "give-up"),
    (Confirm(), {"event": "confirm"}, "check"),
    (Draw(BLUE, RUBY), {"event": "draw", "player": "blue", "gem": "ruby"}, "draw"),
    (Next(), {"event": "next"}, "next"),
    (Undo(), {"event": "undo"}, ""),
]


@pytest.mark.parametrize(("event", "stored", "decision"), STORED, ids=[str(case[1]["event"]) for case in STORED])
def test_what_is_stored(event: Event, stored: dict[str, Any], decision: str) -> None:
    assert json.loads(json.dumps(to_json(event))) == stored
    assert from_json(stored) == event
    assert event.decision == decision


def test_every_kind_is_in_the_table() -> None:
    assert {type(event) for event, _, _ in STORED} == set(EVENTS.values())


times = st.floats(0, 1e6) | st.integers(0, 10**6).map(float)
players = st.sampled_from(SEATS)
some_events: st.SearchStrategy[Event] = st.one_of(
    st.builds(Roll, players, st.lists(st.integers(1, 20), min_size=1, max_size=4).map(tuple)),
    st.builds(Take, players, st.integers(1, 4)),
    st.builds(Claim, players, times),
    st.builds(Withdraw, players, times),
    st.builds(End, st.sampled_from(["sand", "all"]), times),
    st.builds(Flip, times),
    st.builds(GiveUp, times),
    st.builds(Draw, players, st.sampled_from(Gem)),
)


@settings(deadline=None)
@given(some_events)
def test_through_json_and_back_to_the_last_bit(event: Event) -> None:
    assert from_json(json.loads(json.dumps(to_json(event)))) == event


@pytest.mark.parametrize(
    "data",
    [
        pytest.param({}, id="nothing"),
        pytest.param({"event": "dance"}, id="no such event"),
        pytest.param({"event": None}, id="no event"),
        pytest.param({"event": ["roll"]}, id="a list for an event"),
        pytest.param({"player": "red", "at": 1.0}, id="no kind"),
        pytest.param({"event": "claim", "player": "red"}, id="a value missing"),
        pytest.param({"event": "claim", "player": "red", "at": 1.0, "gem": "ruby"}, id="a value too many"),
        pytest.param({"event": "claim", "player": "red", "at": 1.0, "why": 1}, id="an unknown value"),
        pytest.param({"event": "claim", "player": "pink", "at": 1.0}, id="no such player"),
        pytest.param({"event": "claim", "player": 1, "at": 1.0}, id="a number for a player"),
        pytest.param({"event": "claim", "player": "red", "at": "1.0"}, id="a text for a time"),
        pytest.param({"event": "claim", "player": "red", "at": None}, id="nothing for a time"),
        pytest.param({"event": "claim", "player": "red", "at": True}, id="true for a time"),
        pytest.param({"event": "claim", "player": "red", "at": float("nan")}, id="no number for a time"),
        pytest.param({"event": "claim", "player": "red", "at": float("inf")}, id="never"),
        pytest.param({"event": "flip", "at": 10**400}, id="longer than the world"),
        pytest.param({"event": "draw", "player": "red", "gem": "diamond"}, id="no such gem"),
        pytest.param({"event": "roll", "player": "red", "lines": "3"}, id="a text for lines"),
        pytest.param({"event": "roll", "player": "red", "lines": [3.0]}, id="half a line"),
        pytest.param({"event": "roll", "player": "red", "lines": 3}, id="a bare line"),
        pytest.param({"event": "take", "player": "red", "stack": "1"}, id="a text for a stack"),
        pytest.param({"event": "end", "reason": 5, "at": 1.0}, id="a number for a reason"),
    ],
)
def test_what_is_no_event_is_not_read(data: dict[str, Any]) -> None:
    with pytest.raises((ValueError, KeyError, TypeError)):
        from_json(data)


def test_an_event_read_is_not_changed_and_can_be_read_again() -> None:
    stored = {"event": "roll", "player": "red", "lines": [3]}
    before = json.dumps(stored)
    assert [from_json(stored), from_json(stored)] == [Roll(RED, (3,))] * 2
    assert json.dumps(stored) == before


def test_events_are_values() -> None:
    assert Claim(RED, 1.0) == Claim(RED, 1.0) != Claim(RED, 1.1)
    assert len({event for event, _, _ in STORED}) == len(STORED)
    with pytest.raises(AttributeError):
        Claim(RED, 1.0).at = 2.0  # type: ignore[misc]  # what is tested is that it fails
