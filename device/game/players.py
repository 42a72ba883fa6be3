"""The four seats and what "to the left" means. Nothing here knows names of people or a button's pin."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from enum import StrEnum


class Player(StrEnum):
    """A seat, clockwise from button 1. Its value is what transcripts and stores call it."""

    RED = "red"
    BLUE = "blue"
    GREEN = "green"
    YELLOW = "yellow"

    @property
    def button(self) -> int:
        """The player's button, 1 to 4."""
        return SEATS.index(self) + 1


SEATS: tuple[Player, ...] = tuple(Player)


def at_button(button: int) -> Player:
    """The player of button 1 to 4."""
    return SEATS[button - 1]


def from_seat(players: Collection[Player], first: Player) -> tuple[Player, ...]:
    """These players clockwise, beginning with `first` or, if that seat is empty, with the next one left of it."""
    start = SEATS.index(first)
    return tuple(p for p in SEATS[start:] + SEATS[:start] if p in players)


def left_of(players: Collection[Player], player: Player) -> Player:
    """The next of these players to the left (clockwise); the same one if nobody else plays."""
    return (from_seat(players, player)[1:] or (player,))[0] if player in players else from_seat(players, player)[0]


def in_seat_order(players: Iterable[Player]) -> tuple[Player, ...]:
    """The players by their buttons."""
    chosen = set(players)
    return tuple(p for p in SEATS if p in chosen)
