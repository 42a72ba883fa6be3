"""What the table wants kept, as plain data for the store. All dicts hold only what JSON holds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from device.plain import dataclass

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Begin:
    """A match (or a run alone, or a count) begins; `head` says which: see Finish for the keys they share."""

    head: Json


@dataclass(frozen=True, slots=True)
class Append:
    """Decisions of the running match, in order, and `mark` as in Mark.

    `settled`: the next scene may be shown, and its press invited, only once this is on disk.
    """

    events: tuple[Json, ...]
    mark: Json
    settled: bool = False


@dataclass(frozen=True, slots=True)
class Mark:
    """Where the running match stands in time (seconds left in the glass …): the newest replaces the older."""

    mark: Json


@dataclass(frozen=True, slots=True)
class Finish:
    """The running match is over and goes into the history. Keys of `outcome`:

    kind: "match", "alone" or "counted"; unfinished: bool (given up); edition: id; edition_name; side; scoring;
    players: [player, …] in seat order; names: {player: name}; unit: "points", "cards", "gems", "wins";
    scores: {player: int}; ranking: [[players of rank 1], …]; rounds: rounds played;
    gems: {player: {"ruby": n, …}} where the edition has gems;
    solves: [{"player", "round", "place", "seconds"}, …], every claim that was checked and stood, seconds may be null;
    races: {player: rounds this player took part in}; wins: [players of rank 1];
    alone only: goal: {"kind": "minutes" | "tasks", "number": n}, solved, aside, seconds, record: bool.
    """

    outcome: Json


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting made on the box: a config key ("edition", "glass_seconds", "handicap.blue", …), its new value."""

    key: str
    value: str | int | bool | None


Save = Begin | Append | Mark | Finish | Setting
