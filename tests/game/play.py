"""Short words for playing matches in tests: everything goes through `rules.apply`, nothing is set up by hand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from functools import cache

import pytest

from device.game import rules
from device.game.chance import SeededChance
from device.game.editions import load
from device.game.events import (
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
    Outcome,
    Reveal,
    Roll,
    Take,
)
from device.game.gems import Gem, Gems
from device.game.match import Match, begin
from device.game.players import SEATS, Player
from tests.game.laws import next_roller

RED, BLUE, GREEN, YELLOW = SEATS
RUBY, SAPPHIRE, EMERALD, AMBER = Gem


_edition = cache(load)


class Never:
    """A chance that must not be asked: what it gave once is to be remembered."""

    def below(self, limit: int) -> int:
        raise LookupError(f"chance was asked again, for one of {limit}")


def start(
    edition: str,
    count: int = 2,
    first: Player | None = RED,
    scoring: str | None = None,
    cards_rule: str = "all",
    side: str = "A",
) -> Match:
    """A new match of the first `count` seats; `first` is passed on unless anyone may begin."""
    game = _edition(edition)
    return begin(game, SEATS[:count], None if game.first == "anyone" else first, side, scoring, cards_rule)


def after(match: Match, *events: Event) -> Match:
    """The match after these events, each of them legal."""
    for event in events:
        match, _ = rules.apply(match, event)
    return match


def told(match: Match, *events: Event) -> tuple[Match, list[Outcome]]:
    """The match after these events and all they gave."""
    said: list[Outcome] = []
    for event in events:
        match, outcomes = rules.apply(match, event)
        said += outcomes
    return match, said


def whole(match: Match) -> dict[str, object]:
    """A copy of all that a match is, also what == leaves out: past and rewind, as deep as they go."""
    return {one.name: _copied(getattr(match, one.name)) for one in fields(match)}


def _copied(value: object) -> object:
    if isinstance(value, Match):
        return whole(value)
    if isinstance(value, Mapping):
        # Without copies a dict changed in place would be equal to itself.
        return {key: _copied(one) for key, one in value.items()}
    return tuple(map(_copied, value)) if isinstance(value, tuple) else value


def refused(match: Match, event: Event, why: str | None = None) -> None:
    """This event is illegal here, and nothing at all has changed."""
    before = whole(match)
    with pytest.raises(Illegal, match=why):
        rules.apply(match, event)
    assert whole(match) == before


def rolled(match: Match, player: Player, line: int) -> Roll:
    """This player's roll of this line; where everybody is dealt a chip, one each in their order."""
    chips = match.edition.chooser == "chips" and match.phase != "playoff"
    return Roll(player, tuple(range(1, len(match.players) + 1)) if chips else (line,))


def opening(match: Match) -> list[Event]:
    """What brings this match, between two rounds or before the first, into a race that runs."""
    edition, events = match.edition, list[Event]()
    starter = next_roller(match)
    if match.phase == "scores" and edition.chooser == "stacks":
        events.append(Next())
    if edition.chooser == "stacks":
        at = after(match, *events)
        while at.phase == "stacks":
            assert at.chooser is not None
            events.append(Take(at.chooser, at.open_stacks()[0]))
            at = after(at, events[-1])
        starter = at.starter
    if edition.symbols:
        assert starter is not None
        events.append(rolled(match, starter, 2))
    else:
        events.append(Reveal(starter or match.racers[0]))
    if edition.start == "ready" and match.phase != "playoff":
        assert starter is not None
        events.append(Go(starter))
    if edition.start not in ("first-claim", "none") and match.phase != "playoff":
        events.append(Flip(0))
    return events


def race(match: Match) -> Match:
    """The next round (or the playoff), running."""
    return after(match, *opening(match))


def claimed(match: Match, finishers: Iterable[Player]) -> Match:
    """These claimed in this order, ten seconds apart, and the race over: by sand, or by all where there is none."""
    claims = [Claim(player, 10.0 * n) for n, player in enumerate(finishers, 1)]
    if match.glassless:
        return after(match, *claims, End("all", claims[-1].at))
    if match.chance == 0 and claims:
        return after(match, claims[0], Flip(10.0), *claims[1:], End("sand", 70.0))
    if not claims and match.edition.second_chance:
        return after(match, Flip(60.0), End("sand", 120.0))
    return after(match, *claims, End("sand", 60.0))


def checked(match: Match, finishers: Iterable[Player]) -> Match:
    """The next round played up to the places being confirmed (or the round being lost)."""
    match = claimed(race(match), finishers)
    return after(match, Confirm()) if match.phase == "check" else match


def drawn(match: Match, gems: Iterable[Gem]) -> Match:
    """These gems drawn, one after the other, by whoever's turn it is."""
    for gem in gems:
        match = after(match, Draw(match.to_draw[0], gem))
    return match


def played(match: Match, finishers: Iterable[Player], gems: Iterable[Gem] = ()) -> Match:
    """The next round up to its scores; gems not named are drawn by a fixed seed."""
    match, chance = drawn(checked(match, finishers), gems), SeededChance(7)
    while match.phase == "draw":
        match = after(match, rules.drawn(match, chance))
    return match


def lost(match: Match) -> Match:
    """The next round, solved by nobody."""
    match = race(match)
    return after(match, GiveUp(9.0)) if match.chance == 0 else claimed(match, ())


def nine_rounds(match: Match, winners: Sequence[Player] = ()) -> Match:
    """These win a round each, alone and drawing an amber (4 points); the other rounds nobody solves."""
    for n in range(9):
        match = played(match, (winners[n],), (AMBER,)) if n < len(winners) else lost(match)
    return match


def hands(match: Match) -> dict[str, dict[str, int]]:
    """Every player's gems, by name."""
    return {player.value: match.hands[player].as_dict() for player in match.players}


def gems(ruby: int = 0, sapphire: int = 0, emerald: int = 0, amber: int = 0) -> Gems:
    """So many of each."""
    return Gems(ruby, sapphire, emerald, amber)
