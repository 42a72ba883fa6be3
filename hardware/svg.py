"""A page of SVG, as little of it as these drawings need. Knows nothing of the box."""

from __future__ import annotations

from collections.abc import Sequence
from xml.sax.saxutils import escape, quoteattr

Point = tuple[float, float]


def number(value: float) -> str:
    """A coordinate as short as it can be: at most two decimals."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


class Page:
    """Collects shapes in the order in which they lie on each other. `unit` "mm" prints at true size."""

    def __init__(self, width: float, height: float, title: str, unit: str = "") -> None:
        self.width, self.height = width, height
        self._parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{number(width)}{unit}" height="{number(height)}{unit}" '
            f'viewBox="0 0 {number(width)} {number(height)}" font-family="Helvetica, Arial, sans-serif">',
            f"<title>{escape(title)}</title>",
        ]
        self.rect(0, 0, width, height, fill="#ffffff")

    def _shape(self, tag: str, **attributes: str | float) -> None:
        named = ((key.rstrip("_").replace("_", "-"), value) for key, value in attributes.items())
        text = " ".join(
            f"{key}={quoteattr(number(value) if isinstance(value, (int, float)) else value)}" for key, value in named
        )
        self._parts.append(f"<{tag} {text}/>")

    def rect(self, x: float, y: float, width: float, height: float, **style: str | float) -> None:
        """A rectangle; rx rounds its corners."""
        self._shape("rect", x=x, y=y, width=width, height=height, **style)

    def circle(self, x: float, y: float, r: float, **style: str | float) -> None:
        """A circle."""
        self._shape("circle", cx=x, cy=y, r=r, **style)

    def line(self, points: Sequence[Point], **style: str | float) -> None:
        """A bent line through these points."""
        text = " ".join(f"{number(x)},{number(y)}" for x, y in points)
        self._shape("polyline", points=text, **{"fill": "none", "stroke_linejoin": "round", **style})

    def path(self, d: str, **style: str | float) -> None:
        """Any path."""
        self._shape("path", d=d, **style)

    def text(self, x: float, y: float, text: str, size: float, **style: str | float) -> None:
        """Text with its baseline's left end (or as text_anchor says) at x, y."""
        named = {"x": x, "y": y, "font_size": size, **style}
        self._shape("text", **named)
        self._parts[-1] = f"{self._parts[-1][:-2]}>{escape(text)}</text>"

    def __str__(self) -> str:
        return "\n".join([*self._parts, "</svg>", ""])


def lanes(sources: Sequence[float], targets: Sequence[float], first: float, step: float) -> list[float]:
    """An x for each wire that runs from left to right and changes height once, so that none crosses another.

    Heights are in the order of the wires, top to bottom on both sides. Wires that go up turn the later the lower
    they are, wires that go down the earlier.
    """
    ups = [i for i, (s, t) in enumerate(zip(sources, targets, strict=True)) if t <= s]
    downs = [i for i in range(len(sources)) if i not in ups]
    found = [0.0] * len(sources)
    for order in (ups, downs[::-1]):
        for k, i in enumerate(order):
            found[i] = first + k * step
    return found
