"""One show for every scene and every state of it worth looking at: for golden pictures and the contact sheet."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from device.game.gems import Gem, Gems, Track
from device.game.players import SEATS, Player
from device.screen.lists import pages
from device.table.scenes import (
    Alone,
    AloneGoal,
    Asleep,
    Check,
    Count,
    Draw,
    Final,
    Glass,
    Goal,
    History,
    Item,
    Lobby,
    Menu,
    Paused,
    Placed,
    Playoff,
    Race,
    Ready,
    Resume,
    Row,
    Rules,
    Scene,
    Scores,
    Settings,
    Show,
    Stacks,
    Standing,
    TooLate,
    Youngest,
)

RED, BLUE, GREEN, YELLOW = SEATS
NAMES: Mapping[Player, str] = MappingProxyType({RED: "Anna", BLUE: "Björn", GREEN: "Chloé", YELLOW: "Maximilian"})

_GOALS = tuple(Goal(kind, number) for kind in ("minutes", "tasks") for number in (5, 10, 20))
_MENU = ("continue", "undo", "give-up", "rules", "end", "count", "settings", "power")
_SETTINGS = (
    Row("edition", "Extreme Fun-Size", "next"),
    Row("side", "A", "next"),
    Row("scoring", "no-luck", "next"),
    Row("bag", "cloth"),
    Row("glass_seconds", "60"),
    Row("sound", "true"),
    Row("brightness", "200"),
    Row("language", "fr"),
    Row("cards", "first-only", "next"),
    Row("handicap.red", "10"),
    Row("levels.yellow", "orange", "next"),
)


def race(
    ran: float = 0.35,
    places: tuple[Placed, ...] = (),
    *,
    symbol: str | None = "elephant",
    line: int | None = 5,
    tumbling: bool = False,
    chance: int = 1,
    total: int = 60,
    played: int = 2,
    out: tuple[Player, ...] = (),
    players: tuple[Player, ...] = SEATS,
) -> Race:
    """A race of the classic game with so much of the sand run."""
    left = -int(-total * (1 - ran) // 1)
    track = Track(9 - played, 9 - played)
    glass = Glass(left, total, ran)
    return Race(played + 1, 9, symbol, line, tumbling, glass, 0, chance, players, places, track, out)


def _placed(*seconds: float | None) -> tuple[Placed, ...]:
    order = (BLUE, YELLOW, RED, GREEN)
    return tuple(
        Placed(player, place, time) for place, (player, time) in enumerate(zip(order, seconds, strict=False), 1)
    )


def _standings(players: int = 4, gained: bool = True) -> tuple[Standing, ...]:
    hands = (Gems(1, 1, 3, 3), Gems(2, 3, 0, 1), Gems(0, 1, 2, 1), Gems(1, 10, 0, 11))
    ranks = (2, 2, 4, 1) if players == 4 else (1, 1, 3)
    got = ((Gem.AMBER, Gem.EMERALD), (Gem.SAPPHIRE, Gem.RUBY), (), (Gem.RUBY,))
    return tuple(
        Standing(player, hand.points, hand, got[n] if gained else (), ranks[n])
        for n, (player, hand) in enumerate(zip(SEATS[:players], hands, strict=False))
    )


def _ranked(*rows: tuple[Player, int, int]) -> tuple[Standing, ...]:
    return tuple(Standing(player, points, None, (), rank) for player, points, rank in rows)


def _scenes(language: str) -> dict[str, Scene]:
    levels = {RED: "green", BLUE: "orange", GREEN: "yellow", YELLOW: "red"}
    lines_glass, counts = Glass(38, 60, 0.37), Glass(14, 20, 0.3, counts=True)
    given = ((BLUE, Gem.SAPPHIRE, "track"), (YELLOW, Gem.AMBER, "track"), (BLUE, Gem.RUBY, "bag"))
    bag, used_up = Gems(10, 9, 10, 8), Gems(4, 0, 2, 11)
    cards = _ranked((RED, 5, 1), (BLUE, 3, 2), (GREEN, 0, 4), (YELLOW, 1, 3))
    return {
        "resume": Resume("Fri 20:14", "Ubongo", 4, 9, 23, (RED, BLUE, GREEN)),
        "resume-four": Resume("", "Extreme Fun-Size", 12, None, None, SEATS),
        "lobby-empty": Lobby("Ubongo", "A", ()),
        "lobby": Lobby("Ubongo", "A", (RED, BLUE, YELLOW)),
        "lobby-no-sides": Lobby("Extreme Fun-Size", "A", SEATS, sides=False),
        "youngest": Youngest((RED, BLUE, GREEN)),
        "youngest-four": Youngest(SEATS),
        "ready": Ready(1, 9, (RED,), "roll", _standings(gained=False)[:0], Track()),
        "ready-points": Ready(4, 9, (BLUE,), "roll", _standings(gained=False), Track(6, 6)),
        "ready-go": Ready(2, 9, (GREEN,), "go", (), Track(8, 8), "4"),
        "ready-reveal": Ready(3, 9, SEATS, "reveal", (), Track(7, 7), None, levels),
        "ready-start": Ready(3, None, (YELLOW,), "start", cards),
        "stacks": Stacks(3, BLUE, (6, 5, 0, 7), {1: RED}, cards),
        "race-tumbling": race(0, symbol="gazelle", line=None, tumbling=True),
        "race-full": race(0.0, played=0, symbol="shield", line=1),
        "race": race(0.35),
        "race-half": race(0.5, _placed(12.3), symbol="snake", line=4),
        "race-three": race(0.8, _placed(12.3, 23.4, 59.9), symbol="mask", line=6),
        "race-last-seconds": race(0.95, _placed(12.3, 23.4), symbol="hand", line=2, played=8),
        "race-four": race(0.9, _placed(2.3, 23.4, 51.2, 53.0), symbol="gazelle", line=3),
        "race-second-chance": race(0.2, chance=2, symbol="gazelle", line=3),
        "race-second-four": race(0.9, _placed(2.3, 23.4, 51.2, 53.0), chance=2),
        "race-long-glass": race(0.1, _placed(12.3, 123.4), total=600),
        "race-handicap": race(0.7, _placed(12.3), out=(YELLOW, RED)),
        "race-number": race(0.4, _placed(12.3), symbol="6", line=None),
        "race-chip": race(0.4, symbol="yellow", line=None),
        "race-home-made": race(0.4, symbol="tortoise", line=2),
        "race-duel": Race(3, 9, "17", None, False, None, 754, 1, (RED, BLUE), _placed(None)),
        "race-junior-start": Race(3, 7, None, None, False, Glass(90, 90, 0.0), 0, 1, SEATS, ()),
        "race-junior": Race(3, 7, None, None, False, Glass(70, 90, 0.23), 0, 1, SEATS, _placed(12.0)),
        "race-lines-before": Race(3, 9, None, None, False, None, 42, 1, SEATS, (), Track(7, 7), (), levels),
        "race-lines": Race(
            3, 9, None, None, False, lines_glass, 64, 1, SEATS, _placed(41.9), Track(7, 7), (GREEN,), levels
        ),
        "race-cards-before": Race(12, None, None, None, False, None, 1337, 1, SEATS, ()),
        "race-counts": Race(3, None, None, None, False, counts, 31, 1, SEATS, _placed(25.0, 31.2)),
        "paused": Paused(3, 9, 27, SEATS),
        "paused-no-glass": Paused(13, None, None, SEATS),
        "check": Check("sand", _placed(12.3, 23.4), (TooLate(RED, 0.3),), False),
        "check-late": Check("sand", _placed(12.3), (TooLate(RED, 0.3), TooLate(GREEN, 12.9)), True),
        "check-all": Check("all", _placed(12.3, 23.4, 51.2, 59.9), (), True),
        "check-solved": Check("solved", _placed(12.3), (), True),
        "check-given-up": Check("given-up", (), (), True),
        "draw-cloth": Draw(YELLOW, 2, True, bag, given, (RED,)),
        "draw-cloth-used-up": Draw(RED, 3, True, used_up, given),
        "draw-box": Draw(BLUE, 1, False, bag, given[:2], (YELLOW,), 2),
        "scores": Scores(3, 9, _standings(), (BLUE,), "roll", track=Track(6, 6)),
        "scores-two": Scores(1, 9, _standings(2), (BLUE,), "roll", track=Track(8, 8)),
        "scores-three-lost": Scores(2, 9, _standings(3, gained=False), (GREEN,), "roll", track=Track(7, 7), lost=True),
        "scores-lost-late": Scores(
            2, 9, _standings(3, gained=False), (GREEN,), "roll", track=Track(7, 7), lost=True, late=(TooLate(RED, 0.4),)
        ),
        "scores-over": Scores(9, 9, _standings(), SEATS, "next", track=Track(0, 0), over=True),
        "scores-cards": Scores(4, None, cards, SEATS, "next", "cards"),
        "scores-cards-lost": Scores(5, None, cards[:2], SEATS, "next", "cards", lost=True),
        "scores-wins": Scores(4, 9, _ranked((RED, 3, 1), (BLUE, 1, 2)), (BLUE,), "roll", "wins"),
        "playoff-roll": Playoff((RED, YELLOW), YELLOW, True),
        "playoff": Playoff((RED, BLUE, GREEN, YELLOW), RED, False, symbol="hand", line=2),
        "playoff-card": Playoff((RED, BLUE), RED, False, action="reveal"),
        "final": Final(
            "Ubongo", _ranked((YELLOW, 34, 1), (RED, 31, 2), (BLUE, 31, 2), (GREEN, 18, 4)), records=(YELLOW, RED)
        ),
        "final-two": Final("Ubongo", _ranked((BLUE, 41, 1), (RED, 38, 2)), playoff=True),
        "final-shared": Final(
            "Extreme Fun-Size", _ranked((RED, 4, 1), (YELLOW, 4, 1), (BLUE, 3, 3), (GREEN, 0, 4)), "cards"
        ),
        "final-all-shared": Final("Ubongo Junior", _ranked(*((player, 12, 1) for player in SEATS)), "gems"),
        "final-counted": Final("Ubongo", _ranked((GREEN, 33, 1), (RED, 16, 2)), counted=True),
        "alone-goal": AloneGoal(RED, _GOALS, 1, ("3", "", "11", "4:05", "", "")),
        "alone-ready": Alone(RED, Goal("minutes", 10), "ready", 600, 0, 0, None, "7"),
        "alone-running": Alone(RED, Goal("minutes", 10), "running", 245, 5, 1, 1.4, "7"),
        "alone-tasks": Alone(YELLOW, Goal("tasks", 20), "running", 1245, 12, 3, -0.8, "18:20"),
        "alone-done": Alone(RED, Goal("minutes", 10), "done", 0, 8, 1, None, "7", record=True),
        "alone-done-tasks": Alone(YELLOW, Goal("tasks", 20), "done", 1305, 20, 0, None, "18:20"),
        "count": Count(RED, Gems(1, 1, 3, 3), 16),
        "count-long": Count(YELLOW, Gems(10, 19, 10, 19), 136),
        "menu": Menu(tuple(Item(key, key != "undo") for key in _MENU), 0),
        "menu-disabled": Menu(tuple(Item(key, key != "undo") for key in (*_MENU, "history")), 1),
        "settings": Settings(_SETTINGS, 0),
        "settings-middle": Settings(_SETTINGS, 6),
        "settings-end": Settings(_SETTINGS, 10),
        "rules": Rules("other-tiles", 0, pages("other-tiles", language)),
        "rules-long": Rules("first-best", 0, pages("first-best", language)),
        "rules-end": Rules("first-best", 1, pages("first-best", language)),
        "history": History(
            "matches",
            "2027-03-12 Ubongo",
            (("Anna", "34"), ("Björn", "31"), ("Maximilian", "18"), ("yellow", "7")),
            0,
            12,
        ),
        "history-unfinished": History("unfinished", "2026-11-29 Ubongo Lines", (("Anna", "12"), ("Björn", "9")), 1, 12),
        "history-long": History(
            "matches", "2026-11-29 Ubongo Extreme Fun-Size", (("Anna", "4"), ("Björn", "4"), ("Chloé", "0")), 2, 12
        ),
        "history-player": History(
            "players", "Maximilian", (("matches", "31"), ("wins", "12"), ("solved", "82 %"), ("fastest", "8.3")), 3, 4
        ),
        "history-records": History(
            "records", "Ubongo A", (("minutes 20", "31 Anna"), ("tasks 5", "4:05 Björn"), ("fastest", "4.1")), 6, 7
        ),
        "asleep": Asleep(),
    }


def samples(language: str = "en", names: Mapping[Player, str] = NAMES) -> dict[str, Show]:
    """Every sample by its name, in this language."""
    shows = {name: Show(scene, language, names) for name, scene in _scenes(language).items()}
    shows["race-colours"] = Show(race(0.8, _placed(12.3, 23.4, 59.9)), language)
    for notice in ("oled", "store", "button"):
        shows[f"notice-{notice}"] = Show(_scenes(language)["lobby"], language, names, notice=notice)
    shows["race-notice"] = Show(race(0.35), language, names, notice="store")
    return shows
