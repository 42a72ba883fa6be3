"""Rows and bits of scenes that several of them show: standings, places, the track, levels. Nothing is decided here."""

from __future__ import annotations

from collections.abc import Mapping

from device.game.gems import Track
from device.game.match import Match
from device.game.players import Player
from device.table.scenes import Placed, Standing
from device.table.settings import TableSettings


def standings(match: Match) -> tuple[Standing, ...]:
    """A row of scores a player, in seat order, with what this round gave."""
    gems = len(match.edition.bag) > 0
    return tuple(
        Standing(
            p,
            match.scores[p],
            match.hands[p] if gems else None,
            tuple(gem for who, gem, _ in match.given if who == p),
            next(rank for rank, group in _ranks(match) if p in group),
        )
        for p in match.players
    )


def _ranks(match: Match) -> list[tuple[int, tuple[Player, ...]]]:
    ranks, rank = [], 1
    for group in match.ranking:
        ranks.append((rank, group))
        rank += len(group)
    return ranks


def placed(match: Match) -> tuple[Placed, ...]:
    """The claims that stand, for the screen."""
    timed = not match.tied
    return tuple(Placed(c.player, n, c.at if timed else None) for n, c in enumerate(match.claims, 1))


def track_of(match: Match) -> Track | None:
    """The track, where the edition has one."""
    return match.track if match.edition.reward == "track" else None


def levels(match: Match, settings: TableSettings) -> Mapping[Player, str]:
    """What differs from player to player: the chip drawn, or the level played."""
    if len(match.lines) > 1:
        return {p: match.edition.symbols[n - 1] for p, n in zip(match.players, match.lines, strict=True)}
    return {p: settings.levels.get(p, "green") for p in match.players} if match.edition.levels else {}
