"""The moving picture of the README: a rehearsed round on the box as it stands on a table, drawn frame by frame.

`python -m hardware.film OUT.gif`. The display's pictures and the lamps are the program's own; only the box around
them is drawn here.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from device.config import load
from device.game.chance import SeededChance
from device.game.players import Player
from device.prepare import table_settings
from device.rehearse import Rehearsal
from device.screen.draw import draw
from device.script import read_script
from device.store import Store
from device.table.scenes import Lamps

SCRIPT = """
0.6 press 1
1.4 press 2
2.0 press 3
3.0 hold 3
6.2 press 2
7.6 press 2
29.4 press 3 0.3
41.2 press 1 0.3
72.2 press 2
74.0 press 3
75.2 press 1
"""
# Seconds of the evening that are shown, at how many times their speed, at how many pictures a second.
CUTS = ((0.0, 9.8, 1, 8), (9.8, 28.6, 8, 8), (28.6, 30.2, 1, 8), (30.2, 40.6, 8, 8), (40.6, 42.0, 1, 8),
        (42.0, 64.0, 10, 8), (64.0, 78.0, 1.6, 8))  # fmt: skip

WIDE, HIGH = 620, 470
_FINE = 3  # drawn three times as large and made smaller: smooth edges without a drawing library
_LIT = {
    Player.RED: (255, 84, 66),
    Player.BLUE: (72, 148, 255),
    Player.GREEN: (70, 214, 100),
    Player.YELLOW: (255, 206, 64),
}
_AT = {Player.RED: (310, 74), Player.BLUE: (544, 235), Player.GREEN: (310, 396), Player.YELLOW: (76, 235)}
_PIXEL, _OLED = 2, (182, 171)


def _mixed(colour: Sequence[int], other: Sequence[int], part: float) -> tuple[int, int, int]:
    r, g, b = (round(one * (1 - part) + two * part) for one, two in zip(colour, other, strict=True))
    return r, g, b


@cache
def _body() -> Image.Image:
    """The table, the box of walnut, the holes for its parts."""
    wide, high = WIDE * _FINE, HIGH * _FINE
    image = Image.new("RGB", (wide, high), (38, 50, 48))
    shadow = Image.new("L", (wide, high), 0)
    ImageDraw.Draw(shadow).rounded_rectangle((30, 54, wide - 18, high - 6), 120, fill=150)
    image.paste((14, 20, 20), mask=shadow.filter(ImageFilter.GaussianBlur(24)))
    wood = Image.new("RGB", (wide, high), (112, 74, 48))
    pen = ImageDraw.Draw(wood)
    for line in range(0, high, 9):
        # Grain: three overlaid rhythms, so that no two boards look alike and every run draws the same ones.
        tone = ((line * 7) % 23 - 11) + ((line * 3) % 41 - 20) // 2
        pen.line((0, line, wide, line + (line % 27) - 13), fill=(112 + tone, 74 + tone, 48 + tone // 2), width=10)
    mask = Image.new("L", (wide, high), 0)
    ImageDraw.Draw(mask).rounded_rectangle((30, 30, wide - 30, high - 30), 110, fill=255)
    image.paste(wood.filter(ImageFilter.GaussianBlur(3)), mask=mask)
    pen = ImageDraw.Draw(image)
    pen.rounded_rectangle((36, 36, wide - 36, high - 36), 106, outline=(158, 112, 76), width=6)
    left, top = (n * _FINE for n in _OLED)
    right, bottom = left + 256 * _FINE, top + 128 * _FINE
    pen.rounded_rectangle((left - 42, top - 42, right + 42, bottom + 42), 36, fill=(20, 18, 18))
    pen.rounded_rectangle((left - 24, top - 24, right + 24, bottom + 24), 14, fill=(4, 6, 9))
    return image


def _button(pen: ImageDraw.ImageDraw, player: Player, glow: float, pressed: bool) -> None:
    x, y = (n * _FINE for n in _AT[player])
    colour = _LIT[player]
    for radius, tone in ((148, (18, 16, 15)), (138, _mixed(colour, (0, 0, 0), 0.55)), (128, (26, 24, 24))):
        pen.ellipse((x - radius, y - radius, x + radius, y + radius), fill=tone)
    cap = _mixed(_mixed(colour, (0, 0, 0), 0.62), colour, glow)
    radius = 100 if pressed else 106
    drop = 4 if pressed else 0
    pen.ellipse((x - radius, y - radius + drop, x + radius, y + radius + drop), fill=cap)
    shine = _mixed(cap, (255, 255, 255), 0.22 + 0.3 * glow)
    pen.ellipse((x - radius + 22, y - radius + 16 + drop, x + radius - 22, y + drop), fill=_mixed(cap, shine, 0.5))
    pen.ellipse((x - 30, y - radius + 26 + drop, x + 30, y - radius + 50 + drop), fill=shine)


def _glow(image: Image.Image, lit: Sequence[Player]) -> Image.Image:
    halo = Image.new("RGB", image.size)
    pen = ImageDraw.Draw(halo)
    for player in lit:
        x, y = (n * _FINE for n in _AT[player])
        pen.ellipse((x - 190, y - 190, x + 190, y + 190), fill=_mixed(_LIT[player], (0, 0, 0), 0.66))
    return ImageChops.add(image, halo.filter(ImageFilter.GaussianBlur(46)))


@cache
def _box(lit: tuple[Player, ...], pressed: tuple[Player, ...]) -> Image.Image:
    image = _glow(_body(), lit)
    pen = ImageDraw.Draw(image)
    for player in Player:
        _button(pen, player, 1.0 if player in lit else 0.0, player in pressed)
    return image.resize((WIDE, HIGH), Image.Resampling.LANCZOS)


def frame(picture: Image.Image, lamps: Lamps, pressed: tuple[Player, ...], shine: bool) -> Image.Image:
    """The box at one moment. `shine`: blinking lamps are in their bright half."""
    image = _box(tuple(p for p in Player if p in lamps.lit or (shine and p in lamps.blinking)), pressed).copy()
    light = picture.convert("L").resize((picture.width * _PIXEL, picture.height * _PIXEL), Image.Resampling.NEAREST)
    image.paste((198, 226, 255), _OLED, light)
    return image


def film(path: Path) -> None:
    """Play the script and write the moving picture."""
    script = read_script(SCRIPT, "film")
    effective = load(
        fallback=None, overrides={"players.red": "Anna", "players.blue": "Björn", "players.green": "Chloé"}
    )
    play = Rehearsal(script, table_settings(effective), Store(None), SeededChance(11), lambda _: None)
    frames, durations = list[Image.Image](), list[int]()
    steps, down = list(script.steps), set[int]()
    for begin, end, speed, rate in CUTS:
        for number in range(round((end - begin) / speed * rate)):
            at = begin + number * speed / rate
            tapped = set(down)
            while steps and steps[0].at <= at:
                step = steps.pop(0)
                play.play(step)
                (down.add if step.on else down.discard)(step.button)
                tapped |= down
            play.until(at)
            lamps, picture = play.table.lamps, draw(play.table.show(at))
            drawn = frame(picture, lamps, tuple(p for p in Player if p.button in tapped), at % 1 < 0.5)
            if frames and drawn.tobytes() == frames[-1].tobytes():
                durations[-1] += 1000 // rate
            else:
                frames.append(drawn)
                durations.append(1000 // rate)
    durations[-1] += 2500
    # Every lamp is in the palette, also those that shine in a few pictures only.
    bright = frame(picture, Lamps(frozenset(Player)), (), True)
    sample = Image.new("RGB", (WIDE, 2 * HIGH))
    sample.paste(bright)
    sample.paste(frame(picture, Lamps(), (), False), (0, HIGH))
    palette = sample.quantize(200, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
    small = [one.quantize(palette=palette, dither=Image.Dither.NONE) for one in frames]
    small[0].save(path, save_all=True, append_images=small[1:], duration=durations, loop=0, optimize=True)


if __name__ == "__main__":
    film(Path(sys.argv[1]))
