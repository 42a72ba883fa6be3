"""The scenes around the rounds: resume, lobby, youngest, ready, stacks. Who plays, who is next, what a press does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from device.game.players import SEATS, Player
from device.screen import tokens
from device.screen.page import BOTTOM, WIDTH, Page
from device.screen.type import font
from device.table.scenes import Lobby, Ready, Resume, Stacks, Youngest

# Where the seats lie on the page: clockwise, as at the table.
_SEAT_CELLS = {Player.RED: (0, 0), Player.BLUE: (1, 0), Player.GREEN: (1, 1), Player.YELLOW: (0, 1)}


def heading(page: Page, text: str, width: int = WIDTH - 11) -> None:
    """The top row of a scene, large if it can be; the right end is left for the corner mark."""
    chosen = next((name for name in ("medium", "small", "narrow") if font(name).width(text) <= width), "narrow")
    page.text(0, 3 if chosen == "medium" else 4, text, chosen, "<", width)


def who_and_what(page: Page, y: int, players: Sequence[Player], deed: str) -> None:
    """ "Anna: roll" in the bottom row, or "press: go on" if any of several may."""
    if len(players) == 1:
        wide = put_turn(page, y, players[0], deed, WIDTH, measure=True)
        put_turn(page, y, players[0], deed, (WIDTH + wide) // 2)
    else:
        page.hint(page.words.say("hints.any", deed=deed), y)


def put_turn(page: Page, y: int, player: Player, deed: str, right: int, left: int = 0, measure: bool = False) -> int:
    """ "Anna: roll", from `left` on, ending before `right`.

    `measure` draws nothing. Returns how many pixels wide it is.
    """
    fonts = [font(name) for name in ("small", "narrow")]
    colon = page.words.say("hints.turn", name="")
    chosen = next((one for one in fonts if one.width(deed) <= (right - left) // 2 + 6), fonts[-1])
    name, named = page.named(player, right - left - chosen.width(deed) - font("small").width(colon) - 5)
    said = page.words.say("hints.turn", name=name)
    wide = font(named).width(said) + 4 + chosen.width(deed)
    if not measure:
        page.text(right, y, deed, chosen.name, ">")
        page.text(right - wide, y, said, named)
    return wide


def crowd(page: Page, y: int, players: Sequence[Player], pitch: int = 10) -> None:
    """Up to four names in two columns, each in the middle of its half of the page."""
    if len(players) == 1:
        page.put_name(WIDTH // 2, y, players[0], WIDTH, "small", "^")
        return
    for number, player in enumerate(players):
        row, column = divmod(number, 2)
        alone = number == len(players) - 1 and column == 0
        page.put_name(WIDTH // 2 if alone else 32 + 64 * column, y + row * pitch, player, 62, "small narrow", "^")


def resume(page: Page, scene: Resume) -> None:
    """A match was cut off: which, where, and whose it was."""
    words = page.words
    heading(page, words["resume.title"])
    match = " · ".join(part for part in (scene.edition, scene.when) if part)
    page.text(0, 16, page.short(match, WIDTH), "small narrow", "<")
    number = f"{scene.round}/{scene.rounds}" if scene.rounds else str(scene.round)
    at = words.say("round.long", number=number)
    if scene.left is not None:
        at += " · " + words.say("resume.left", seconds=scene.left)
    page.text(0, 26, at, "small narrow", "<")
    crowd(page, 36, scene.players, 9)
    page.hint(words["resume.hint"])


def lobby(page: Page, scene: Lobby) -> None:
    """Four seats as at the table; who has joined is filled in."""
    room = WIDTH - 28 if scene.sides else WIDTH - 11
    heading(page, page.short(scene.edition, room), room)
    if scene.sides:
        page.pill(WIDTH - 26, 1, 15, 13)
        page.text(WIDTH - 18, 3, scene.side, "medium", "^", 13, lit=False)
    for player in SEATS:
        column, row = _SEAT_CELLS[player]
        x, y = column * 65, 16 + row * 19
        here = player in scene.joined
        if here:
            page.pill(x, y, 63, 17)
        else:
            page.rule(y + 16, x + 1, 61, 2)
        fonts = "medium small narrow" if here else "small narrow"
        _, chosen = page.named(player, 59, fonts)
        page.put_name(x + 31, y + (3 if chosen == "medium" else 5), player, 59, fonts, "^", lit=not here)
    page.hint(page.words["lobby.start" if scene.joined else "lobby.join"])


def youngest(page: Page, scene: Youngest) -> None:
    """Who is the youngest? That player presses."""
    page.line(4, page.words["youngest.title"], "medium small")
    page.line(18, page.words["youngest.press"], "medium small")
    crowd(page, 35, scene.players, 9)
    page.hint(page.words["youngest.hint"])


def ready(page: Page, scene: Ready) -> None:
    """Before a round: which, who starts it and how, what everyone has, the track."""
    words = page.words
    number = f"{scene.round}/{scene.rounds}" if scene.rounds else str(scene.round)
    heading(page, words.say("round.long", number=number))
    told = bool(scene.levels) or any(standing.points for standing in scene.standings)
    room = WIDTH
    if scene.symbol is not None:
        room -= tokens.SYMBOL + 6
        tokens.symbol(page, WIDTH - tokens.SYMBOL, 12, scene.symbol)
    elif scene.action == "roll" and not told:
        room -= tokens.SYMBOL + 6
        page.icon(WIDTH - tokens.SYMBOL, 12, "die")
    deed = words[f"actions.{scene.action}"]
    if len(scene.waits_for) != 1:
        page.text(0, 19 if told else 27, words.say("hints.any", deed=deed), "small narrow", "<", room)
    elif told:
        taken = page.text(room, 20, words.say("hints.press", deed=deed), "small narrow", ">", room - 44)
        page.put_name(0, 19, scene.waits_for[0], room - taken - 5, "medium small narrow")
    else:
        page.put_name(0, 21, scene.waits_for[0], room, "medium small narrow")
        page.text(0, 36, words.say("hints.press", deed=deed), "small narrow", "<", room)
    if scene.levels:
        _pairs(page, {player: tokens.level(page, scene.levels[player]) for player in scene.levels})
    elif told and room == WIDTH:
        _pairs(page, {standing.player: str(standing.points) for standing in scene.standings})
    if scene.track is not None:
        tokens.track(page, 0, 55, scene.track)


def _pairs(page: Page, told: Mapping[Player, str]) -> None:
    """Names and what is told of them, in two columns."""
    for number, player in enumerate(tokens.seat_order(told)):
        x, y = 68 * (number % 2), 34 + 10 * (number // 2)
        taken = page.text(x + 60, y, told[player], "narrow", ">", 30)
        page.put_name(x, y, player, 60 - taken - 3)


def stacks(page: Page, scene: Stacks) -> None:
    """Four stacks by their button's colour; what is left of each, and who took a card from it in this round."""
    heading(page, page.words.say("stacks.title", name=page.name(scene.chooser)))
    for number in range(4):
        x = number * 32
        colour = page.words[f"colours.{SEATS[number]}"]
        taker = scene.taken.get(number + 1)
        left = scene.left[number]
        page.text(x + 15, 18, colour, "small narrow", "^", 31)
        if taker is None and left:
            for behind in range(min(left - 1, 2), -1, -1):
                page.frame(x + 5 + 2 * behind, 32 - 2 * behind, 19, 21)
            page.text(x + 15, 38, str(left), "medium", "^", 17)
        else:
            for y in (32, 52):
                page.rule(y, x + 6, 17, 2)
            for row in range(34, 52, 2):
                page.fill(x + 5, row, 1, 1)
                page.fill(x + 23, row, 1, 1)
            page.text(x + 15, 39, str(left), "small", "^", 17)
        if taker is not None:
            page.put_name(x + 15, BOTTOM, taker, 31, "small narrow", "^")
