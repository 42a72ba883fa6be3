"""The hourglass as a picture of falling sand: every grain has its turn, so two pictures differ by a few pixels.

A function of how far the sand ran and nothing else; no clock.
"""

from __future__ import annotations

from functools import cache, lru_cache

from PIL import Image

WIDTH, HEIGHT = 24, 53
_MIDDLE = (WIDTH - 1) / 2
_NECK = HEIGHT // 2
# Half the glass's inner width, row by row down to the neck: a cylinder that closes into a funnel.
_SHOULDER = 9
_LEVELS = 255
# A falling grain and the gap behind it, rows.
_FALL = 4
# Row of the sand's surface in a full glass.
_FULL = 7
# Steepness of the hollow above and of the heap below, rows a column.
_HOLLOW, _HEAP = 0.55, 0.8


def _half(row: int) -> float:
    """Half the inner width at a row counted from the cap, 0 to the neck."""
    depth = _NECK - 2
    if row < _SHOULDER:
        return 9.0 - (1.0 if row == 0 else 0.0)
    closing = (row - _SHOULDER) / (depth - _SHOULDER)
    # float: the type checker can't know that the base is positive, and a negative one gave a complex number.
    return max(9.0 - 8.6 * float(closing**1.15), 0.6)


def _inside(x: int, y: int) -> float:
    """How far inside the wall a pixel lies (negative: outside)."""
    row = y - 2 if y <= _NECK else HEIGHT - 3 - y
    return _half(row) - abs(x - _MIDDLE) if 0 <= row <= _NECK - 2 else -9.0


@cache
def _glass() -> Image.Image:
    picture = Image.new("1", (WIDTH, HEIGHT))
    for y in range(HEIGHT):
        for x in range(WIDTH):
            cap = y < 2 or y >= HEIGHT - 2
            if (cap and (0 < x < WIDTH - 1 or y in (1, HEIGHT - 2))) or -1.0 <= _inside(x, y) < 0.0:
                picture.putpixel((x, y), 255)
    return picture


@cache
def _turns() -> tuple[Image.Image, Image.Image]:
    """For the upper and the lower bulb: at which level (1 to 255) each grain leaves, or lands; 0 where none is."""
    bulbs = []
    for lower in (False, True):
        grains = []
        for y in range(_NECK + 1, HEIGHT - 2) if lower else range(2, _NECK + 1):
            for x in range(WIDTH):
                if _inside(x, y) >= 1.0 or (not lower and y >= _NECK - 3 and _inside(x, y) >= 0.0):
                    aside = abs(x - _MIDDLE)
                    turn = HEIGHT - y + _HEAP * aside if lower else y + _HOLLOW * aside
                    grains.append((turn, aside, x, y))
        grains.sort()
        # A full glass is level and not filled to the cap; below, the sand takes no more than three quarters.
        kept = grains[: len(grains) * 3 // 4] if lower else [grain for grain in grains if grain[3] >= _FULL]
        picture = Image.new("L", (WIDTH, HEIGHT))
        for number, (_, _, x, y) in enumerate(kept):
            picture.putpixel((x, y), 1 + number * (_LEVELS - 1) // max(len(kept) - 1, 1))
        bulbs.append(picture)
    return bulbs[0], bulbs[1]


# Every level there is: 1.3 kB each, and a glass of any length comes by the same ones again.
@lru_cache(maxsize=_LEVELS + 1)
def _sand(level: int) -> Image.Image:
    upper, lower = _turns()
    still, gone = [0] * (level + 1), [255] * (255 - level)
    picture = upper.point(still + gone, "1")
    picture.paste(255, (0, 0), lower.point([0] + [255] * level + [0] * (255 - level), "1"))
    picture.paste(255, (0, 0), _glass())
    return picture


@lru_cache(maxsize=128)
def hourglass(ran: float, grains: int | None = None) -> Image.Image:
    """The glass after `ran` of its sand (0 full … 1 empty) fell; 24x53 pixels.

    `grains`: where the falling grains are, a number that goes up by one for each pixel they fall; None: no sand
    falls (not turned yet, or run out).
    """
    level = round(min(max(ran, 0.0), 1.0) * _LEVELS)
    picture = _sand(level)
    if grains is None or level >= _LEVELS:
        return picture
    picture = picture.copy()
    stream = _stream(grains % _FALL)
    picture.paste(stream, (int(_MIDDLE), _NECK), stream)
    return picture


@cache
def _stream(phase: int) -> Image.Image:
    picture = Image.new("1", (1, HEIGHT - 2 - _NECK))
    for y in range(picture.height):
        if (y - phase) % _FALL < 2:
            picture.putpixel((0, y), 255)
    return picture


@cache
def lying() -> Image.Image:
    """The glass on its side, its sand at rest in both bulbs; 53x24 pixels."""
    picture = _glass().transpose(Image.Transpose.ROTATE_90)
    for y in range(WIDTH):
        for x in range(HEIGHT):
            if _inside(y, x) >= 1.0 and y > WIDTH * 0.6:
                picture.putpixel((x, y), 255)
    return picture
