"""What a store says was running, read strictly: whoever else wrote into the file, no scene may stumble over it later.

Types and ranges only; whether the events can have happened is the rules' business.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from typing import Any

from device.game.players import Player, in_seat_order

LONGEST = 1e6
"""Seconds of play beyond which nobody has played: eleven days."""
LONGEST_TEXT = 200

_TEXTS = ("edition", "edition_name", "side")
_MATCH_TEXTS = ("start", "scoring", "cards", "bag")


def check_head(head: Mapping[str, Any]) -> None:
    """ValueError (or KeyError) unless this is the head of a match or of a run alone, as the table writes it."""
    kind = head["kind"]
    _need(kind in ("match", "alone"), "kind")
    for key in (*_TEXTS, *(_MATCH_TEXTS if kind == "match" else ())):
        _need(is_text(head[key]), key)
    players = head["players"]
    _need(isinstance(players, list) and bool(players) and all(map(is_text, players)), "players")
    seats = [Player(p) for p in players]
    _need(list(in_seat_order(seats)) == seats, "players")
    _need(is_names(head.get("names", {})), "names")
    if kind == "alone":
        _need(is_goal(head["goal"]), "goal")
        return
    symbols, first, glass = head["symbols"], head["first"], head["glass"]
    _need(isinstance(symbols, list) and all(map(is_text, symbols)), "symbols")
    _need(first is None or is_text(first), "first")
    _need(glass is None or (is_number(glass) and 1 <= glass <= LONGEST), "glass")
    _need((glass is None) == (head["start"] == "none"), "glass")


def check_mark(mark: Mapping[str, Any]) -> None:
    """ValueError unless this is where a clock can stand."""
    played, marks = mark.get("played", 0.0), mark.get("marks", [])
    _need(is_number(played) and 0 <= played <= LONGEST, "played")
    _need(isinstance(mark.get("running", False), bool), "running")
    _need(isinstance(marks, list), "marks")
    for one in marks:
        good = isinstance(one, list) and len(one) == 2 and one[0] in ("solved", "aside") and is_number(one[1])
        _need(good and 0 <= one[1] <= LONGEST, "marks")


def is_text(value: object) -> bool:
    """A text of a length that somebody may have meant."""
    return isinstance(value, str) and len(value) <= LONGEST_TEXT


def is_number(value: object) -> bool:
    """A finite number, and no bool."""
    if isinstance(value, int) and not isinstance(value, bool):
        return abs(value) < 1e15
    return isinstance(value, float) and isfinite(value)


def is_names(value: object) -> bool:
    """Names by player."""
    return isinstance(value, dict) and all(is_text(player) and is_text(name) for player, name in value.items())


def is_goal(value: object) -> bool:
    """A goal of playing alone."""
    if not isinstance(value, dict) or value.get("kind") not in ("minutes", "tasks"):
        return False
    number = value.get("number")
    return type(number) is int and 1 <= number <= 99


def _need(good: bool, what: str) -> None:
    if not good:
        raise ValueError(f"its {what} is not what a box keeps")
