"""Between the match and the world: transcript objects of outcomes, what the store keeps of a match, and back again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from device.errors import UserError
from device.game import rules
from device.game.events import Card, Counted, Gave, Outcome, Ranked, Returned, Scored, TiedFirst, from_json
from device.game.gems import Gems
from device.game.match import Match, begin
from device.game.players import Player, in_seat_order
from device.table.evening import Evening, Solo
from device.table.glass import Play
from device.table.kept import check_head, check_mark, is_goal, is_names, is_text
from device.table.settings import TableSettings

if TYPE_CHECKING:
    from device.table.table import Table

_SCENE_OF_PHASE = {"set": "ready"}


def tell(t: Table, outcomes: Sequence[Outcome]) -> None:
    """Say what followed from an event."""
    for outcome in outcomes:
        match outcome:
            case Gave(player, gem, source):
                t.say("gem", player=player, gem=gem, source=source)
            case Returned(gem):
                t.say("returned", gem=gem)
            case Counted(sapphires, ambers):
                t.say("track", sapphires=sapphires, ambers=ambers)
            case Card(player, stack, "given", to):
                t.say("card", player=player, stack=stack, given=to)
            case Card(player, stack, fate):
                t.say("card", player=player, stack=stack, **{fate: True})
            case Scored(number, scores):
                t.say("scored", round=number, scores=dict(scores))
            case TiedFirst(players):
                t.say("playoff", players=list(players))
            case Ranked(scores, ranking):
                t.say("final", scores=dict(scores), ranking=[list(group) for group in ranking])


def scene_of(match: Match) -> str:
    """The scene that shows this phase of a match."""
    if match.tied and match.phase in ("race", "playoff"):
        return "playoff"
    return _SCENE_OF_PHASE.get(match.phase, match.phase)


def match_head(settings: TableSettings, match: Match, glass: float | None) -> dict[str, Any]:
    """What the store keeps of a match's beginning."""
    return {
        "kind": "match",
        "edition": match.edition.id,
        "edition_name": match.edition.name,
        "start": match.edition.start,
        "symbols": list(match.edition.symbols),
        "side": match.side,
        "scoring": match.scoring,
        "cards": match.cards_rule,
        "bag": settings.bag,
        "glass": glass,
        "players": list(match.players),
        "first": match.starter,
        "names": {p: settings.names[p] for p in match.players if p in settings.names},
    }


def evening(
    settings: TableSettings,
    head: Mapping[str, Any],
    events: Sequence[Mapping[str, Any]],
    mark: Mapping[str, Any],
    when: str,
) -> Evening:
    """The evening as it was when the power went, behind the "resume" scene.

    UserError, Illegal, KeyError, TypeError or ValueError if this cannot be taken up again.
    """
    check_head(head)
    check_mark(mark)
    play = Play(float(mark.get("played", 0.0)))
    players = tuple(Player(p) for p in head["players"])
    base = Evening(overlay="resume", joined=players, head=head, when=when, play=play, signalled=play.before, ready=True)
    if head["kind"] == "alone":
        solo = Solo(
            players[0],
            "running" if mark.get("running") else "ready",
            kind=head["goal"]["kind"],
            number=head["goal"]["number"],
            marks=tuple((str(kind), float(at)) for kind, at in mark.get("marks", ())),
        )
        return base.at("alone", solo=solo)
    if head["edition"] not in settings.editions:
        raise UserError(f"its edition {head['edition']} is not here any more")
    edition = settings.editions[head["edition"]].variant(head["start"], tuple(head["symbols"]))
    first = None if head["first"] is None else Player(head["first"])
    match = begin(edition, players, first, head["side"], head["scoring"], head["cards"])
    for event in events:
        match, _ = rules.apply(match, from_json(event))
    glass = None if head["glass"] is None else int(head["glass"])
    # The die had not come to rest, or nobody had begun to play: it stands as soon as play goes on.
    stands = 0.0 if match.phase == "race" and not match.chance and not play.before else None
    return base.at(scene_of(match), match=match, bag=head["bag"], glass=glass, stands=stands)


