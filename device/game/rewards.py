"""What a round gives, by kind of reward: gems of the track and bag, cards, wins, gem ladders, gems taken openly.

Called by the match once the places stand (or the round is lost); knows no edition by name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from device.game.events import Card, Counted, Draw, Gave, Outcome, Returned, Scored
from device.game.gems import GEMS, Gem, Track
from device.game.match import Match, Result
from device.game.players import Player

# Rules, "Track reward": what the first and the second take from the track.
_FROM_TRACK = (Gem.SAPPHIRE, Gem.AMBER)

Parts = tuple[Match, list[Outcome]]


def give(match: Match) -> Result:
    """The places stand: what comes at once is given, what must be drawn is queued."""
    after, outcomes = _GIVE[match.scoring](match)
    return (after, tuple(outcomes)) if after.phase == "draw" else _close(after, outcomes)


def lost(match: Match) -> Result:
    """Nobody solved it."""
    outcomes: list[Outcome] = [Card(p, stack, "out") for p, stack in match.taken.items()]
    return _close(replace(match, lost=True), outcomes)


def draw(match: Match, event: Draw) -> Result:
    """One gem out of the bag (or the open supply) for the next in the queue."""
    source = "supply" if match.scoring == "take" else "bag"
    after, outcomes = _hand(replace(match, bag=match.bag.plus(event.gem, -1)), event.player, event.gem, source)
    queue = match.to_draw[1:] if len(after.bag) else ()
    after = replace(after, to_draw=queue)
    return (after, tuple(outcomes)) if queue else _close(after, outcomes)


def _hand(match: Match, player: Player, gem: Gem, source: str) -> Parts:
    hands = {**match.hands, player: match.hands[player].plus(gem)}
    return replace(match, hands=hands, given=(*match.given, (player, gem, source))), [Gave(player, gem, source)]


def _without(track: Track, gem: Gem) -> Track:
    return Track(track.sapphires - (gem is Gem.SAPPHIRE), track.ambers - (gem is Gem.AMBER))


def _queue(match: Match, queue: list[Player], outcomes: list[Outcome]) -> Parts:
    queue = queue[: len(match.bag)]
    return (replace(match, phase="draw", to_draw=tuple(queue)) if queue else match), outcomes


def _track(match: Match) -> Parts:
    outcomes: list[Outcome] = []
    for gem, claim in zip(_FROM_TRACK, match.claims, strict=False):
        match, gave = _hand(replace(match, track=_without(match.track, gem)), claim.player, gem, "track")
        outcomes += gave
    return _queue(match, [claim.player for claim in match.claims], outcomes)


def _no_luck(match: Match) -> Parts:
    outcomes: list[Outcome] = []
    for gem, claim in zip(GEMS, match.claims, strict=False):
        match, gave = _hand(replace(match, bag=match.bag.plus(gem, -1)), claim.player, gem, "supply")
        outcomes += gave
    return match, outcomes


def _ladder(match: Match) -> Parts:
    steps = range(len(match.players), 0, -1)
    queue = [claim.player for claim, count in zip(match.claims, steps, strict=False) for _ in range(count)]
    return _queue(match, queue, [])


def _taken(match: Match) -> Parts:
    return _queue(match, [claim.player for claim in match.claims for _ in range(match.edition.take)], [])


def _cards(match: Match) -> Parts:
    first = match.claims[0].player
    keep = {claim.player for claim in match.claims} if match.cards_rule == "all" else {first}
    counts, outcomes = dict(match.counts), list[Outcome]()
    for player, stack in match.taken.items():
        if player in keep:
            counts[player] += 1
            outcomes.append(Card(player, stack, "kept"))
        elif match.cards_rule == "all":
            counts[first] += 1
            outcomes.append(Card(player, stack, "given", first))
        else:
            outcomes.append(Card(player, stack, "out"))
    return replace(match, counts=counts), outcomes


def _wins(match: Match) -> Parts:
    first = match.claims[0].player
    limit, mine = match.edition.two_tasks_from, match.counts[first]
    leads = all(mine > count for p, count in match.counts.items() if p != first)
    if limit is not None and mine >= limit and leads and first not in match.halves:
        return replace(match, halves=(*match.halves, first)), []
    counts = {**match.counts, first: mine + 1}
    return replace(match, counts=counts, halves=tuple(p for p in match.halves if p != first)), []


_GIVE: Mapping[str, Callable[[Match], Parts]] = {
    "track": _track,
    "no-luck": _no_luck,
    "ladder": _ladder,
    "take": _taken,
    "cards": _cards,
    "wins": _wins,
}


def _close(match: Match, outcomes: list[Outcome]) -> Result:
    """The round's end: the track loses its pair, what nobody won of it goes into the bag, totals are taken."""
    if match.edition.reward == "track":
        won = [gem for _, gem, source in match.given if source == "track"]
        left = [gem for gem in _FROM_TRACK if gem not in won]
        bag, track = match.bag, match.track
        for gem in left:
            bag, track = bag.plus(gem), _without(track, gem)
        # Without luck the pair is only the counter: it leaves play into the supply, which `bag` is then.
        if match.scoring == "track":
            outcomes = [*outcomes, *(Returned(gem) for gem in left)]
        match = replace(match, bag=bag, track=track)
        outcomes = [*outcomes, Counted(track.sapphires, track.ambers)]
    match = replace(match, phase="scores", to_draw=())
    return match, (*outcomes, Scored(match.round, match.scores))
