"""What a transcript tells of a match, written down as it is read: gems, cards, claims, the glass. No laws here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

from device.game.editions import Edition

One = dict[str, Any]

SEATS = ("red", "blue", "green", "yellow")
POINTS = {"ruby": 4, "sapphire": 3, "emerald": 2, "amber": 1}
RESTING = {"menu", "settings", "rules", "history", "paused", "resume"}
COVERS = {*RESTING, "asleep"}
FATES = {"kept", "given", "out"}
# Seconds between a press and its being said: the longest burst (50 ms) and the rounding to the ms.
HEARD = 0.056
# Times rounded to the ms, some of them added up.
EXACT = 0.005


class Broken(AssertionError):
    """A law does not hold."""


@dataclass
class Played:
    """The match as the transcript tells it; one decision back is one copy back."""

    round: int = 1
    hands: dict[str, Counter[str]] = field(default_factory=dict)
    bag: Counter[str] = field(default_factory=Counter)
    track: int = 9
    counts: dict[str, int] = field(default_factory=dict)
    stacks: list[int] = field(default_factory=lambda: [0, 0, 0, 0])
    taken: dict[str, int] = field(default_factory=dict)
    # Who claimed, by place; None: no longer known (a menu took some of them back).
    claims: list[str] | None = field(default_factory=list)
    drew: list[str] = field(default_factory=list)
    returned: list[str] = field(default_factory=list)
    scored: bool = False
    starter: str | None = None
    tied: list[str] = field(default_factory=list)
    # How often the glass was turned in this race; whether the race has stopped.
    turned: int = 0
    stopped: bool = False


class Ledger:
    """cuts: when the power went; menus: when the menu opened."""

    def __init__(self, cuts: Iterable[float] = (), handicaps: bool = False, menus: Iterable[float] = ()) -> None:
        self.cuts = sorted(cuts)
        self.menus = set(menus)
        self.handicaps = handicaps
        self.t = 0.0
        self.scene = ""
        self.behind = ""
        self.undone = False
        self.edition: Edition | None = None
        self.scoring = self.bag_kind = ""
        self.players: list[str] = []
        self.p = Played()
        self.past: list[tuple[str, Played]] = []
        self.chance: dict[tuple[Any, ...], Any] = {}
        # The glass: the second it ends while it runs, or what is left while it rests.
        self.end: float | None = None
        self.rest: float | None = None
        self.total = 0.0
        # A glass that a claim turned has run since the press, not since it was said.
        self.blur = 0.0
        self.loud = 0
        self.joined: set[str] = set()
        self.youngest: str | None = None
        self.decided_at = -1.0

    def need(self, good: object, law: str) -> None:
        if not good:
            raise Broken(law)

    def _decided(self, name: str) -> bool:
        """This decision was read at this very time, before the scene it led to."""
        return bool(self.past) and self.past[-1][0] == name and self.decided_at == self.t

    def _push(self, name: str) -> None:
        self.past.append((name, deepcopy(self.p)))
        self.decided_at = self.t

    def _forget(self) -> None:
        self.edition, self.past, self.chance, self.loud = None, [], {}, 0
        self.end = self.rest = None
        self.p = Played()

    def _next_round(self) -> None:
        p = self.p
        if p.scored and not p.tied:
            p.round, p.scored, p.drew, p.returned, p.taken = p.round + 1, False, [], [], {}
            p.turned, p.stopped = 0, False
            if p.starter is not None and self.edition:
                first = p.claims[0] if p.claims and self.edition.passes == "left-of-first" else p.starter
                unknown = p.claims is None and self.edition.passes == "left-of-first"
                p.starter = None if unknown else self.left_of(first)
            p.claims = []

    def left_of(self, player: str, among: Sequence[str] = ()) -> str:
        at = SEATS.index(player)
        return next(p for p in SEATS[at + 1 :] + SEATS[: at + 1] if p in (among or self.players))

    def _totals(self) -> dict[str, int]:
        unit = self.edition.unit if self.edition else "points"
        if unit in ("cards", "wins"):
            return dict(self.p.counts)
        return {
            q: sum((POINTS[g] if unit == "points" else 1) * n for g, n in h.items()) for q, h in self.p.hands.items()
        }

    @property
    def _takes_back(self) -> bool:
        """The menu opens, or a round is given up in it."""
        return self.t in self.menus or self.scene in RESTING
