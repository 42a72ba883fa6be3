"""Sequences of pictures as a game makes them, and wilder ones, for the tests of the display."""

from __future__ import annotations

from hypothesis import strategies as st
from PIL import Image, ImageChops, ImageDraw

Step = tuple[str, int, int, int, int, int]

steps: st.SearchStrategy[list[Step]] = st.lists(
    st.tuples(
        st.sampled_from(["box", "box", "dot", "dot", "line", "stripes", "invert", "clear", "same"]),
        st.integers(0, 127),
        st.integers(0, 63),
        st.integers(1, 128),
        st.integers(1, 64),
        st.integers(0, 1),
    ),
    min_size=1,
    max_size=25,
)


def played(plan: list[Step]) -> list[Image.Image]:
    """The pictures of a plan, each made from the one before it."""
    picture = Image.new("1", (128, 64))
    made = []
    for kind, x, y, width, height, ink in plan:
        picture = picture.copy()
        draw = ImageDraw.Draw(picture)
        if kind == "box":
            draw.rectangle((x, y, x + width // 4, y + height // 4), fill=ink)
        elif kind == "dot":
            draw.point((x, y), fill=ink)
        elif kind == "line":
            draw.line((x, y, width - 1, height - 1), fill=ink)
        elif kind == "stripes":
            for column in range(x % 7, 128, 2 + width % 20):
                draw.line((column, y, column, y + height), fill=ink)
        elif kind == "invert":
            picture = inverted(picture)
        elif kind == "clear":
            draw.rectangle((0, 0, 127, 63), fill=0)
        made.append(picture)
    return made


def inverted(picture: Image.Image) -> Image.Image:
    """Black for white. (ImageDraw leaves 1 where other parts of Pillow have 255, so it is packed first.)"""
    return ImageChops.invert(Image.frombytes("1", picture.size, picture.tobytes()))


def scene(number: int) -> Image.Image:
    """One of a few quite different pictures."""
    picture = Image.new("1", (128, 64))
    draw = ImageDraw.Draw(picture)
    draw.rectangle((0, 0, 127, 63), outline=1)
    draw.ellipse((8 + number * 7 % 60, 8, 50 + number * 7 % 60, 50), fill=1)
    draw.line((0, number * 5 % 64, 127, 63 - number * 3 % 64), fill=1)
    return picture
