"""What is true of every match of every edition at every moment, and a driver that plays any match by drawn numbers."""

from __future__ import annotations

from itertools import pairwise

from device.game import rules
from device.game.chance import Chance
from device.game.editions import Edition, available
from device.game.events import (
    Card,
    Claim,
    Confirm,
    Counted,
    Draw,
    End,
    Event,
    Flip,
    GiveUp,
    Go,
    Illegal,
    Next,
    Outcome,
    Reveal,
    Roll,
    Take,
    Undo,
    Withdraw,
)
from device.game.gems import GEMS, Gems, Track
from device.game.match import Match
from device.game.players import SEATS, Player, from_seat

# Edition, scoring, what becomes of the cards: every way a match can be played.
WAYS: tuple[tuple[Edition, str, str], ...] = tuple(
    (edition, scoring, cards)
    for edition in available()
    for scoring in edition.scorings
    for cards in (("all", "first-only") if edition.reward == "cards" else ("all",))
)


def gems_of(match: Match) -> Gems:
    """All gems wherever they are: the bag (or supply), the track, the hands."""
    found = match.bag + Gems(sapphire=match.track.sapphires, amber=match.track.ambers)
    for hand in match.hands.values():
        found = found + hand
    return found


def cards_seen(match: Match) -> int:
    """All cards but those out of the game: on the stacks, in play, won."""
    in_play = len(match.taken) if match.phase in ("stacks", "ready", "race", "check") and not match.tied else 0
    won = sum(match.counts.values()) if match.edition.reward == "cards" else 0
    return sum(match.stacks) + in_play + won


def _phases(match: Match) -> set[str]:
    edition = match.edition
    phases = {"ready", "race", "check", "scores", "final"}
    phases |= {"stacks"} if edition.chooser == "stacks" else set()
    phases |= {"set"} if edition.start == "ready" else set()
    phases |= {"playoff"} if edition.ties == "playoff" else set()
    return phases | ({"draw"} if match.scoring in ("track", "ladder", "take") else set())


def changeable(match: Match) -> tuple[object, ...]:
    """Copies of all in a match that could be changed in place, were the rules not to copy it themselves."""
    return dict(match.hands), dict(match.counts), dict(match.taken), dict(match.memo)


def hold(begun: Match, match: Match) -> None:
    """The laws of one moment. `begun`: the match as it began."""
    edition = match.edition
    assert match.phase in _phases(match)
    assert gems_of(match) == gems_of(begun), "gems are conserved, colour by colour"
    assert cards_seen(match) <= cards_seen(begun), "no card comes from nowhere"
    finished = match.round - (match.phase in ("stacks", "ready", "set", "race", "check", "draw") and not match.tied)
    if edition.reward == "track":
        # While gems are drawn, those of the first two have already left the track.
        won = min(len(match.claims), 2) if match.phase == "draw" else 0
        assert match.track == Track(9 - finished - (won > 0), 9 - finished - (won > 1))
    assert edition.rounds is None or 1 <= match.round <= edition.rounds
    assert bool(match.to_draw) == (match.phase == "draw")
    assert len(match.to_draw) <= len(match.bag)
    assert match.starter in (*match.players, None)
    assert match.chance <= (2 if edition.second_chance else 1)
    assert not (match.glassless and match.chance), "no sand where there is no glass"
    claimers = [claim.player for claim in match.claims]
    assert len(set(claimers)) == len(claimers)
    assert set(claimers) <= set(match.racers)
    assert [claim.at for claim in match.claims] == sorted(claim.at for claim in match.claims)
    if match.phase in ("race", "check", "draw"):
        # From scores on the starter is the next round's.
        seats = from_seat(match.players, match.starter or match.players[0])
        order = sorted(match.claims, key=lambda claim: (claim.at, seats.index(claim.player)))
        assert list(match.claims) == order, "places go by the press, at the same time by seats from the starter"
    assert len({(solve.round, solve.place) for solve in match.solves}) == len(match.solves)
    assert len({(solve.round, solve.player) for solve in match.solves}) == len(match.solves)
    if match.phase == "final":
        ended(match)


