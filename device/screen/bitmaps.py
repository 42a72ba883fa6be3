"""Reads what is drawn in text files: # is lit, . is dark. Knows files and bitmaps, no scene, no language."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from PIL import Image

HERE = Path(__file__).parent


def from_rows(rows: Sequence[str]) -> Image.Image:
    """A one-bit picture of these rows of # and . (short rows are filled up with dark pixels).

    Raises ValueError for any other character, with the row it stands in.
    """
    width = max((len(row) for row in rows), default=0)
    for number, row in enumerate(rows, 1):
        if set(row) - {"#", "."}:
            raise ValueError(f"row {number} is {row!r}: only # (lit) and . (dark) can be drawn")
    picture = Image.new("1", (max(width, 1), max(len(rows), 1)))
    picture.putdata([255 if pixel == "#" else 0 for row in rows for pixel in row.ljust(width, ".")])
    return picture


@cache
def load(name: str) -> Image.Image:
    """The picture drawn in `name` (such as "symbols/hand"), read once. The picture is shared: never draw on it.

    A line that begins with a word is a remark. Raises FileNotFoundError, ValueError.
    """
    lines = (HERE / f"{name}.txt").read_text("utf-8").splitlines()
    return from_rows([line for line in lines if line[:1] in ("#", ".")])
