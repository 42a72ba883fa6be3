"""Every event in every phase: what is legal is in the table below, everything else is refused and changes nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import pytest

from device.game import rules
from device.game.editions import load
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
    Illegal,
    Next,
    Reveal,
    Roll,
    Take,
    Undo,
    Withdraw,
)
from device.game.match import Match, begin
from device.game.players import SEATS, Player
from tests.game.laws import next_roller
from tests.game.play import (
    BLUE,
    GREEN,
    RED,
    RUBY,
    YELLOW,
    after,
    checked,
    claimed,
    lost,
    nine_rounds,
    played,
    race,
    refused,
    rolled,
    start,
    whole,
)


def whose(match: Match) -> Player:
    """Whose press would begin what comes next, as far as anybody's would."""
    return next_roller(match) or RED


# Each event as it would be right, if it were right at all.
TRIED: Mapping[str, Callable[[Match], Event]] = {
    "roll": lambda match: rolled(match, whose(match), 1),
    "take": lambda match: Take(match.chooser or RED, (match.open_stacks() or (1,))[0]),
    "reveal": lambda match: Reveal(whose(match)),
    "go": lambda match: Go(whose(match)),
    "flip": lambda _: Flip(30.0),
    # Later than any glass of the table ran: a claim in time would be heard late, see test_claims.
    "claim": lambda match: Claim(next((p for p in SEATS if p not in {c.player for c in match.claims}), RED), 130.0),
    "withdraw": lambda match: Withdraw(match.claims[0].player if match.claims else RED, 90.0),
    "sand": lambda _: End("sand", 80.0),
    "all": lambda _: End("all", 80.0),
    "giveup": lambda _: GiveUp(80.0),
    "confirm": lambda _: Confirm(),
    "draw": lambda match: Draw(match.to_draw[0] if match.to_draw else RED, RUBY),
    "next": lambda _: Next(),
    "undo": lambda _: Undo(),
}


def final(edition: str) -> Match:
    match = start(edition)
    while not match.over:
        match = played(match, (RED,))
    return after(match, Next())


def tied(edition: str) -> Match:
    return after(nine_rounds(start(edition)), Next())


