"""Gems, what they are worth, and the multisets (bag, hands) they lie in. Knows nothing of rounds or places."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from enum import StrEnum

from device.plain import dataclass


class Gem(StrEnum):
    """A gem's kind, dearest first; button 1 to 4 stands for them in this order."""

    RUBY = "ruby"
    SAPPHIRE = "sapphire"
    EMERALD = "emerald"
    AMBER = "amber"

    @property
    def points(self) -> int:
        """4, 3, 2 or 1 points (rules, "Words")."""
        return _POINTS[self]


GEMS: tuple[Gem, ...] = tuple(Gem)
_POINTS = {Gem.RUBY: 4, Gem.SAPPHIRE: 3, Gem.EMERALD: 2, Gem.AMBER: 1}


@dataclass(frozen=True, slots=True)
class Gems:
    """How many gems of each kind; never negative."""

    ruby: int = 0
    sapphire: int = 0
    emerald: int = 0
    amber: int = 0

    def __post_init__(self) -> None:
        if min(self.ruby, self.sapphire, self.emerald, self.amber) < 0:
            raise ValueError(f"a negative number of gems: {self}")

    def __getitem__(self, gem: Gem) -> int:
        count: int = getattr(self, gem.value)
        return count

    def __iter__(self) -> Iterator[Gem]:
        """Every single gem, dearest first."""
        for gem in GEMS:
            for _ in range(self[gem]):
                yield gem

    def __len__(self) -> int:
        return self.ruby + self.sapphire + self.emerald + self.amber

    def __add__(self, other: Gems) -> Gems:
        return Gems(
            self.ruby + other.ruby,
            self.sapphire + other.sapphire,
            self.emerald + other.emerald,
            self.amber + other.amber,
        )

    def plus(self, gem: Gem, count: int = 1) -> Gems:
        """With `count` more (or, if negative, fewer) of this kind; ValueError where none are left to take."""
        return replace(self, **{gem.value: self[gem] + count})

    @property
    def points(self) -> int:
        """What they are worth together: 1 ruby + 1 sapphire + 3 emeralds + 3 ambers = 16."""
        return sum(gem.points * self[gem] for gem in GEMS)

    def as_dict(self) -> dict[str, int]:
        """{"ruby": n, ...} for stores and reports."""
        return {gem.value: self[gem] for gem in GEMS}


@dataclass(frozen=True, slots=True)
class Track:
    """What is left on the round track: 9 pairs at the start of nine rounds, one pair less after each."""

    sapphires: int = 9
    ambers: int = 9
