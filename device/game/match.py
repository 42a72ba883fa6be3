"""The match: one state of it, and how it begins. What changes it is in `rules` and `rewards`.

No clock (times are seconds of play), no chance (its results are kept), no buttons, no editions by name.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import field
from typing import Any

from device.game.editions import Edition
from device.game.events import Claim, Illegal, Outcome
from device.game.gems import Gem, Gems, Track
from device.game.players import Player, from_seat, in_seat_order, left_of
from device.plain import dataclass

STACKS = (1, 2, 3, 4)

Result = tuple["Match", tuple[Outcome, ...]]


@dataclass(frozen=True, slots=True)
class Solve:
    """A claim that was checked and stood, for the history; seconds of play it took."""

    player: Player
    round: int
    place: int
    seconds: float | None


@dataclass(frozen=True, slots=True)
class Match:
    """One match at one moment.

    phase: "stacks" (cards are chosen), "ready" (the round's press is awaited), "set" (rolled, not all ready),
    "race", "check", "draw", "scores", "playoff" (its roll is awaited), "final".
    lines: what the die or the chips show. chance: 0 before the glass was turned, then 1, then 2;
    turned: after how many seconds of play it last was.
    claims: in the order of their times. to_draw: who draws or takes next, gem by gem. memo: what chance has given,
    kept through undo. past: (decision, its second of play or None, state before it) back to the round before.
    rewind: the state just before the sand ran out, for a press in time that is heard of later.
    """

    edition: Edition
    players: tuple[Player, ...]
    side: str
    scoring: str
    cards_rule: str
    starter: Player | None
    phase: str
    track: Track
    bag: Gems
    hands: Mapping[Player, Gems]
    counts: Mapping[Player, int]
    stacks: tuple[int, ...] = (0, 0, 0, 0)
    round: int = 1
    lines: tuple[int, ...] = ()
    chance: int = 0
    turned: float = 0.0
    taken: Mapping[Player, int] = field(default_factory=dict)
    claims: tuple[Claim, ...] = ()
    ended: float = 0.0
    reason: str = ""
    to_draw: tuple[Player, ...] = ()
    given: tuple[tuple[Player, Gem, str], ...] = ()
    lost: bool = False
    halves: Collection[Player] = ()
    tied: tuple[Player, ...] = ()
    winner: Player | None = None
    solves: tuple[Solve, ...] = ()
    memo: Mapping[tuple[Any, ...], Any] = field(default_factory=dict)
    past: tuple[tuple[str, float | None, Match], ...] = field(default=(), repr=False, compare=False)
    rewind: Match | None = field(default=None, repr=False, compare=False)

    @property
    def racers(self) -> tuple[Player, ...]:
        """Who may claim: everybody, in a playoff the tied."""
        return self.tied or self.players

    @property
    def glassless(self) -> bool:
        """No sand ends this race: a playoff, or an edition without a glass. The first claim does."""
        return bool(self.tied) or self.edition.start == "none"

    @property
    def symbol(self) -> str | None:
        """What the die shows, as the edition names it; None without a die or before the roll."""
        return self.edition.symbols[self.lines[0] - 1] if len(self.lines) == 1 else None

    @property
    def over(self) -> bool:
        """The round just scored was the last one."""
        edition = self.edition
        return (
            (edition.rounds is not None and self.round >= edition.rounds)
            or (edition.chooser == "stacks" and 0 in self.stacks)
            or (edition.target is not None and max(self.counts.values()) >= edition.target)
        )

    @property
    def next_starter(self) -> Player | None:
        """Who begins the next round; None: any player."""
        if self.starter is None:
            return None
        if self.edition.passes == "left-of-first" and self.claims:
            return left_of(self.players, self.claims[0].player)
        return left_of(self.players, self.starter)

    @property
    def chooser(self) -> Player | None:
        """Whose turn it is to take a card from a stack."""
        if self.phase != "stacks" or self.starter is None:
            return None
        return next(p for p in from_seat(self.players, self.starter) if p not in self.taken)

    @property
    def scores(self) -> dict[Player, int]:
        """What decides who wins, so far: gem points, or the number of cards, wins or gems."""
        if self.edition.unit == "points":
            return {p: self.hands[p].points for p in self.players}
        if self.edition.unit == "gems":
            return {p: len(self.hands[p]) for p in self.players}
        return dict(self.counts)

    @property
    def ranking(self) -> tuple[tuple[Player, ...], ...]:
        """Best first, equals together in seat order; the playoff's winner alone at the top."""
        return ranked(self.scores, self.winner)

    def open_stacks(self) -> tuple[int, ...]:
        """Stacks that still have cards and that nobody took from in this round."""
        return tuple(n for n in STACKS if self.stacks[n - 1] and n not in self.taken.values())


def ranked(scores: Mapping[Player, int], winner: Player | None = None) -> tuple[tuple[Player, ...], ...]:
    """The players by their totals, best first, equals together in seat order; `winner` alone at the top."""
    groups: list[tuple[Player, ...]] = []
    if winner is not None:
        groups.append((winner,))
    for total in sorted(set(scores.values()), reverse=True):
        group = in_seat_order(p for p, points in scores.items() if points == total and p != winner)
        if group:
            groups.append(group)
    return tuple(groups)


def begin(
    edition: Edition,
    players: Collection[Player],
    first: Player | None,
    side: str = "A",
    scoring: str | None = None,
    cards_rule: str = "all",
) -> Match:
    """A new match before its first round. `first`: who starts (None only where anyone may).

    Illegal: the wrong number of players, a scoring the edition has not, a starter who does not play.
    """
    seats = in_seat_order(players)
    low, high = edition.players
    if not low <= len(seats) <= high:
        raise Illegal(f"{edition.name} is for {low} to {high} players, not {len(seats)}")
    scoring = scoring if scoring in edition.scorings else edition.scorings[0]
    if (first is None) != (edition.first == "anyone") or (first is not None and first not in seats):
        raise Illegal("the first round needs a player who starts it")
    per_stack = (edition.cards_for_two if len(seats) == 2 else edition.cards) if edition.chooser == "stacks" else 0
    return Match(
        edition=edition,
        players=seats,
        side=side,
        scoring=scoring,
        cards_rule=cards_rule,
        starter=first,
        phase="stacks" if per_stack else "ready",
        track=edition.track or Track(0, 0),
        bag=edition.bag,
        hands=dict.fromkeys(seats, Gems()),
        counts=dict.fromkeys(seats, 0),
        stacks=(per_stack,) * 4,
    )
