"""The evening's settings: what the config and the box's own menu decide, as one frozen object. No files here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from typing import Any

from device.game.editions import Edition
from device.game.players import Player
from device.plain import dataclass


@dataclass(frozen=True, slots=True)
class TableSettings:
    """What the table needs to know. Keys and values are those of the config file.

    editions: every edition that can be chosen, by id. choices: for each key that can be set on the box its values
    in order; a key like "handicap.blue" stands for one player's. glass_seconds None: the edition's own.
    symbols: the order of the die's symbols on the boards, where it is not the edition's own.
    """

    editions: Mapping[str, Edition]
    edition_id: str = "classic"
    side: str = "A"
    scoring: str = "track"
    bag: str = "box"
    cards: str = "all"
    glass_seconds: int | None = None
    glass_start: str | None = None
    symbols: tuple[str, ...] = ()
    sound: bool = True
    brightness: int = 200
    language: str = "en"
    names: Mapping[Player, str] = field(default_factory=dict)
    levels: Mapping[Player, str] = field(default_factory=dict)
    handicap: Mapping[Player, int] = field(default_factory=dict)
    choices: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)

    @property
    def edition(self) -> Edition:
        """The edition that the next match is played with."""
        edition = self.editions[self.edition_id]
        return edition.variant(self.glass_start or edition.start, self.symbols)

    def value(self, key: str) -> Any:
        """The value of a key that can be set on the box; a handicap never takes more off than the glass has."""
        name, _, player = key.partition(".")
        if name == "levels":
            return self.levels.get(Player(player), "green")
        if name == "handicap":
            off, glass = self.handicap.get(Player(player), 0), self._glass
            return off if glass is None else min(off, glass)
        return self.edition_id if name == "edition" else getattr(self, name)

    def offered(self, key: str) -> tuple[Any, ...]:
        """The values this key can be given on the box just now, in order."""
        choices, glass = self.choices[key], self._glass
        if glass is None or not key.startswith("handicap."):
            return choices
        return tuple(choice for choice in choices if choice <= glass)

    @property
    def _glass(self) -> int | None:
        return self.edition.glass(self.side, self.glass_seconds)

    def changed(self, key: str, value: Any) -> TableSettings:
        """With another value for this key."""
        name, _, player = key.partition(".")
        change: dict[str, Any] = {"edition_id" if name == "edition" else name: value}
        if name in ("levels", "handicap"):
            change = {name: {**getattr(self, name), Player(player): value}}
        return replace(self, **change)
