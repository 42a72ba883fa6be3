"""The rules: match x event -> match and what follows. An illegal event raises Illegal and changes nothing.

No clock, no buttons, no editions by name. Chance is only asked by `rolled` and `drawn`, which make the events.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from device.game import rewards
from device.game.chance import Chance
from device.game.events import (
    Claim,
    Confirm,
    Draw,
    End,
    Event,
    Flip,
    GiveUp,
    Go,
    Illegal,
    Next,
    Ranked,
    Reveal,
    Roll,
    Take,
    TiedFirst,
    Undo,
    Withdraw,
)
from device.game.match import STACKS, Match, Result, Solve
from device.game.players import Player, from_seat, left_of


def apply(match: Match, event: Event) -> Result:
    """The match after the event, and what followed. Raises Illegal, and then nothing has changed."""
    if isinstance(event, Undo):
        return undo(match), ()
    rewound = _heard_late(match, event)
    if rewound is not None:
        return rewound
    after, outcomes = _RULES[type(event)](match, event)
    if event.decision:
        # A roll that begins a round belongs to that round, though the state before it is the scores of the last.
        rounds = (*(before.round for _, _, before in match.past[1:]), match.round)
        past = tuple(one for one, into in zip(match.past, rounds, strict=False) if into >= after.round - 1)
        after = replace(
            after, past=(*past, (event.decision, getattr(event, "at", None), replace(match, past=(), rewind=None)))
        )
    if after.rewind is match.rewind:
        after = replace(after, rewind=None)
    return after, outcomes


def undo(match: Match) -> Match:
    """The state before the last decision; what chance has given since is remembered and given again."""
    if not match.past:
        raise Illegal("nothing to take back")
    return replace(match.past[-1][2], memo=match.memo, past=match.past[:-1])


def last_decision(match: Match) -> str:
    """What undo would take back: "claim", "draw", …, or ""."""
    return match.past[-1][0] if match.past else ""


def rolled(match: Match, chance: Chance, player: Player) -> Roll:
    """The roll that chance gives this player now: after an undo the same as before. Illegal without die or chips."""
    faces = len(match.edition.symbols)
    _need(bool(faces), "there is nothing to roll in this edition")
    count = len(match.players) if match.edition.chooser == "chips" and match.phase != "playoff" else 1
    lines = match.memo.get(_roll_key(match))
    if lines is None:
        left = list(range(1, faces + 1))
        lines = tuple(left.pop(chance.below(len(left))) for _ in range(count))
    return Roll(player, lines)


def drawn(match: Match, chance: Chance) -> Draw:
    """The gem that chance draws from the bag for the next player: after an undo the same as before."""
    if match.phase != "draw":
        raise Illegal("no gem is to be drawn now")
    gem = match.memo.get(_draw_key(match))
    if gem is None or not match.bag[gem]:
        gem = list(match.bag)[chance.below(len(match.bag))]
    return Draw(match.to_draw[0], gem)


def _roll_key(match: Match) -> tuple[Any, ...]:
    return ("playoff",) if match.phase == "playoff" else ("roll", match.round + (match.phase == "scores"))


def _draw_key(match: Match) -> tuple[Any, ...]:
    return ("draw", match.round, sum(source != "track" for _, _, source in match.given))


def _need(good: bool, why: str) -> None:
    if not good:
        raise Illegal(why)


def _fresh_round(match: Match) -> Match:
    """The match as its next round begins, where it stands between two rounds; else as it is."""
    if match.phase != "scores":
        return match
    _need(not match.over, "the last round has been played")
    return replace(
        match,
        phase="stacks" if match.edition.chooser == "stacks" else "ready",
        round=match.round + 1,
        starter=match.next_starter,
        lines=(),
        chance=0,
        taken={},
        claims=(),
        reason="",
        given=(),
        lost=False,
    )


def _roll(match: Match, event: Roll) -> Result:
    key, faces = _roll_key(match), len(match.edition.symbols)
    match = _fresh_round(match)
    _need(match.phase in ("ready", "playoff") and bool(faces), "there is nothing to roll now")
    _need(event.player == match.starter, "another player rolls")
    count = len(match.players) if match.edition.chooser == "chips" and match.phase != "playoff" else 1
    _need(
        len(event.lines) == count == len(set(event.lines)) and all(1 <= n <= faces for n in event.lines),
        "no such roll",
    )
    waits = match.edition.start == "ready" and match.phase != "playoff"
    memo = {**match.memo, key: event.lines}
    return replace(match, phase="set" if waits else "race", lines=event.lines, memo=memo), ()


def _take(match: Match, event: Take) -> Result:
    _need(
        match.phase == "stacks" and event.player == match.chooser,
        "it is another player's turn to take a card",
    )
    _need(event.stack in match.open_stacks(), "no card can be taken from that stack now")
    taken = {**match.taken, event.player: event.stack}
    left = tuple(count - (n == event.stack) for n, count in zip(STACKS, match.stacks, strict=True))
    return replace(match, taken=taken, stacks=left, phase="stacks" if len(taken) < len(match.players) else "ready"), ()


def _reveal(match: Match, event: Reveal) -> Result:
    match = _fresh_round(match)
    _need(match.phase in ("ready", "playoff") and not match.edition.symbols, "nothing is to be revealed now")
    _need(event.player in match.racers and match.starter in (None, event.player), "another player begins")
    return replace(match, phase="race"), ()


def _go(match: Match, event: Go) -> Result:
    _need(match.phase == "set" and event.player == match.starter, "the glass is not to be turned now")
    return replace(match, phase="race"), ()


def _flip(match: Match, event: Flip) -> Result:
    _need(match.phase == "race" and not match.glassless, "there is no glass to turn now")
    if match.chance > 0:
        again = match.chance == 1 and match.edition.second_chance and not match.claims
        _need(again, "the glass is not turned again")
        return replace(match, chance=2, turned=event.at, ended=event.at, rewind=match), ()
    _need(bool(match.claims) or match.edition.start != "first-claim", "not before the first claim")
    return replace(match, chance=1, turned=event.at), ()


def _claim(match: Match, event: Claim) -> Result:
    started = match.chance > 0 or match.glassless or match.edition.start == "first-claim"
    _need(match.phase == "race" and started, "there is nothing to claim now")
    _need(event.player in match.racers, "does not play this round")
    _need(event.player not in {claim.player for claim in match.claims}, "has claimed already")
    seats = from_seat(match.players, match.starter or match.players[0])
    claims = sorted((*match.claims, event), key=lambda claim: (claim.at, seats.index(claim.player)))
    return replace(match, claims=tuple(claims)), ()


def _withdraw(match: Match, event: Withdraw) -> Result:
    _need(match.phase in ("race", "check"), "there is no claim to withdraw now")
    claims = tuple(claim for claim in match.claims if claim.player != event.player)
    _need(len(claims) < len(match.claims), "has claimed nothing")
    phase = "race" if match.glassless and not claims else match.phase
    stops = match.phase == "race" and match.edition.start == "first-claim" and not claims
    return replace(match, claims=claims, phase=phase, chance=0 if stops else match.chance), ()


def _end(match: Match, event: End) -> Result:
    _need(match.phase == "race", "no race is on")
    if event.reason == "all":
        _need(bool(match.claims), "nobody has claimed")
    else:
        _need(event.reason == "sand" and match.chance > 0, "no sand is running")
        again = match.edition.second_chance and match.chance == 1
        _need(bool(match.claims) or not again, "nobody solved it yet: the glass is turned once more")
    return _over(match, event.reason, event.at)


def _give_up(match: Match, event: GiveUp) -> Result:
    _need(match.phase == "race" and not match.tied, "there is no round to give up")
    return _over(match, "given-up", event.at)


def _over(match: Match, reason: str, at: float) -> Result:
    ended = replace(match, phase="check", reason=reason, ended=at, rewind=match if reason == "sand" else None)
    return (ended, ()) if match.claims else rewards.lost(ended)


def _heard_late(match: Match, event: Event) -> Result | None:
    """A claim from before the sand ran out that is heard of afterwards: as if it had been heard in time."""
    if not isinstance(event, Claim) or match.rewind is None or event.at > match.ended:
        return None
    after, _ = apply(match.rewind, event)
    # A claim from the first glass, heard after the second one ran out, has ended the first one itself.
    return (after, ()) if after.phase == "check" else apply(after, End("sand", match.ended))


def _confirm(match: Match, event: Confirm) -> Result:
    del event
    _need(match.phase == "check", "there is nothing to check")
    if not match.claims:
        return rewards.lost(match)
    if match.tied:
        return _final(replace(match, winner=match.claims[0].player))
    solves = tuple(
        Solve(claim.player, match.round, place, round(claim.at, 3)) for place, claim in enumerate(match.claims, 1)
    )
    return rewards.give(replace(match, solves=match.solves + solves))


def _draw(match: Match, event: Draw) -> Result:
    _need(match.phase == "draw" and event.player == match.to_draw[0], "no gem is to be drawn by this player now")
    _need(match.bag[event.gem] > 0, "there is none of that colour left")
    memo = {**match.memo, _draw_key(match): event.gem}
    return rewards.draw(replace(match, memo=memo), event)


def _next(match: Match, event: Next) -> Result:
    del event
    if match.phase == "scores" and match.over:
        first = match.ranking[0]
        if len(first) == 1 or match.edition.ties != "playoff":
            return _final(match)
        roller = None if match.starter is None else left_of(first, match.starter)
        tied = replace(
            match,
            phase="playoff",
            tied=first,
            starter=roller,
            lines=(),
            taken={},
            chance=0,
            claims=(),
            given=(),
            reason="",
        )
        return tied, (TiedFirst(first),)
    _need(
        match.phase == "scores" and match.edition.chooser == "stacks",
        "a roll or a card begins the next round",
    )
    return _fresh_round(match), ()


def _final(match: Match) -> Result:
    over = replace(match, phase="final")
    return over, (Ranked(over.scores, over.ranking),)


_RULES: Mapping[type[Event], Callable[[Match, Any], Result]] = {
    Roll: _roll,
    Take: _take,
    Reveal: _reveal,
    Go: _go,
    Flip: _flip,
    Claim: _claim,
    Withdraw: _withdraw,
    End: _end,
    GiveUp: _give_up,
    Confirm: _confirm,
    Draw: _draw,
    Next: _next,
}
