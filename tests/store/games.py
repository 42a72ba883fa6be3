"""Saves as the table makes them, small enough to be read in a test."""

from __future__ import annotations

from typing import Any

from device.store import Store
from device.table.saves import Append, Begin, Finish, Mark

NOW = "2026-07-03T20:15:00"
LATER = "2026-07-03T21:02:00"

HEAD = {"kind": "match", "edition": "classic", "side": "A", "players": ["red", "blue"], "names": {"red": "Anna"}}
BEGIN = Begin(HEAD)


def told(store: Store) -> tuple[str | None, bool]:
    """What the store says of its card, and whether something still waits for it."""
    return store.trouble, store.unsaved


def event(n: int) -> dict[str, Any]:
    """A decision that can be told from any other; with an accent, as names have."""
    return {"what": "claim", "n": n, "name": "Zoé"}


def append(*numbers: int, left: float = 30.0) -> Append:
    """These decisions, and the time that was left then."""
    return Append(tuple(event(n) for n in numbers), {"left": left}, settled=True)


def mark(left: float) -> Mark:
    """The time that is left."""
    return Mark({"left": left})


def outcome(**changes: Any) -> dict[str, Any]:
    """Anna (red) beats Ben (blue) over three rounds, of which she solves the first two and he the last."""
    return {
        "kind": "match",
        "unfinished": False,
        "edition": "classic",
        "edition_name": "Ubongo",
        "side": "A",
        "scoring": "track",
        "players": ["red", "blue"],
        "names": {"red": "Anna", "blue": "Ben"},
        "unit": "points",
        "scores": {"red": 14, "blue": 7},
        "ranking": [["red"], ["blue"]],
        "rounds": 3,
        "gems": {
            "red": {"ruby": 2, "sapphire": 2, "emerald": 0, "amber": 0},
            "blue": {"ruby": 1, "sapphire": 1, "emerald": 0, "amber": 0},
        },
        "solves": [
            {"player": "red", "round": 1, "place": 1, "seconds": 21.5},
            {"player": "red", "round": 2, "place": 1, "seconds": 18.25},
            {"player": "blue", "round": 3, "place": 1, "seconds": 40.0},
        ],
        "races": {"red": 3, "blue": 3},
        "wins": ["red"],
        **changes,
    }


def alone(kind: str, number: int, solved: int, seconds: float | None, **changes: Any) -> dict[str, Any]:
    """Ben alone."""
    return {
        "kind": "alone",
        "unfinished": False,
        "edition": "classic",
        "edition_name": "Ubongo",
        "side": "A",
        "players": ["blue"],
        "names": {"blue": "Ben"},
        "goal": {"kind": kind, "number": number},
        "solved": solved,
        "aside": 1,
        "seconds": seconds,
        "record": False,
        **changes,
    }


FINISH = Finish(outcome())