def result(head: Mapping[str, Any], match: Match, unfinished: bool = False) -> dict[str, Any]:
    """The outcome of a match for the history: see saves.Finish."""
    raced = len(match.solves) and max(solve.round for solve in match.solves)
    rounds = match.round if match.phase in ("scores", "playoff", "final") or match.tied else match.round - 1
    rounds = max(rounds, raced)
    return {
        "kind": "match",
        "unfinished": unfinished,
        "edition": match.edition.id,
        "edition_name": match.edition.name,
        "side": match.side,
        "scoring": match.scoring,
        "players": list(match.players),
        "names": dict(head.get("names", {})),
        "unit": match.edition.unit,
        "scores": dict(match.scores),
        "ranking": [list(group) for group in match.ranking],
        "rounds": rounds,
        "gems": {p: hand.as_dict() for p, hand in match.hands.items()} if len(match.edition.bag) else {},
        "solves": [
            {"player": s.player, "round": s.round, "place": s.place, "seconds": s.seconds} for s in match.solves
        ],
        "races": dict.fromkeys(match.players, rounds),
        "wins": [] if unfinished else list(match.ranking[0]),
    }


def unfinished(head: Mapping[str, Any]) -> dict[str, Any]:
    """The outcome of something cut off that cannot be taken up again: all that is known is how it began."""
    told = head.get("players")
    players = [str(p) for p in in_seat_order(p for p in Player if isinstance(told, list) and p in told)]
    goal, names = head.get("goal"), head.get("names")

    def text(key: str) -> str:
        value = head.get(key)
        return value if isinstance(value, str) and is_text(value) else ""

    return {
        "kind": "alone" if head.get("kind") == "alone" else "match",
        "unfinished": True,
        "edition": text("edition"),
        "edition_name": text("edition_name"),
        "side": text("side"),
        "scoring": text("scoring"),
        "players": players,
        "names": names if is_names(names) else {},
        "unit": "points",
        "scores": dict.fromkeys(players, 0),
        "ranking": [],
        "rounds": 0,
        "gems": {},
        "solves": [],
        "races": {},
        "wins": [],
        "goal": goal if is_goal(goal) else {"kind": "tasks", "number": 0},
        "solved": 0,
        "aside": 0,
        "seconds": 0.0,
        "record": False,
    }


def solo_result(head: Mapping[str, Any], solo: Solo, unfinished: bool) -> dict[str, Any]:
    """The outcome of playing alone for the history."""
    solved = solo.count("solved")
    return {
        "kind": "alone",
        "unfinished": unfinished,
        "edition": head["edition"],
        "edition_name": head["edition_name"],
        "side": head["side"],
        "scoring": "alone",
        "players": [solo.player],
        "names": dict(head.get("names", {})),
        "unit": "tasks",
        "scores": {solo.player: solved},
        "ranking": [[solo.player]],
        "rounds": solved,
        "gems": {},
        "solves": [],
        "races": {},
        "wins": [],
        "goal": {"kind": solo.kind, "number": solo.number},
        "solved": solved,
        "aside": solo.count("aside"),
        "seconds": round(solo.seconds, 3),
        "record": solo.record,
    }


def counted(hands: Mapping[Player, Gems], names: Mapping[Player, str]) -> dict[str, Any]:
    """The outcome of counting only, for the history."""
    from device.game.match import ranked

    players = in_seat_order(hands)
    ranking = ranked({p: hands[p].points for p in players})
    return {
        "kind": "counted",
        "unfinished": False,
        "edition": "",
        "edition_name": "",
        "side": "",
        "scoring": "counted",
        "players": list(players),
        "names": {p: names[p] for p in players if p in names},
        "unit": "points",
        "scores": {p: hands[p].points for p in players},
        "ranking": [list(group) for group in ranking],
        "rounds": 0,
        "gems": {p: hands[p].as_dict() for p in players},
        "solves": [],
        "races": {},
        "wins": list(ranking[0]),
    }
