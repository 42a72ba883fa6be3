"""Where chance comes from: the operating system's entropy, or a seed for a rehearsal. Knows no die and no bag."""

from __future__ import annotations

import random
import secrets
from typing import Protocol


class Chance(Protocol):
    """A source of fair whole numbers."""

    def below(self, limit: int) -> int:
        """One of 0 … limit - 1, each equally likely."""


class SystemChance:
    """The operating system's entropy: what every real evening uses."""

    def below(self, limit: int) -> int:
        """See Chance.below."""
        return secrets.randbelow(limit)


class SeededChance:
    """The same sequence for the same seed: only for rehearsals and tests."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def below(self, limit: int) -> int:
        """See Chance.below."""
        return self._random.randrange(limit)
