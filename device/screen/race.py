"""The scenes in which time runs: race, playoff, alone, paused. Big picture, big time, the sand between them."""

from __future__ import annotations

from collections.abc import Sequence

from device.game.players import Player
from device.screen import tokens
from device.screen.evening import put_turn
from device.screen.glass import hourglass, lying
from device.screen.page import BOTTOM, WIDTH, Page
from device.screen.texts import clock
from device.screen.type import font
from device.table.scenes import Alone, Glass, Paused, Placed, Playoff, Race

_GLASS_X = 43
_RIGHT = 70
_TRACK_Y = 55


def _sand(page: Page, x: int, glass: Glass, falls: bool) -> None:
    # Ten steps of a falling grain a second, whatever the glass's length.
    grains = int(glass.ran * glass.total * 10) if falls else None
    page.put(x, 0, hourglass(glass.ran, grains))


def _time(
    page: Page, left: int, right: int, text: str, turned: bool = False, crowded: bool = False, top: int = 0
) -> None:
    """The big figures in the middle of these columns; white on black or `turned` the other way round.

    `crowded`: the list below needs room for a fourth row.
    """
    if turned:
        page.pill(left, 0, right - left, 25 if crowded else 28)
    chosen = "digits" if font("digits").width(text) <= right - left - 2 and not crowded else "clock"
    if chosen == "clock":
        top += 0 if crowded else 2
    top += int(turned)
    page.text((left + right) // 2, top, text, chosen, "^", right - left, lit=not turned)


def _claims(page: Page, x: int, y: int, pitch: int, places: Sequence[Placed], out: Sequence[Player]) -> None:
    """Who solved it and in what time, in order; then whose own time is over."""
    for row, placed in enumerate(places):
        top = y + row * pitch
        taken = 0
        if placed.seconds is not None:
            taken = page.text(WIDTH, top, page.words.seconds(placed.seconds), "small narrow", ">")
        # Without a glass there is room, and no time to tell.
        fonts = "small narrow" if x == _RIGHT or len(places) > 2 else "medium small narrow"
        page.put_name(x, top, placed.player, WIDTH - x - taken - 2, fonts)
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
    rows = len(scene.places) + len(scene.out)
    if scene.glass is not None:
        _sand(page, _GLASS_X, scene.glass, falls=not scene.tumbling)
        _time(page, _RIGHT, WIDTH, str(scene.glass.left), second, second and rows > 3)
    else:
        left = 46
        if not scene.tumbling:
            _time(page, left, WIDTH, clock(scene.elapsed))
    page.corner = (62, 56)
    if scene.tumbling:
        page.corner = (WIDTH - 7, 40)
    elif scene.glass is None:
        page.corner = (34, 42)
    if scene.track is not None:
        tokens.track(page, 0, _TRACK_Y, scene.track)
    else:
        _round(page, 0, BOTTOM, scene.round, scene.rounds)
    if scene.track is not None or rows > 2:
        left = _RIGHT
    if rows:
        top, pitch = (33, 10) if rows <= 3 else (28, 9)
        _claims(page, left, top, pitch, scene.places, scene.out)
    elif not scene.tumbling:
        _ask(page, left)


def _ask(page: Page, left: int) -> None:
    """What to do when solved, in large letters, while nobody has."""
    for y, key in ((36, "race.solved"), (49, "race.press")):
        page.text((left + WIDTH) // 2, y, page.words[key], "medium small narrow", "^", WIDTH - left)


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
    page.corner = (66, 0) if scene.glass is None else (8, 56)
    placed = {claim.player: claim for claim in scene.places}
    waiting = [p for p in scene.players if p not in placed and (scene.levels or p in scene.out)]
    rows = [*placed, *waiting]
    if not rows or (not scene.levels and not placed):
        if scene.glass is None:
            page.paragraph(left, 36, WIDTH - left, page.words["race.first"], 2)
        else:
            _ask(page, left)
        return
    pitch, fonts = (9, "small narrow") if len(rows) > 3 else (12, "medium small narrow")
    top = 65 - pitch * len(rows) if len(rows) > 3 else 31
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
    words = page.words
    page.text(0, 2, words["playoff.title"], "medium small", "<", WIDTH - 12)
    y = 15
    if scene.symbol is None:
        page.icon(2, y, "die" if scene.rolling and scene.action == "roll" else "cup")
    elif scene.tumbling:
        tokens.tumbling(page, 4, y, scene.symbol)
    else:
        tokens.symbol(page, 4, y, scene.symbol)
        if scene.line is not None:
            tokens.line_hint(page, 0, y, scene.line)
        if tokens.has_picture(scene.symbol):
            page.text(22, BOTTOM, words.known("symbols", scene.symbol), "small narrow", "^", 44)
    crowded = len(scene.players) > 2
    for row, player in enumerate(scene.players):
        top = y + 1 + row * 9 if crowded else y + 4 + row * 14
        page.put_name(50, top, player, WIDTH - 50, "small narrow" if crowded else "medium small narrow")
    if scene.rolling:
        deed = words[f"actions.{scene.action}"]
        put_turn(page, BOTTOM, scene.roller, deed, WIDTH, 46)
    elif not scene.tumbling:
        page.text(WIDTH, BOTTOM, words["playoff.first"], "small narrow", ">", 80)


def alone(page: Page, scene: Alone) -> None:
    """The clock, the tasks solved and set aside, and how it goes against the best."""
    words = page.words
    done = scene.stage == "done"
    in_time = scene.goal.kind == "minutes"
    if in_time:
        total = scene.goal.number * 60
        ran = 1.0 if done else 1 - scene.seconds / total
        page.put(0, 0, hourglass(ran, total - scene.seconds if scene.stage == "running" else None))
    else:
        _tasks(page, scene.goal.number, scene.solved)
    goal = words.say(f"goals.{scene.goal.kind}", number=scene.goal.number)
    if done:
        title = words["alone.record" if scene.record else "alone.done"]
        if scene.record:
            page.icon(28, 4, "star")
        page.text(38 if scene.record else 28, 3, title, "medium small narrow", "<", 78 if scene.record else 88)
    else:
        page.text(28, 3, goal, "medium small narrow", "<", 88)
    if done and in_time:
        wide = page.text(28, 15, str(scene.solved), "digits clock", "<", 55)
        page.text(32 + wide, 34, words["alone.tasks"], "small narrow", "<", WIDTH - wide - 32)
    else:
        page.text(28, 15, clock(scene.seconds), "digits clock", "<", WIDTH - 28)
    x = 28
    for icon, number in (("choose", scene.solved), ("close", scene.aside)):
        if done and in_time and icon == "choose":
            continue
        page.icon(x, 44, icon)
        x += 9 + page.text(x + 9, 44, str(number), "small") + 6
    page.text(WIDTH, 44, _against(page, scene), "small narrow", ">", WIDTH - x - 2)
    page.hint(words["alone.again" if done else f"alone.{scene.stage}"])


def _against(page: Page, scene: Alone) -> str:
    """How it goes against the best: tasks ahead or behind while it runs, else the best itself."""
    words = page.words
    if scene.stage == "running" and scene.pace is not None:
        tasks = f"{abs(scene.pace):.1f}".replace(".", words.decimal)
        if not round(scene.pace, 1):
            return words["alone.even"]
        return words.say("alone.ahead" if scene.pace > 0 else "alone.behind", tasks=tasks)
    return words.say("alone.best", best=scene.best) if scene.best else ""


def _tasks(page: Page, number: int, solved: int) -> None:
    """A field for every task to solve, filled as they are solved, from the bottom; where a glass would stand."""
    columns = max(number // 5, 1)
    width = 24 // columns
    for task in range(number):
        row, column = divmod(task, columns)
        x, y = column * width, 43 - row * 10
        if task < solved:
            page.pill(x, y, width - 1, 9)
        else:
            page.frame(x, y, width - 1, 9)


def paused(page: Page, scene: Paused) -> None:
    """The glass lies on its side."""
    page.text(0, 3, page.words["paused.title"], "medium", "<", 60)
    _round(page, WIDTH - 12, 4, scene.round, scene.rounds, ">")
    if scene.left is not None:
        page.put(4, 23, lying())
        _time(page, 64, WIDTH, str(scene.left), top=21)
    else:
        page.put((WIDTH - 53) // 2, 23, lying())
    page.hint(page.words["paused.hint"])
