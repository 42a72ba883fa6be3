"""What the table knows of past evenings: handed in by the store's side, ready to show. No queries here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from device.plain import dataclass

BestKey = tuple[str, str, str, int]
"""Edition id, side, "minutes" or "tasks", how many."""


@dataclass(frozen=True, slots=True)
class Page:
    """One page for the history scene: title as of scenes.History; rows of (label, value)."""

    title: str
    heading: str
    rows: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Past:
    """bests: of playing alone, the most tasks solved or the fewest seconds. pages: of the history scene."""

    bests: Mapping[BestKey, float] = field(default_factory=dict)
    pages: tuple[Page, ...] = ()
