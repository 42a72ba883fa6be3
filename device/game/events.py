"""What can happen to a match, and what follows from it, as plain data that goes through JSON unchanged.

Chance and times come in here as facts (a die's line, a drawn gem, seconds of play); nothing here judges them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any, ClassVar

from device.game.gems import Gem
from device.game.players import Player
from device.plain import dataclass

# Far beyond any evening, in seconds: what is longer was not written by us.
_LONGEST_PLAY = 1e9


class Illegal(Exception):
    """The event cannot happen now; the match is untouched."""


@dataclass(frozen=True, slots=True)
class Event:
    """Base of all that happens to a match; `decision` is what undo calls it, "" for what is no player's decision."""

    decision: ClassVar[str] = ""


@dataclass(frozen=True, slots=True)
class Roll(Event):
    """The starter rolled: `lines` is what came up, 1 to the number of symbols; of chips one a player in seat order."""

    decision = "roll"
    player: Player
    lines: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Take(Event):
    """A card from stack 1 to 4."""

    decision = "stack"
    player: Player
    stack: int


@dataclass(frozen=True, slots=True)
class Reveal(Event):
    """The task lies open: a race without a roll begins."""

    decision = "reveal"
    player: Player


@dataclass(frozen=True, slots=True)
class Go(Event):
    """All have their pieces: the starter's second press."""

    decision = "go"
    player: Player


@dataclass(frozen=True, slots=True)
class Flip(Event):
    """The glass is turned after `at` seconds of play: 0 for the first glass that the roll starts."""

    at: float


@dataclass(frozen=True, slots=True)
class Claim(Event):
    """ "Ubongo!" after `at` seconds of play (pauses not counted)."""

    decision = "claim"
    player: Player
    at: float


@dataclass(frozen=True, slots=True)
class Withdraw(Event):
    """The owner takes a claim back, `at` seconds of play."""

    decision = "withdrawal"
    player: Player
    at: float


@dataclass(frozen=True, slots=True)
class End(Event):
    """The race is over after `at` seconds: the "sand" ran out or "all" have claimed."""

    reason: str
    at: float


@dataclass(frozen=True, slots=True)
class GiveUp(Event):
    """The table gives the round up after `at` seconds of play."""

    decision = "give-up"
    at: float


@dataclass(frozen=True, slots=True)
class Confirm(Event):
    """The boards were checked: the places stand."""

    decision = "check"


@dataclass(frozen=True, slots=True)
class Draw(Event):
    """The next gem of the round: from the bag by chance or cloth, or taken openly."""

    decision = "draw"
    player: Player
    gem: Gem


@dataclass(frozen=True, slots=True)
class Next(Event):
    """On from the scores: to the next round's stacks, to the playoff, to the final."""

    decision = "next"


@dataclass(frozen=True, slots=True)
class Undo(Event):
    """The last decision is taken back."""


EVENTS: Mapping[str, type[Event]] = {
    kind.__name__.lower(): kind
    for kind in (Roll, Take, Reveal, Go, Flip, Claim, Withdraw, End, GiveUp, Confirm, Draw, Next, Undo)
}


def to_json(event: Event) -> dict[str, Any]:
    """The event as a dict of JSON values, its kind under "event"."""
    return {"event": type(event).__name__.lower()} | {
        one.name: list(value) if isinstance(value := getattr(event, one.name), tuple) else value
        for one in fields(event)
    }


def from_json(data: Mapping[str, Any]) -> Event:
    """The event that `to_json` wrote; ValueError, KeyError or TypeError if it is none."""
    values = dict(data)
    kind = EVENTS[values.pop("event")]
    return kind(**{key: _READ[key](value) for key, value in values.items()})


def _whole(value: Any) -> int:
    if type(value) is not int:
        raise TypeError("no whole number")
    return value


def _seconds(value: Any) -> float:
    # NaN would slip through every comparison of times, infinity would never come: a store can hold both.
    if type(value) not in (int, float) or not abs(value) < _LONGEST_PLAY:
        raise TypeError("no seconds of play")
    return float(value)


def _reason(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError("no reason")
    return value


def _lines(value: Any) -> tuple[int, ...]:
    if not isinstance(value, list | tuple):
        raise TypeError("no list of lines")
    return tuple(map(_whole, value))


_READ: Mapping[str, Callable[[Any], Any]] = {
    "player": Player,
    "gem": Gem,
    "lines": _lines,
    "stack": _whole,
    "at": _seconds,
    "reason": _reason,
}


@dataclass(frozen=True, slots=True)
class Gave:
    """A player got a gem; source "track", "bag" or "supply"."""

    player: Player
    gem: Gem
    source: str


@dataclass(frozen=True, slots=True)
class Returned:
    """A gem of the track that nobody won went into the bag."""

    gem: Gem


@dataclass(frozen=True, slots=True)
class Counted:
    """The round track after a round."""

    sapphires: int
    ambers: int


@dataclass(frozen=True, slots=True)
class Card:
    """What became of a player's card: fate "kept", "given" (then `to`) or "out"."""

    player: Player
    stack: int
    fate: str
    to: Player | None = None


@dataclass(frozen=True, slots=True)
class Scored:
    """A round is over: everybody's total so far."""

    round: int
    scores: Mapping[Player, int]


@dataclass(frozen=True, slots=True)
class TiedFirst:
    """These share the first place and play it off."""

    players: tuple[Player, ...]


@dataclass(frozen=True, slots=True)
class Ranked:
    """The match is over: totals and the ranking, best first, equals together."""

    scores: Mapping[Player, int]
    ranking: tuple[tuple[Player, ...], ...]


Outcome = Gave | Returned | Counted | Card | Scored | TiedFirst | Ranked
