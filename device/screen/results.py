"""The scenes after time has run: check, draw, scores, final, count. Places, gems, points."""

from __future__ import annotations

from collections.abc import Sequence

from device.game.gems import GEMS, Gem
from device.game.players import Player
from device.screen import tokens
from device.screen.evening import heading, put_turn, who_and_what
from device.screen.page import BOTTOM, WIDTH, Page
from device.screen.type import font
from device.table.scenes import Check, Count, Draw, Final, Scores, Standing

_ROWS = 4
_GEM = 17


def check(page: Page, scene: Check) -> None:
    """Who solved it, in what order and time, and who was too late."""
    words = page.words
    heading(page, words[f"check.{scene.reason}"])
    rows = len(scene.places) + len(scene.late)
    if not rows:
        page.line(29, words["check.nobody"], "medium small narrow")
    pitch = 10 if rows > 3 else 12
    fonts = "small narrow" if rows > 3 else "medium small narrow"
    y = 16 if rows > 3 else 18
    for placed in scene.places:
        page.text(0, y, f"{placed.place}", fonts)
        seconds = "" if placed.seconds is None else words.seconds(placed.seconds)
        taken = page.text(WIDTH, y, seconds, fonts, ">")
        page.put_name(13, y, placed.player, WIDTH - 13 - taken - 4, fonts)
        y += pitch
    for late in scene.late:
        by = words.say("check.late", seconds=words.seconds(late.by))
        taken = page.text(WIDTH, y, by, "small narrow", ">", 84)
        page.icon(1, y, "close")
        page.put_name(13, y, late.player, WIDTH - 13 - taken - 4)
        y += pitch
    page.hint(words["check.ready" if scene.ready else "check.look"])


