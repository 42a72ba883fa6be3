"""A 128x64 one-bit page and how text, pictures and marks get onto it. Knows names and words, but no scene."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from PIL import Image, ImageChops

from device.game.players import Player
from device.screen.bitmaps import load
from device.screen.texts import Words
from device.screen.type import Font, font

WIDTH, HEIGHT = 128, 64
BOTTOM = 55
"""Where the capitals of the bottom row begin: their tails just stay in the picture."""


class DoesNotFit(ValueError):
    """A text is wider than its place, leaves the picture, or runs into something drawn before."""


class Page:
    """One picture being drawn. `words` and `names` put scenes into a language.

    `strict` raises DoesNotFit where a text would be cut or would touch what is there; without it (on the box, in
    mid-game) the page draws what it can.
    """

    def __init__(self, words: Words, names: Mapping[Player, str], strict: bool = False) -> None:
        self.picture = Image.new("1", (WIDTH, HEIGHT))
        self.words = words
        self.names = names
        self.strict = strict
        # Where the scene leaves room for the corner mark of a trouble: its top left pixel.
        self.corner = (WIDTH - 7, 0)

    # Pictures and lines -------------------------------------------------------------------------------------

    def put(self, x: int, y: int, picture: Image.Image, lit: bool = True) -> None:
        """The lit pixels of `picture` on the page, its top left corner at x, y; dark ones leave what is there."""
        self.picture.paste(255 if lit else 0, (x, y), picture)

    def icon(self, x: int, y: int, name: str, lit: bool = True) -> None:
        """The picture icons/`name`."""
        self.put(x, y, load(f"icons/{name}"), lit)

    def fill(self, x: int, y: int, width: int, height: int, lit: bool = True) -> None:
        """A filled rectangle."""
        self.picture.paste(255 if lit else 0, (x, y, x + width, y + height))

    def pill(self, x: int, y: int, width: int, height: int, lit: bool = True) -> None:
        """A filled rectangle with its four corner pixels taken off."""
        self.fill(x + 1, y, width - 2, height, lit)
        self.fill(x, y + 1, width, height - 2, lit)

    def frame(self, x: int, y: int, width: int, height: int) -> None:
        """The outline of a pill."""
        self.pill(x, y, width, height)
        self.pill(x + 1, y + 1, width - 2, height - 2, lit=False)

    def rule(self, y: int, x: int = 0, width: int = WIDTH, every: int = 1) -> None:
        """A level line, one pixel thick; `every` 2 dots it."""
        for column in range(x, x + width, every):
            self.picture.putpixel((column, y), 255)

    def rule_down(self, x: int, y: int, height: int) -> None:
        """A dotted upright line."""
        for row in range(y, y + height, 2):
            self.picture.putpixel((x, row), 255)

    # Text ---------------------------------------------------------------------------------------------------

    def text(
        self, x: int, y: int, text: str, fonts: str = "small", align: str = "<", width: int = 0, lit: bool = True
    ) -> int:
        """Text whose capitals begin at row `y`, from x ("<"), ending before x (">") or centred on x ("^").

        `fonts`: names, best first; the first in which the text is no wider than `width` (0: the page) is taken.
        Returns the width in pixels.
        """
        chosen = self._choose(text, fonts, width or WIDTH)
        wide = chosen.width(text)
        if not text:
            return 0
        left = x if align == "<" else x - wide if align == ">" else x - wide // 2
        label = chosen.label(text)
        top = y - chosen.above
        if self.strict:
            self._check(text, label, left, y, chosen, lit)
        self.put(left, top, label, lit)
        return wide

    def paragraph(
        self, x: int, y: int, width: int, text: str, lines: int, fonts: str = "small narrow", pitch: int = 10
    ) -> None:
        """A text broken into at most `lines` lines, each in the middle of the `width` columns from x on."""
        for name in fonts.split():
            broken = wrap(text, width, name)
            if len(broken) <= lines:
                break
        if self.strict and len(broken) > lines:
            raise DoesNotFit(f"{text!r} needs {len(broken)} lines of {width} pixels, room is {lines}")
        top = y + (lines - len(broken)) * pitch // 2
        for number, line in enumerate(broken[:lines]):
            self.text(x + width // 2, top + number * pitch, line, name, "^", width)

    def line(self, y: int, text: str, fonts: str = "small narrow", lit: bool = True) -> None:
        """A text in the middle of the page."""
        self.text(WIDTH // 2, y, text, fonts, "^", lit=lit)

    def _choose(self, text: str, fonts: str, width: int) -> Font:
        for name in fonts.split():
            chosen = font(name)
            if chosen.width(text) <= width:
                return chosen
        if self.strict:
            raise DoesNotFit(f"{text!r} is {chosen.width(text)} pixels wide in {fonts.split()[-1]}, room is {width}")
        return chosen

    def _check(self, text: str, label: Image.Image, left: int, y: int, chosen: Font, lit: bool) -> None:
        ink = label.getbbox()
        if ink is None:
            return
        top, cap = y - chosen.above, chosen.cap
        box = (left + ink[0], top + ink[1], left + ink[2], top + ink[3])
        if box[0] < 0 or box[1] < 0 or box[2] > WIDTH or box[3] > HEIGHT:
            raise DoesNotFit(f"{text!r} leaves the picture: {box}")
        around = self.picture.crop(box)
        if not lit:
            spoiled = around.getextrema()[0] == 0
        else:
            # Tails and accents of two lines may pass each other; letters may not touch anything.
            letters = (0, max(y - box[1], 0), around.width, max(y - box[1] + cap, 0))
            under = ImageChops.logical_and(around, label.crop(ink))
            spoiled = around.crop(letters).getbbox() is not None or under.getbbox() is not None
        if spoiled:
            raise DoesNotFit(f"{text!r} at {box} runs into something else")

    def short(self, text: str, width: int, fonts: str = "narrow") -> str:
        """A text that came from outside, shortened with a full stop where it is wider than `width` pixels."""
        chosen = font(fonts.split()[-1])
        if chosen.width(text) <= width:
            return text
        while text and chosen.width(f"{text}.") > width:
            text = text[:-1]
        return f"{text.rstrip()}."

    # Players ------------------------------------------------------------------------------------------------

    def name(self, player: Player) -> str:
        """What the player is called: the name, or the colour in this language."""
        return self.names.get(player) or self.words[f"colours.{player}"]

    def named(self, player: Player, width: int, fonts: str = "small narrow") -> tuple[str, str]:
        """The player's name and the font for it in `width` pixels: whole if any way possible, else shortened.

        A shortened name ends in a full stop, and never looks like another player's.
        """
        name = self.name(player)
        for chosen in fonts.split():
            if font(chosen).width(name) <= width:
                return name, chosen
        return _shortened(name, tuple(self.name(other) for other in Player), width, chosen)

    def put_name(
        self,
        x: int,
        y: int,
        player: Player,
        width: int,
        fonts: str = "small narrow",
        align: str = "<",
        lit: bool = True,
    ) -> int:
        """The player's name as `text` does it; see `named`."""
        name, chosen = self.named(player, width, fonts)
        return self.text(x, y, name, chosen, align, width, lit)

    # Hints --------------------------------------------------------------------------------------------------

    def hint(self, text: str, y: int = BOTTOM) -> None:
        """What a press would do, in the middle of the bottom row."""
        self.line(y, text, "small narrow")

    def keys(self, *icons: str) -> None:
        """The bottom row of a list: each button's colour and what it does, as pictures from icons/."""
        for column, (player, icon) in enumerate(zip(Player, icons, strict=True)):
            colour = self.words[f"colours.{player}"].lower()
            wide = font("narrow").width(colour) + 2 + 7
            left = column * 32 + (32 - wide) // 2
            if icon:
                self.text(left, BOTTOM, colour, "narrow")
                self.icon(left + wide - 7, BOTTOM, icon)


@lru_cache(maxsize=256)
def _shortened(name: str, everybody: tuple[str, ...], width: int, chosen: str) -> tuple[str, str]:
    others = [other for other in everybody if other != name]
    for length in range(len(name) - 1, 0, -1):
        # "Christina" beside "Christine" becomes "Christ.a": the end tells them apart.
        alike = any(other.startswith(name[:length]) for other in others)
        short = f"{name[:length]}.{name[-1]}" if alike else f"{name[:length]}."
        if font(chosen).width(short) <= width:
            return short, chosen
    return name[:1], chosen


def wrap(text: str, width: int, name: str = "small") -> list[str]:
    """The text broken at its spaces into lines of at most `width` pixels in this font.

    A word wider than that stands alone in a line.
    """
    chosen = font(name)
    done: list[str] = []
    for word in text.split(" "):
        longer = f"{done[-1]} {word}" if done else word
        if done and chosen.width(longer) <= width:
            done[-1] = longer
        else:
            done.append(word)
    return done
