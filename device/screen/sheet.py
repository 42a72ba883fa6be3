"""`python -m device.screen.sheet OUT.png`: every scene on one picture, for the README and for whoever draws.

A command only; nothing imports it on the box.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from PIL import Image

from device.screen.draw import draw
from device.screen.page import HEIGHT, WIDTH
from device.screen.samples import samples
from device.screen.texts import LANGUAGES
from device.screen.type import font

_GAP, _CAPTION, _ACROSS = 6, 14, 4
_TABLE, _GLASS, _LIT, _INK = (38, 40, 46), (0, 0, 0), (196, 228, 255), (208, 208, 200)


def sheet(languages: Sequence[str], scale: int = 2) -> Image.Image:
    """Every sample, a row a scene and a column a language; of one language alone, four scenes in a row.

    `scale`: pixels of the sheet for one of the display, 1 or more.
    """
    cells = [
        (f"{name} · {language}" if len(languages) > 1 else name, show)
        for shows in zip(*(samples(language).items() for language in languages), strict=True)
        for language, (name, show) in zip(languages, shows, strict=True)
    ]
    across = len(languages) if len(languages) > 1 else _ACROSS
    wide, high = WIDTH * scale + _GAP, HEIGHT * scale + _CAPTION + _GAP
    down = -(-len(cells) // across)
    picture = Image.new("RGB", (across * wide + _GAP, down * high + _GAP), _TABLE)
    for number, (caption, show) in enumerate(cells):
        x, y = _GAP + number % across * wide, _GAP + number // across * high
        picture.paste(_INK, (x, y), font("small").label(caption))
        drawn = draw(show).resize((WIDTH * scale, HEIGHT * scale))
        picture.paste(_GLASS, (x, y + _CAPTION, x + drawn.width, y + _CAPTION + drawn.height))
        picture.paste(_LIT, (x, y + _CAPTION), drawn)
    return picture


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; exit status 0."""
    parser = argparse.ArgumentParser(prog="python -m device.screen.sheet", description="Every scene on one picture.")
    parser.add_argument("out", type=Path, metavar="OUT.png")
    parser.add_argument("--language", choices=(*LANGUAGES, "all"), default="en", help="all: three columns")
    parser.add_argument("--scale", type=int, choices=range(1, 9), default=2, metavar="1…8", help="2 if left out")
    given = parser.parse_args(arguments)
    languages = LANGUAGES if given.language == "all" else (given.language,)
    try:
        sheet(languages, given.scale).quantize(8).save(given.out, optimize=True)
    except (OSError, ValueError) as error:
        parser.error(f"can't write {given.out}: {error}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
