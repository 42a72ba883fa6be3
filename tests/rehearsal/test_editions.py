"""A whole match of every edition, at each number of players, with an undo and power cuts in the middle."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from device.game.editions import Edition, available
from device.game.players import SEATS
from device.table.menu import ITEMS
from tests.rehearsal import laws
from tests.rehearsal.players import Players
from tests.rehearsal.scripts import fields, of, play

EDITIONS = {edition.id: edition for edition in available(None)}

MATCHES = [
    pytest.param(edition.id, players, {}, id=f"{edition.id} for {players}")
    for edition in EDITIONS.values()
    for players in range(max(2, edition.players[0]), edition.players[1] + 1)
] + [
    pytest.param("lines", 3, {"scoring": "no-luck"}, id="lines without luck"),
    pytest.param("lines", 3, {"bag": "cloth"}, id="lines, cloth bag"),
    pytest.param("extreme-fun-size", 4, {"cards": "first-only", "side": "B"}, id="extreme-fun-size, pro"),
    pytest.param("3d", 2, {"glass_start": "roll"}, id="3d, the roll turns the glass"),
    pytest.param("classic", 4, {"side": "B", "glass_seconds": 45}, id="classic, side B, 45 s"),
]


def interrupted(players: Players) -> None:
    """A match to its end: undone in the second round's scores, cut off there and in the race after it."""
    evening, undone, cut = players.evening, False, False
    for _ in range(2000):
        if evening.scene == "final":
            return
        rounds = len(of(evening.said, "scored"))
        if rounds >= 2 and not undone and evening.scene == "scores":
            undone = True
            evening.cut()
            while evening.scene == "resume":
                players.go_on()
            evening.menu(ITEMS.index("undo"))
        elif rounds >= 2 and undone and not cut and evening.scene == "race" and evening.awaited():
            cut = True
            evening.wait(0.37)
            evening.cut()
        players.go_on()
    raise AssertionError(f"no end in sight:\n{evening.script}")


@pytest.mark.parametrize(("edition_id", "players", "config"), MATCHES)
def test_a_whole_match(edition_id: str, players: int, config: dict[str, Any]) -> None:
    edition = EDITIONS[edition_id]
    family = Players(Random(players), players, seed=players, edition=edition_id, **config)
    interrupted(family)
    said = family.evening.said
    laws.check(said, family.evening.cuts)
    (started,) = of(said, "started")
    seats = [seat.value for seat in SEATS if seat.value in fields(said, "joined", "player")]
    assert (started["edition"], started["players"], len(seats)) == (edition_id, seats, players)
    assert len(of(said, "undone")) >= 1
    assert len(of(said, "resumed")) == 2
    (final,) = of(said, "final")
    check_the_end(edition, final["scores"], final["ranking"], said)


def check_the_end(edition: Edition, scores: dict[str, int], ranking: list[list[str]], said: list[Any]) -> None:
    """Exactly the right end, and one winner or a shared win."""
    played = max(fields(said, "scored", "round"))
    if edition.target is not None:
        assert played == edition.rounds or max(scores.values()) == edition.target
    elif edition.rounds is not None:
        assert played == edition.rounds
    else:
        cards = edition.cards_for_two if len(scores) == 2 else edition.cards
        # As many cards as a stack held have been taken from one of them, and from none more.
        standing: list[Any] = []
        for one in of(said, "card", "undone"):
            if one["what"] == "card" and not {"kept", "given", "out"} & set(one):
                standing.append(one["stack"])
            elif one.get("decision") == "stack":
                standing.pop()
        assert max(standing.count(stack) for stack in (1, 2, 3, 4)) == cards
    best = [player for player, total in scores.items() if total == max(scores.values())]
    if of(said, "playoff"):
        assert edition.ties == "playoff"
        assert len(best) > 1
        assert len(ranking[0]) == 1
        assert ranking[0][0] in best
    else:
        assert ranking[0] == best
        assert len(best) == 1 or edition.ties == "shared"


@pytest.mark.parametrize("edition_id", ["extreme-fun-size", "pawns"])
def test_its_script_plays_the_same_again(edition_id: str) -> None:
    players = EDITIONS[edition_id].players[1]
    family = Players(Random(players), players, seed=players + 10, edition=edition_id)
    interrupted(family)
    assert play(family.evening.script, seed=players + 10) == family.evening.said