def draw(page: Page, scene: Draw) -> None:
    """Whose draw it is and what the bag still holds; at the bottom what the round has given."""
    words = page.words
    name = page.name(scene.player)
    title = words.say("draw.cloth" if scene.cloth else "draw.box", name=name)
    if scene.count > 1:
        title += f" \N{MULTIPLICATION SIGN}{scene.count}"
    heading(page, title)
    if scene.cloth:
        for middle, kind in zip(_middles([words[f"gems.{kind}"] for kind in GEMS]), GEMS, strict=True):
            count = scene.bag[kind]
            if count:
                tokens.gem(page, middle - 8, 14, kind)
            else:
                page.icon(middle - 3, 19, "close")
            page.text(middle, 33, words[f"gems.{kind}"], "narrow", "^", 34)
            page.text(middle, 43, str(count) if count else words["draw.none"], "medium" if count else "narrow", "^", 31)
    else:
        page.icon(2, 15, "bag")
        page.text(21, 34, str(len(scene.bag)), "medium", "^", 30, lit=False)
        for number, kind in enumerate(GEMS):
            x, y = 48 + 42 * (number % 2), 15 + 19 * (number // 2)
            tokens.gem(page, x, y, kind)
            page.text(x + 21, y + 4, str(scene.bag[kind]), "medium")
    _given(page, scene.given)


def _middles(captions: Sequence[str]) -> list[int]:
    """The middle of each caption's column: the same gap between any two, however long their words are."""
    widths = [max(font("narrow").width(caption), _GEM) for caption in captions]
    gap = (WIDTH - sum(widths)) // len(widths)
    return [gap // 2 + sum(widths[:n]) + n * gap + wide // 2 for n, wide in enumerate(widths)]


def _given(page: Page, given: Sequence[tuple[Player, Gem, str]]) -> None:
    """The bottom row: each player's gems of this round after the name."""
    players = list(dict.fromkeys(player for player, _, _ in given))
    if not players:
        return
    room = (WIDTH - 8 * len(given) - 6 * (len(players) - 1)) // len(players)
    x = 0
    for player in players:
        name, chosen = page.named(player, max(min(room - 2, 40), 6))
        x += page.text(x, BOTTOM, name, chosen) + 2
        for owner, kind, _ in given:
            if owner == player:
                tokens.small_gem(page, x, BOTTOM, kind)
                x += 8
        x += 5


def scores(page: Page, scene: Scores) -> None:
    """Everybody's gems and points, the track, and who goes on."""
    words = page.words
    number = f"{scene.round}/{scene.rounds}" if scene.rounds else str(scene.round)
    with_gems = any(standing.gems is not None for standing in scene.standings)
    if with_gems:
        if scene.lost:
            page.pill(0, 0, 47, 10)
            page.text(23, 1, words["scores.lost"], "narrow", "^", 44, lit=False)
        else:
            page.text(0, 1, words.say("round.long", number=number), "small narrow", "<", 44)
        for column, kind in enumerate(GEMS):
            tokens.small_gem(page, 51 + 14 * column, 1, kind)
    else:
        heading(page, words["check.nobody"] if scene.lost else words.say("round.long", number=number))
    for row, standing in enumerate(scene.standings):
        y = 12 + 11 * row
        late = next((late for late in scene.late if late.player == standing.player), None)
        if late is not None:
            page.put_name(0, y, late.player, 44)
            page.text(WIDTH, y, words.say("check.late", seconds=words.seconds(late.by)), "small narrow", ">", 80)
        elif with_gems:
            _gems_row(page, y, standing)
        else:
            crowded = len(scene.standings) > 3
            fonts = "small narrow" if crowded else "medium small narrow"
            _points_row(page, 16 + (10 if crowded else 13) * row, standing, scene.unit, fonts)
    deed = words[f"actions.{scene.action}"]
    if scene.track is not None:
        tokens.track(page, 0, 55, scene.track)
        _next_press(page, scene.waits_for, deed)
    else:
        who_and_what(page, BOTTOM, scene.waits_for, deed)


def _gems_row(page: Page, y: int, standing: Standing) -> None:
    page.put_name(0, y, standing.player, 44)
    if standing.gems is not None:
        for column, kind in enumerate(GEMS):
            count = standing.gems[kind]
            if kind in standing.gained:
                page.fill(47 + 14 * column, y - 1, 13, 9)
            text = str(count) if count else "\N{EN DASH}"
            page.text(54 + 14 * column, y, text, "small", "^", 13, lit=kind not in standing.gained)
    page.text(WIDTH, y - 1, str(standing.points), "medium", ">")


def _points_row(page: Page, y: int, standing: Standing, unit: str, fonts: str) -> None:
    points = page.words.count(f"units.{unit}", standing.points)
    taken = page.text(WIDTH, y, points, fonts, ">", 70)
    page.put_name(0, y, standing.player, WIDTH - taken - 4, fonts)


def _next_press(page: Page, players: Sequence[Player], deed: str) -> None:
    """The press that goes on, right of the track."""
    left = tokens.track_width() + 5
    if len(players) == 1:
        put_turn(page, BOTTOM, players[0], deed, WIDTH, left)
    else:
        said = page.words.say("hints.any", deed=deed)
        page.text(WIDTH, BOTTOM, said, "small narrow", ">", WIDTH - left)


def final(page: Page, scene: Final) -> None:
    """The cup, and the ranking: the winners large."""
    words = page.words
    page.icon(0, 2, "cup")
    page.corner = (32, 28)
    page.text(19, 43, words[f"final.{scene.unit}"], "small narrow", "^", 40)
    winners = sum(1 for standing in scene.standings if standing.rank == 1)
    step = 15 if winners < _ROWS else 13
    y = 0
    for standing in scene.standings:
        record = standing.player in scene.records
        if standing.rank == 1:
            page.pill(42, y, WIDTH - 42, step - 1)
            fonts = "medium small narrow" if winners < _ROWS else "small narrow"
            _ranked(page, 45, y + 2, standing, record, fonts, lit=False)
            y += step
        else:
            page.text(45, y + 3, str(standing.rank), "small")
            _ranked(page, 54, y + 3, standing, record, "small narrow")
            y += 10
    page.hint(words["final.playoff" if scene.playoff else "final.hint"])


def _ranked(page: Page, x: int, y: int, standing: Standing, record: bool, fonts: str, lit: bool = True) -> None:
    """A name, a star if it set a record, and the points at the right edge."""
    taken = page.text(WIDTH - 3, y, str(standing.points), fonts, ">", lit=lit)
    room = WIDTH - x - taken - 8 - (9 if record else 0)
    _, chosen = page.named(standing.player, room, fonts)
    lower = int(fonts != chosen and fonts.startswith("medium"))
    wide = page.put_name(x, y + (lower if chosen != "medium" else 0), standing.player, room, chosen, lit=lit)
    if record:
        page.icon(x + 2 + wide, y + lower, "star", lit=lit)


def count(page: Page, scene: Count) -> None:
    """The gems of one player: each button adds one of its colour."""
    words = page.words
    page.corner = (60, 22)
    page.put_name(0, 3, scene.player, 70, "medium small narrow")
    page.text(WIDTH, 3, words.count("units.points", scene.points), "medium small", ">", 56)
    for column, kind in enumerate(GEMS):
        x = column * 32
        tokens.gem(page, x + 7, 17, kind)
        page.text(x + 16, 38, str(scene.gems[kind]), "medium", "^", 30)
    page.hint(words["count.hint"])
