"""The scenes in which time runs: race, playoff, alone, paused. Big picture, big time, the sand between them."""

from __future__ import annotations

from collections.abc import Sequence

from device.game.players import Player
from device.screen import tokens
from device.screen.glass import hourglass, lying
from device.screen.page import HEIGHT, WIDTH, Page
from device.screen.texts import clock
from device.screen.type import font
from device.table.scenes import Alone, Glass, Paused, Placed, Playoff, Race

_GLASS_X = 43
_RIGHT = 69
_TRACK_Y = 55


def _sand(page: Page, x: int, glass: Glass, falls: bool) -> None:
    # Ten steps of a falling grain a second, whatever the glass's length.
    grains = int(glass.ran * glass.total * 10) if falls else None
    page.put(x, 0, hourglass(glass.ran, grains))


def _time(page: Page, left: int, right: int, text: str, turned: bool = False) -> None:
    """The big figures in the middle of these columns; white on black, or the other way round."""
    if turned:
        page.pill(left, 0, right - left, 29)
    top = 1
    chosen = "digits" if font("digits").width(text) <= right - left - 2 else "clock"
    if chosen == "clock":
        top = 3
    page.text((left + right) // 2, top, text, chosen, "^", right - left, lit=not turned)


def _claims(page: Page, x: int, y: int, pitch: int, places: Sequence[Placed], out: Sequence[Player]) -> None:
    """Who solved it and in what time, in order; then whose own time is over."""
    for row, placed in enumerate(places):
        top = y + row * pitch
        taken = 0
        if placed.seconds is not None:
            taken = page.text(WIDTH, top, page.words.seconds(placed.seconds), "small narrow", ">")
        page.put_name(x, top, placed.player, WIDTH - x - taken - 2)
    for row, player in enumerate(out, len(places)):
        page.put_name(x, y + row * pitch, player, WIDTH - x - 10)
        page.icon(WIDTH - 7, y + row * pitch, "run-out")


def _round(page: Page, x: int, y: int, number: int, rounds: int | None, align: str = "<") -> None:
    text = f"{number}/{rounds}" if rounds else str(number)
    page.text(x, y, page.words.say("round.short", number=text), "small narrow", align)


def race(page: Page, scene: Race) -> None:
    """Symbol, glass and time side by side; who solved it under the time, the track under the symbol."""
    if scene.symbol is None:
        _race_of_cards(page, scene)
        return
    second = scene.chance == 2
    if scene.tumbling:
        tokens.tumbling(page, 4, 0, scene.symbol)
    else:
        tokens.symbol(page, 4, 0, scene.symbol)
        if scene.line is not None:
            tokens.line_hint(page, 0, 0, scene.line)
    if second:
        page.pill(0, 41, 42, 11)
        page.text(21, 43, page.words["race.second"], "small narrow", "^", 40, lit=False)
    elif not scene.tumbling and tokens.has_picture(scene.symbol):
        page.text(22, 43, page.words.known("symbols", scene.symbol), "small narrow", "^", 41)
    left = _RIGHT
    if scene.glass is not None:
        _sand(page, _GLASS_X, scene.glass, falls=not scene.tumbling)
        _time(page, _RIGHT, WIDTH, str(scene.glass.left), second)
    else:
        left = 46
        if not scene.tumbling:
            _time(page, left, WIDTH, clock(scene.elapsed))
    page.corner = (0, 0) if scene.glass is None else (_GLASS_X - 1, 22)
    if scene.track is not None:
        tokens.track(page, 0, _TRACK_Y, scene.track)
    else:
        _round(page, 0, 56, scene.round, scene.rounds)
    if scene.places or scene.out:
        top, pitch = (31, 8) if second else (30, 9)
        rows = len(scene.places) + len(scene.out)
        _claims(page, left, top - (rows > 3 and not second), pitch, scene.places, scene.out)
    elif not scene.tumbling:
        page.text((left + WIDTH) // 2, 37, page.words["race.solved"], "medium small narrow", "^", WIDTH - left)
        page.text((left + WIDTH) // 2, 50, page.words["race.press"], "medium small narrow", "^", WIDTH - left)


def _race_of_cards(page: Page, scene: Race) -> None:
    """No die: the time at the left, the track at the right, and the players with their levels get more room."""
    left = 0
    if scene.glass is not None:
        _sand(page, 0, scene.glass, falls=True)
        left = 27
        _time(page, left, 72, str(scene.glass.left), scene.chance == 2)
    else:
        _time(page, 0, 64, clock(scene.elapsed))
    if scene.track is not None:
        tokens.track(page, WIDTH - tokens.track_width(6), 0, scene.track, 6)
        _round(page, WIDTH, 15, scene.round, scene.rounds, ">")
    else:
        _round(page, WIDTH, 2, scene.round, scene.rounds, ">")
    page.corner = (WIDTH - 9, 13) if scene.track is None else (75, 14)
    placed = {claim.player: claim for claim in scene.places}
    waiting = [p for p in scene.players if p not in placed and (scene.levels or p in scene.out)]
    rows = [*placed, *waiting]
    if not rows or (not scene.levels and not placed):
        page.paragraph(left, 36, WIDTH - left, page.words["race.first"], 2)
        return
    pitch, fonts = (9, "small narrow") if len(rows) > 3 else (11, "medium small narrow")
    top = 65 - pitch * len(rows) if len(rows) > 3 else 33
    for row, player in enumerate(rows):
        y = top - 1 + row * pitch
        if player in placed:
            seconds = placed[player].seconds
            said = "" if seconds is None else page.words.seconds(seconds)
            fonts_right = fonts
        else:
            said, fonts_right = tokens.level(page, scene.levels.get(player, "")), "small narrow"
        taken = page.text(WIDTH, y + (fonts != fonts_right), said, fonts_right, ">", WIDTH - left - 46)
        if player in scene.out and player not in placed:
            page.icon(WIDTH - taken - 9, y, "run-out")
            taken += 10
        page.put_name(left, y, player, WIDTH - left - taken - 3, fonts)


def playoff(page: Page, scene: Playoff) -> None:
    """The tied, one task, no glass."""
    page.text(0, 1, page.words["playoff.title"], "medium small", "<", WIDTH - 10)
    if scene.symbol is not None:
        tokens.symbol(page, 2, 16, scene.symbol) if not scene.tumbling else tokens.tumbling(page, 2, 16, scene.symbol)
        if tokens.has_picture(scene.symbol) and not scene.tumbling:
            page.text(21, 56, page.words.known("symbols", scene.symbol), "small narrow", "^", 42)
    elif not scene.rolling:
        page.icon(4, 18, "cup")
    else:
        page.icon(4, 18, "die")
    for row, player in enumerate(scene.players):
        page.put_name(50, 16 + row * 9, player, WIDTH - 50)
    below = 56
    if scene.rolling:
        action = page.words.say(f"actions.{scene.action}")
        page.text(50, below, action, "small narrow", "<", 30)
        page.put_name(WIDTH, below, scene.roller, 40, "narrow", ">")
    elif not scene.tumbling:
        page.text(89, below, page.words["playoff.first"], "small narrow", "^", 78)


def alone(page: Page, scene: Alone) -> None:
    """The clock, the tasks solved and set aside, and how it goes against the best."""
    words = page.words
    goal = words.say(f"goals.{scene.goal.kind}", number=scene.goal.number)
    page.text(0, 1, goal, "medium small", "<", WIDTH - 10)
    if scene.stage == "done":
        _alone_done(page, scene)
        return
    total = scene.goal.number * 60
    if scene.goal.kind == "minutes":
        ran = 1 - scene.seconds / total
        page.put(0, 11, hourglass(ran, None if scene.stage == "ready" else total - scene.seconds))
    else:
        page.icon(4, 18, "cup")
    page.text(44 if scene.goal.kind == "tasks" else 28, 16, clock(scene.seconds), "digits clock", "<", 80)
    page.text(28, 45, words.say("alone.solved", number=scene.solved), "small narrow", "<", 48)
    page.text(WIDTH, 45, words.say("alone.aside", number=scene.aside), "small narrow", ">", 48)
    page.hint(words[f"alone.{scene.stage}"])


def _alone_done(page: Page, scene: Alone) -> None:
    pass


def paused(page: Page, scene: Paused) -> None:
    """The glass lies on its side."""
    page.put(2, 18, lying())
    page.text(0, 2, page.words["paused.title"], "medium", "<", 80)
    _round(page, WIDTH - 11, 3, scene.round, scene.rounds, ">")
    if scene.left is not None:
        _time(page, 60, WIDTH, str(scene.left))
    page.hint(page.words["paused.hint"], HEIGHT - 8)
