"""Laws of the rules, held after every event of random matches of every edition, legal and illegal ones mixed."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from device.game import rules
from device.game.chance import SeededChance
from device.game.editions import Edition
from device.game.events import Event, Undo, from_json, to_json
from device.game.match import Match, begin
from device.game.players import SEATS
from tests.game import laws
from tests.game.play import Never, whole

EVERY_WAY = pytest.mark.parametrize(
    ("edition", "scoring", "cards"),
    [pytest.param(*way, id="-".join((way[0].id, way[1], way[2]))) for way in laws.WAYS],
)
Seats = st.sets(st.sampled_from(SEATS), min_size=1)
Numbers = st.lists(st.integers(0, 1023), max_size=120)


def begun(edition: Edition, seats: set[object], scoring: str, cards: str, side: str = "A") -> Match:
    """A match of as many of these seats as the edition takes."""
    low, high = edition.players
    players = [player for player in SEATS if player in seats]
    players = [*players, *(player for player in SEATS if player not in players)][: max(low, min(high, len(players)))]
    first = None if edition.first == "anyone" else players[-1]
    return begin(edition, players, first, side, scoring, cards)


class Playing:
    """A match being played by numbers, every law held after every event, the log kept."""

    def __init__(self, match: Match, seed: int) -> None:
        self.begun = self.match = match
        self.chance = SeededChance(seed)
        self.log: list[Event] = []
        laws.hold(match, match)

    def on(self, number: int) -> None:
        """One number, one event: three of four bring the match on, the rest may be anything."""
        if number % 4 == 3 or self.match.phase == "final":
            self.play(laws.anything(self.match, number // 4))
        else:
            self.play(laws.onward(self.match, self.chance, number // 4), legal=True)

    def play(self, event: Event, legal: bool = False) -> None:
        """This event, stored and read again; an illegal one must leave no trace."""
        before, stored = self.match, laws.changeable(self.match)
        event = from_json(json.loads(json.dumps(to_json(event))))
        result = laws.tried(before, event)
        assert laws.changeable(before) == stored
        if result is None:
            assert not legal, f"{event} brings {before.phase} on"
            return
        self.match, outcomes = result
        self.log.append(event)
        laws.hold(self.begun, self.match)
        if not isinstance(event, Undo):
            laws.step(before, self.match, outcomes)

    def to_the_end(self) -> None:
        """Only forward from here."""
        for number in range(3000):
            if self.match.phase == "final":
                return
            self.play(laws.onward(self.match, self.chance, number * 5 + 1), legal=True)
        raise AssertionError("the match never ends")


@EVERY_WAY
@settings(deadline=None, max_examples=8)
@given(seats=Seats, numbers=Numbers, seed=st.integers(0, 99))
def test_the_laws_hold_and_a_replayed_log_gives_the_same_match(
    edition: Edition, scoring: str, cards: str, seats: set[object], numbers: list[int], seed: int
) -> None:
    playing = Playing(begun(edition, seats, scoring, cards), seed)
    for number in numbers:
        playing.on(number)
    playing.to_the_end()
    again = playing.begun
    for event in playing.log:
        again, _ = rules.apply(again, event)
    assert whole(again) == whole(playing.match)


@EVERY_WAY
@settings(deadline=None, max_examples=4)
@given(seats=Seats, numbers=Numbers, seed=st.integers(0, 99))
def test_all_undone_and_played_again_with_the_same_chance_gives_the_same_again(
    edition: Edition, scoring: str, cards: str, seats: set[object], numbers: list[int], seed: int
) -> None:
    playing = Playing(begun(edition, seats, scoring, cards), seed)
    for number in numbers:
        playing.on(number)
    decided, log = len(playing.match.past), list[Event]()
    back = playing.match
    for _ in range(decided):
        assert rules.last_decision(back)
        back = rules.undo(back)
        laws.hold(playing.begun, back)
    assert rules.last_decision(back) == ""
    assert back.memo == playing.match.memo
    # Played on from there by the same choices twice, once with other entropy: chance gives what it gave before.
    one, other = Playing(back, seed), Playing(back, seed + 1)
    for number in numbers[:20]:
        if one.match.phase in ("draw", "ready", "scores") and not _remembered(one.match):
            break
        one.play(laws.onward(one.match, one.chance, number), legal=True)
        log.append(one.log[-1])
        other.play(laws.onward(other.match, other.chance, number), legal=True)
        if one.match.phase == "final":
            break
    assert other.log == log
    assert whole(other.match) == whole(one.match)


def _remembered(match: Match) -> bool:
    """Chance need not be asked for what comes next here."""
    try:
        laws.onward(match, Never(), 0)
    except LookupError:
        return False
    return True


@EVERY_WAY
@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_a_whole_match_straight_through(edition: Edition, scoring: str, cards: str, players: int) -> None:
    playing = Playing(begun(edition, set(SEATS[:players]), scoring, cards, side="B"), players)
    playing.to_the_end()
    assert playing.match.phase == "final"
    start = playing.match
    while start.past:
        start = rules.undo(start)
    assert start.round >= playing.match.round - 2
    assert replace(start, memo={}) != replace(playing.match, memo={})