RACE = "claim giveup undo"
CASES: tuple[tuple[str, Callable[[], Match], str], ...] = (
    ("classic, before the roll", lambda: start("classic"), "roll"),
    ("classic, the die tumbles", lambda: after(start("classic"), Roll(RED, (1,))), "flip giveup undo"),
    ("classic, race", lambda: race(start("classic")), f"{RACE} flip"),
    ("classic, race, one claim", lambda: after(race(start("classic")), Claim(RED, 9)), f"{RACE} withdraw sand all"),
    ("classic, second glass", lambda: after(race(start("classic")), Flip(60)), f"{RACE} sand"),
    ("classic, check", lambda: claimed(race(start("classic")), (RED,)), "withdraw confirm undo"),
    ("classic, draw", lambda: checked(start("classic"), (RED,)), "draw undo"),
    ("classic, scores", lambda: played(start("classic"), (RED,)), "roll undo"),
    ("classic, scores of a lost round", lambda: lost(start("classic")), "roll undo"),
    ("classic, last scores", lambda: nine_rounds(start("classic")), "next undo"),
    ("classic, playoff", lambda: tied("classic"), "roll undo"),
    ("classic, playoff, race", lambda: race(tied("classic")), "claim undo"),
    ("classic, playoff, one claim", lambda: after(race(tied("classic")), Claim(RED, 9)), "claim withdraw all undo"),
    ("classic, playoff, check", lambda: claimed(race(tied("classic")), (BLUE,)), "withdraw confirm undo"),
    ("classic, final", lambda: final("classic"), "undo"),
    ("no luck, check", lambda: claimed(race(start("classic", scoring="no-luck")), (RED,)), "withdraw confirm undo"),
    ("no luck, scores", lambda: checked(start("classic", scoring="no-luck"), (RED,)), "roll undo"),
    ("3d, before the roll", lambda: start("3d"), "roll"),
    ("3d, building", lambda: after(start("3d"), Roll(RED, (1,))), "go undo"),
    ("3d, all ready", lambda: after(start("3d"), Roll(RED, (1,)), Go(RED)), "flip giveup undo"),
    ("3d, race", lambda: race(start("3d")), f"{RACE} flip"),
    ("3d, playoff", lambda: tied("3d"), "roll undo"),
    ("3d, playoff, race", lambda: race(tied("3d")), "claim undo"),
    ("extreme, before the chips", lambda: start("extreme"), "roll"),
    ("extreme, all get ready", lambda: after(start("extreme"), Roll(RED, (4, 2))), "go undo"),
    ("lines, before the card", lambda: start("lines"), "reveal"),
    ("lines, stopwatch", lambda: race(start("lines")), RACE),
    ("lines, first claim", lambda: after(race(start("lines")), Claim(BLUE, 9)), f"{RACE} flip withdraw all"),
    ("lines, glass", lambda: after(race(start("lines")), Claim(BLUE, 9), Flip(9)), f"{RACE} withdraw sand all"),
    ("lines, check", lambda: claimed(race(start("lines")), (BLUE,)), "withdraw confirm undo"),
    ("lines, scores", lambda: played(start("lines"), (BLUE,)), "reveal undo"),
    ("lines, playoff", lambda: tied("lines"), "reveal undo"),
    ("lines, playoff, race", lambda: race(tied("lines")), "claim undo"),
    ("stacks, first card", lambda: start("extreme-fun-size"), "take"),
    ("stacks, second card", lambda: after(start("extreme-fun-size"), Take(RED, 1)), "take undo"),
    ("stacks, all have one", lambda: after(start("mini"), Take(RED, 1), Take(BLUE, 2)), "reveal undo"),
    ("stacks, stopwatch", lambda: race(start("trigo")), RACE),
    ("stacks, count", lambda: after(race(start("mini")), Claim(BLUE, 9), Flip(9)), f"{RACE} withdraw sand all"),
    ("stacks, check", lambda: claimed(race(start("mini")), (BLUE,)), "withdraw confirm undo"),
    ("stacks, scores", lambda: played(start("extreme-fun-size"), (BLUE,)), "next undo"),
    ("stacks, final", lambda: final("extreme-fun-size"), "undo"),
    ("duel, race", lambda: race(start("duel")), RACE),
    ("duel, one claim", lambda: after(race(start("duel")), Claim(BLUE, 9)), f"{RACE} withdraw all"),
    ("duel, check", lambda: claimed(race(start("duel")), (BLUE,)), "withdraw confirm undo"),
    ("duel, scores", lambda: played(start("duel"), (BLUE,)), "roll undo"),
    ("duel, final", lambda: final("duel"), "undo"),
    ("junior, before the press", lambda: start("junior"), "reveal"),
    ("junior, pressed", lambda: after(start("junior"), Reveal(RED)), "flip giveup undo"),
    ("junior, race", lambda: race(start("junior")), f"{RACE} sand"),
    ("junior, draw", lambda: checked(start("junior"), (RED,)), "draw undo"),
    ("pawns, take", lambda: checked(start("pawns"), (RED,)), "draw undo"),
)


@cache
def made(make: Callable[[], Match]) -> Match:
    """Each case is played once: a match is a value."""
    return make()


@pytest.mark.parametrize("tried", TRIED)
@pytest.mark.parametrize(("make", "legal"), [pytest.param(make, legal, id=name) for name, make, legal in CASES])
def test_phase_by_event(make: Callable[[], Match], legal: str, tried: str) -> None:
    match = made(make)
    event = TRIED[tried](match)
    if tried not in legal.split():
        refused(match, event)
        return
    before = whole(match)
    after_it, _ = rules.apply(match, event)
    assert whole(match) == before
    assert whole(after_it) != before


def test_every_kind_of_event_is_tried() -> None:
    assert {type(make(start("extreme-fun-size"))) for make in TRIED.values()} == set(EVENTS.values())