def ended(match: Match) -> None:
    """The laws of the end: exactly then, everybody ranked once, one winner or a shared win."""
    edition, ranking, scores = match.edition, match.ranking, match.scores
    assert (
        match.round == edition.rounds
        or (edition.chooser == "stacks" and 0 in match.stacks)
        or (edition.target is not None and max(scores.values()) == edition.target)
    )
    assert sorted(SEATS.index(player) for group in ranking for player in group) == [
        SEATS.index(player) for player in match.players
    ]
    best = max(scores.values())
    assert all(scores[player] == best for player in ranking[0])
    if edition.ties == "playoff":
        assert len(ranking[0]) == 1
        assert (match.winner is None) == (list(scores.values()).count(best) == 1)
    else:
        assert len(ranking[0]) == list(scores.values()).count(best)
    for higher, lower in pairwise(ranking[1:]):
        assert scores[higher[0]] > scores[lower[0]], "equal totals share a rank"


def step(before: Match, after: Match, outcomes: tuple[Outcome, ...]) -> None:
    """The laws of one event that is no undo: cards leave the game only aloud, a round ends once."""
    out = sum(isinstance(one, Card) and one.fate == "out" for one in outcomes)
    assert cards_seen(before) - cards_seen(after) == out
    counted = [one for one in outcomes if isinstance(one, Counted)]
    assert bool(counted) == (before.edition.reward == "track" and after.phase == "scores" and before.phase != "scores")
    assert counted in ([], [Counted(after.track.sapphires, after.track.ambers)])
    assert after.round - before.round in (0, 1)


def next_roller(match: Match) -> Player | None:
    """Whose press begins the next round, or this one if it has not begun. None: anybody's."""
    return match.next_starter if match.phase == "scores" else match.starter


def onward(match: Match, chance: Chance, number: int) -> Event:
    """An event that brings this match on; `number` chooses who, which and whether."""
    edition, phase = match.edition, match.phase
    if phase == "stacks":
        assert match.chooser is not None
        open_stacks = match.open_stacks()
        return Take(match.chooser, open_stacks[number % len(open_stacks)])
    if phase == "scores" and (match.over or edition.chooser == "stacks"):
        return Next()
    if phase in ("ready", "playoff", "scores"):
        starter = next_roller(match)
        if edition.symbols:
            assert starter is not None
            return rules.rolled(match, chance, starter)
        return Reveal(starter or match.racers[number % len(match.racers)])
    if phase == "set":
        assert match.starter is not None
        return Go(match.starter)
    if phase == "check":
        return Confirm()
    if phase == "draw":
        return rules.drawn(match, chance)
    return _racing(match, number)


def _racing(match: Match, number: int) -> Event:
    now = float(max([match.turned, *(claim.at for claim in match.claims)]) + number % 7)
    waiting = [player for player in match.racers if player not in {claim.player for claim in match.claims}]
    first = match.edition.start == "first-claim"
    if not match.glassless and match.chance == 0 and (match.claims or not first):
        return Flip(now if first else 0.0)
    if not waiting or (match.glassless and match.claims):
        return End("all", now)
    if match.tied or number % 3:
        return Claim(waiting[number % len(waiting)], now)
    if match.chance == 1 and match.edition.second_chance and not match.claims:
        return Flip(now + 1.0)
    return End("sand", now + 1.0) if match.chance else GiveUp(now + 1.0)


def anything(match: Match, number: int) -> Event:
    """An event that may or may not be legal here."""
    player, at = SEATS[number % 4], match.turned + number % 11 - 2.0
    kinds: tuple[Event, ...] = (
        Undo(),
        Withdraw(player, at),
        Claim(player, at),
        Undo(),
        Claim(player, match.ended),
        GiveUp(at),
        Roll(player, (1 + number % 7,)),
        Take(player, number % 6),
        Reveal(player),
        Go(player),
        Flip(at),
        End("all", at),
        End("sand", at),
        Confirm(),
        Draw(player, GEMS[number // 4 % 4]),
        Next(),
    )
    return kinds[number // 16 % len(kinds)]


def tried(match: Match, event: Event) -> tuple[Match, tuple[Outcome, ...]] | None:
    """The match after the event, or None if it is illegal."""
    try:
        return rules.apply(match, event)
    except Illegal:
        return None
