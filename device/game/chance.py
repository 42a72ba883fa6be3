"""Where chance comes from: the operating system's entropy, or a seed for a rehearsal. Knows no die and no bag."""

from __future__ import annotations

import random
from typing import Protocol


class Chance(Protocol):
    """A source of fair whole numbers."""

    def below(self, limit: int) -> int:
        """One of 0 … limit - 1, each equally likely."""


class SystemChance:
    """The operating system's entropy: what every real evening uses."""

    def __init__(self) -> None:
        self._random = random.SystemRandom()

    def below(self, limit: int) -> int:
        """See Chance.below."""
        # What secrets.randbelow is, without the hashing library that comes with it.
        return self._random.randrange(limit)


class SeededChance:
    """The same sequence for the same seed: only for rehearsals and tests."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def below(self, limit: int) -> int:
        """See Chance.below."""
        return self._random.randrange(limit)