@pytest.mark.parametrize(
    ("match", "event", "why"),
    [
        pytest.param(start("classic", 4, BLUE), Roll(GREEN, (1,)), "another player rolls", id="not the roller"),
        pytest.param(start("classic"), Roll(RED, (0,)), "no such roll", id="a die has no 0"),
        pytest.param(start("classic"), Roll(RED, (7,)), "no such roll", id="a die has no 7"),
        pytest.param(start("classic"), Roll(RED, (1, 2)), "no such roll", id="two dice"),
        pytest.param(start("classic"), Roll(RED, ()), "no such roll", id="no die"),
        pytest.param(start("duel"), Roll(RED, (21,)), "no such roll", id="a die of 20 has no 21"),
        pytest.param(start("extreme", 3), Roll(RED, (1, 2)), "no such roll", id="a chip missing"),
        pytest.param(start("extreme", 3), Roll(RED, (1, 2, 2)), "no such roll", id="a chip twice"),
        pytest.param(start("extreme", 3), Roll(RED, (1, 2, 5)), "no such roll", id="a fifth chip"),
        pytest.param(after(start("3d", 3), Roll(RED, (1,))), Go(BLUE), "not to be turned", id="not the roller's go"),
        pytest.param(start("mini", 3), Take(BLUE, 1), "another player's turn", id="not whose turn it is"),
        pytest.param(start("mini", 3), Take(RED, 5), "cannot|no card", id="no fifth stack"),
        pytest.param(start("mini", 3), Take(RED, 0), "no card", id="no stack 0"),
        pytest.param(after(start("mini"), Take(RED, 2)), Take(BLUE, 2), "no card", id="a stack taken from"),
        pytest.param(after(start("mini"), Take(RED, 2)), Take(RED, 1), "another player's turn", id="two cards"),
        pytest.param(start("junior", 3), Reveal(BLUE), "another player begins", id="not the start player"),
        pytest.param(start("lines"), Reveal(YELLOW), "another player begins", id="a reveal from off the table"),
        pytest.param(race(start("classic")), End("given-up", 3.0), "no sand", id="an end for no reason"),
        pytest.param(checked(start("classic"), (RED, BLUE)), Draw(BLUE, RUBY), "by this player", id="out of turn"),
        pytest.param(checked(start("classic"), (RED,)), Draw(BLUE, RUBY), "by this player", id="drawn without a claim"),
        pytest.param(race(start("classic")), Withdraw(RED, 3.0), "claimed nothing", id="nothing to withdraw"),
    ],
)
def test_a_wrong_word_in_an_event_that_is_due(match: Match, event: Event, why: str) -> None:
    refused(match, event, why)


@pytest.mark.parametrize(
    ("edition", "players", "first", "why"),
    [
        pytest.param("classic", (), RED, "1 to 4 players, not 0", id="nobody"),
        pytest.param("extreme", (RED,), RED, "2 to 4 players, not 1", id="too few"),
        pytest.param("duel", SEATS[:3], RED, "2 to 2 players, not 3", id="too many"),
        pytest.param("classic", (RED, BLUE), GREEN, "player who starts", id="a starter who does not play"),
        pytest.param("classic", (RED, BLUE), None, "player who starts", id="no starter"),
        pytest.param("lines", (RED, BLUE), RED, "player who starts", id="a starter where anyone may"),
    ],
)
def test_matches_that_cannot_begin(edition: str, players: tuple[Player, ...], first: Player | None, why: str) -> None:
    with pytest.raises(Illegal, match=why):
        begin(load(edition), players, first)


def test_no_gem_is_drawn_and_no_card_rolled_by_chance_out_of_turn() -> None:
    class Asked:
        def below(self, limit: int) -> int:
            raise AssertionError(f"chance was asked for one of {limit}")

    with pytest.raises(Illegal, match="no gem is to be drawn"):
        rules.drawn(race(start("classic")), Asked())
    with pytest.raises(Illegal, match="nothing to roll"):
        rules.rolled(start("lines"), Asked(), RED)


def test_a_match_is_a_value() -> None:
    match = race(start("classic"))
    with pytest.raises(AttributeError):
        match.phase = "final"  # type: ignore[misc]  # what is tested is that it fails
    assert match == race(start("classic"))
    assert whole(match) == whole(race(start("classic")))
    shown: Any = repr(after(match, Claim(RED, 1.0)))
    assert "past" not in shown
    assert "rewind" not in shown
