"""What lies on the table, small: gems, the round track, the die's symbols, cards. Knows no scene."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from PIL import Image

from device.game.gems import Gem, Track
from device.game.players import Player
from device.screen.bitmaps import HERE, load
from device.screen.page import Page
from device.screen.type import font

PAIRS = 9
SYMBOL = 38
"""Height and width of a die's symbol in pixels."""


def gem(page: Page, x: int, y: int, kind: Gem, lettered: bool = True) -> None:
    """A gem, 17x17 pixels, told apart by its outline and by its letter in the page's language."""
    page.put(x, y, load(f"gems/{kind}"))
    if lettered:
        letter = page.words[f"letters.{kind}"]
        page.text(x + 9 - font("small").width(letter) % 2, y + 5, letter, "small", "^", lit=False)


def small_gem(page: Page, x: int, y: int, kind: Gem) -> None:
    """A gem, 7x7 pixels, told apart by its outline."""
    page.put(x, y, load(f"gems/{kind}-small"))


def track(page: Page, x: int, y: int, state: Track, pitch: int = 7) -> None:
    """The round track, nine pairs of 5x9 pixels: sapphires over ambers, a dot where one is gone."""
    page.put(x, y, _track(state.sapphires, state.ambers, pitch))


@lru_cache(maxsize=64)
def _track(sapphires: int, ambers: int, pitch: int) -> Image.Image:
    picture = Image.new("1", (track_width(pitch), 9))
    for number in range(PAIRS):
        left = number * pitch
        for top, kind, there in ((0, Gem.SAPPHIRE, sapphires), (5, Gem.AMBER, ambers)):
            # The gems go from the left, so that the gap grows like the rounds played.
            if number >= PAIRS - there:
                picture.paste(load(f"gems/{kind}-track"), (left, top))
            else:
                picture.putpixel((left + 2, top + 2), 255)
    return picture


def track_width(pitch: int = 7) -> int:
    """How many pixels wide the track is."""
    return (PAIRS - 1) * pitch + 5


@lru_cache(maxsize=64)
def _drawn(symbol: str) -> Image.Image | None:
    # Only a name can be a file of ours: an edition's words come from outside.
    return load(f"symbols/{symbol}") if symbol.isalpha() and (HERE / f"symbols/{symbol}.txt").is_file() else None


def has_picture(symbol: str) -> bool:
    """Whether the symbol is one of the six that are drawn; others are shown as a number or a word."""
    return _drawn(symbol) is not None


def symbol(page: Page, x: int, y: int, name: str) -> None:
    """A die's symbol, 38x38: its picture, or on a blank side its number or its word."""
    picture = _drawn(name)
    if picture is not None:
        page.put(x, y, picture)
        return
    page.frame(x, y, SYMBOL, SYMBOL)
    if name.isdigit() and len(name) <= 2:
        page.text(x + SYMBOL // 2, y + 6, name, "digits clock", "^", SYMBOL - 6)
        return
    word = page.words.known("symbols", name)
    if font("narrow").width(word) > SYMBOL - 4:
        half = (len(word) + 1) // 2
        for row, part in enumerate((word[:half], word[half:])):
            part = page.short(part, SYMBOL - 4)
            page.text(x + SYMBOL // 2, y + 10 + 10 * row, part, "small narrow", "^", SYMBOL - 4)
    else:
        page.text(x + SYMBOL // 2, y + 15, word, "medium small narrow", "^", SYMBOL - 4)


_FACE, _SIDE = 26, 34


@lru_cache(maxsize=64)
def _tumbling(name: str, turn: int) -> Image.Image:
    drawn = _drawn(name)
    face = Image.new("L", (_SIDE, _SIDE))
    face.paste(255, (0, 0, _SIDE, _SIDE))
    face.paste(0, (2, 2, _SIDE - 2, _SIDE - 2))
    if drawn is not None:
        small = drawn.convert("L").resize((_FACE, _FACE), Image.Resampling.BOX)
        face.paste(small, ((_SIDE - _FACE) // 2, (_SIDE - _FACE) // 2))
    else:
        label = font("digits" if name.isdigit() else "medium").label(name[:2])
        face.paste(label, ((_SIDE - label.width) // 2, (_SIDE - label.height) // 2))
    turned = face.rotate(turn, Image.Resampling.BILINEAR, expand=True)
    return turned.point([0] * 110 + [255] * 146, "1")


def tumbling(page: Page, x: int, y: int, name: str) -> None:
    """A die that still rolls: aslant, this side in front. Takes 44x48 pixels about a symbol's place."""
    which = sum(name.encode()) % 6
    picture = _tumbling(name, (-20, 14, -11, 22, -16, 9)[which])
    middle = y + 24 + (-3, 2, 3, -2, 0, 1)[which]
    page.put(max(x + (SYMBOL - picture.width) // 2, 0), max(middle - picture.height // 2, 0), picture)


def line_hint(page: Page, x: int, y: int, line: int, lines: int = 6) -> None:
    """Which line of the board the symbol stands in: a strip of 3x38 pixels like the board's, that line filled."""
    page.put(x, y, _line_hint(line, lines))


@lru_cache(maxsize=32)
def _line_hint(line: int, lines: int) -> Image.Image:
    picture = Image.new("1", (3, SYMBOL))
    for number in range(lines):
        top = round(number * SYMBOL / lines)
        picture.paste(255, (0, top, 3, top + 6) if number == line - 1 else (1, top + 2, 2, top + 4))
    return picture


def level(page: Page, key: str) -> str:
    """A player's level as a word in the page's language."""
    return page.words.known("levels", key) if key else ""


def seat_order(players: Mapping[Player, object]) -> list[Player]:
    """These players by their seats."""
    return [player for player in Player if player in players]
