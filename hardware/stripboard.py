"""The driver on stripboard, seen from the parts' side: strips run from left to right, nine cuts under the chip.

A plan is data (places in holes); `nets` follows strips, cuts and links and says what is connected, so that a test
can hold the plan against the table of wires.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from hardware.svg import Page
from hardware.wires import NET_COLOURS, loads

Hole = tuple[str, int]  # strip "A" to "K", column from 1
STRIPS = "ABCDEFGHIJK"
COLUMNS = 19
CHIP_LEFT, CHIP_RIGHT, CUT_AT = 8, 11, 10
CHIP_STRIPS = STRIPS[2:]  # nine: pin 1 and pin 18 on C, pin 9 and pin 10 on K


@dataclass(frozen=True, slots=True)
class Part:
    """Something soldered in: a name, what it is, and its legs with what they are called."""

    name: str
    what: str
    legs: tuple[tuple[Hole, str], ...]


CUTS: tuple[Hole, ...] = tuple((strip, CUT_AT) for strip in CHIP_STRIPS)
CHIP = Part(
    "U1",
    "ULN2803A in an 18-pin socket",
    tuple(((strip, CHIP_LEFT), str(n)) for n, strip in enumerate(CHIP_STRIPS, 1))
    + tuple(((strip, CHIP_RIGHT), str(19 - n)) for n, strip in enumerate(CHIP_STRIPS, 1)),
)
LINKS = (
    Part("W1", "wire link", ((("B", 4), "GND"), (("K", 4), "GND"))),
    Part("W2", "wire link", ((("A", 13), "5V"), (("K", 13), "5V"))),
)
PARTS = (
    Part("R1", "1 kΩ, across the buzzer", ((("C", 15), "a"), (("K", 15), "b"))),
    Part("C1", "100 µF, 10 V or more; mind its polarity", ((("A", 9), "+"), (("B", 9), "\N{MINUS SIGN}"))),
    Part("C2", "100 nF", ((("A", 11), "a"), (("B", 11), "b"))),
)
TO_PI = Part(
    "J1",
    "to the Pi: 7 pins",
    ((("A", 2), "5V"), (("B", 2), "GND"), *(((STRIPS[1 + n], 2), f"IN{n}") for n, _, _ in loads())),
)
TO_LOADS = Part("J2", "minus of buzzer and lamps", tuple(((STRIPS[1 + n], 18), f"OUT{n}") for n, _, _ in loads()))
TO_PLUS = Part("J3", "plus of buzzer and lamps: 5 V", tuple((("A", 14 + n), "5V") for n in range(1, 6)))
TO_GROUND = Part("J4", "ground for the buttons", tuple((("B", 4 + n), "GND") for n in range(1, 5)))
HEADERS = (TO_PI, TO_LOADS, TO_PLUS, TO_GROUND)
EVERYTHING = (CHIP, *LINKS, *PARTS, *HEADERS)


def nets() -> list[frozenset[str]]:
    """What is connected on the board: sets of "part.leg" names, by strips with their cuts, and wire links."""
    piece: dict[tuple[str, int], set[str]] = {}
    for part in EVERYTHING:
        for (strip, column), leg in part.legs:
            side = int((strip, CUT_AT) in CUTS and column > CUT_AT)
            piece.setdefault((strip, side), set()).add(f"{part.name}.{leg}@{strip}{column}")
    found = list(piece.values())
    for link in LINKS:
        joined = [net for net in found if any(leg.startswith(f"{link.name}.") for leg in net)]
        found = [net for net in found if net not in joined] + [set().union(*joined)]
    return [frozenset(net) for net in found]


# ---- the drawing

PITCH = 40.0
LEFT, TOP = 150.0, 170.0
WIDTH, HEIGHT = 1180, 900
INK, SOFT, COPPER = "#222222", "#777777", "#e3b98a"


def _at(hole: Hole) -> tuple[float, float]:
    return LEFT + (hole[1] - 1) * PITCH, TOP + STRIPS.index(hole[0]) * PITCH


def draw() -> str:
    """The plan as SVG."""
    page = Page(WIDTH, HEIGHT, "Ubongo box: driver on stripboard")
    page.text(60, 56, "Ubongo box: driver on stripboard", 30, font_weight="bold", fill=INK)
    page.text(
        60,
        86,
        f"{COLUMNS} holes by {len(STRIPS)} strips, 2.54 mm. Seen from the parts' side, copper below, left to right.",
        16,
        fill=SOFT,
    )
    page.rect(
        LEFT - 30,
        TOP - 30,
        (COLUMNS - 1) * PITCH + 60,
        (len(STRIPS) - 1) * PITCH + 60,
        rx=6,
        fill="#f4e9d8",
        stroke="#b99a6b",
    )
    for strip in STRIPS:
        x, y = _at((strip, 1))
        page.rect(x - 16, y - 11, (COLUMNS - 1) * PITCH + 32, 22, rx=3, fill=COPPER, fill_opacity=0.55)
        page.text(LEFT - 52, y + 6, strip, 17, text_anchor="middle", fill=INK, font_weight="bold")
        for column in range(1, COLUMNS + 1):
            page.circle(*_at((strip, column)), 3.5, fill="#ffffff", stroke="#b08a5a", stroke_width=0.8)
    for column in range(1, COLUMNS + 1):
        page.text(_at(("A", column))[0], TOP - 42, str(column), 13, text_anchor="middle", fill=SOFT)
    _chip(page)
    for hole in CUTS:
        x, y = _at(hole)
        page.line([(x - 7, y - 7), (x + 7, y + 7)], stroke="#ff5a4f", stroke_width=3)
        page.line([(x - 7, y + 7), (x + 7, y - 7)], stroke="#ff5a4f", stroke_width=3)
    for link, colour in zip(LINKS, (NET_COLOURS["GND"], NET_COLOURS["5V"]), strict=True):
        (a, _), (b, _) = link.legs
        page.line([_at(a), _at(b)], stroke=colour, stroke_width=5)
        _legs(page, link, colour)
        x, y = _at((STRIPS[(STRIPS.index(a[0]) + STRIPS.index(b[0])) // 2 + 1], a[1]))
        page.text(x - 8, y + 4, link.name, 14, text_anchor="end", fill=INK)
    _small_parts(page)
    for header in HEADERS:
        for hole, leg in header.legs:
            colour = _colour(leg)
            x, y = _at(hole)
            page.rect(x - 12, y - 12, 24, 24, rx=4, fill="#2b2b2b")
            page.circle(x, y, 7, fill=colour, stroke="#ffffff", stroke_width=1.5)
    _labels(page)
    return str(page)


def _colour(leg: str) -> str:
    if leg in NET_COLOURS:
        return NET_COLOURS[leg]
    return next(colour for number, _, colour in loads() if leg.endswith(str(number)))


def _legs(page: Page, part: Part, colour: str) -> None:
    for hole, _ in part.legs:
        page.circle(*_at(hole), 7, fill=colour, stroke=INK)


def _chip(page: Page) -> None:
    (x1, y1), (x2, y2) = _at((CHIP_STRIPS[0], CHIP_LEFT)), _at((CHIP_STRIPS[-1], CHIP_RIGHT))
    page.rect(x1 + 16, y1 - 18, x2 - x1 - 32, y2 - y1 + 36, rx=5, fill="#3a3a3a", fill_opacity=0.82)
    page.path(f"M {(x1 + x2) / 2 - 10} {y1 - 18} a 10 10 0 0 0 20 0", fill="#f4e9d8")
    page.text((x1 + x2) / 2 - 8, y2 - 100, "U1", 16, text_anchor="middle", fill="#ffffff", font_weight="bold")
    for hole, leg in CHIP.legs:
        x, y = _at(hole)
        page.rect(x - 10, y - 7, 20, 14, rx=2, fill="#c9c9c9", stroke=INK)
        page.text(x, y + 4, leg, 11, text_anchor="middle", fill=INK)


def _small_parts(page: Page) -> None:
    r1, c1, c2 = PARTS
    (x, ya), (_, yb) = _at(r1.legs[0][0]), _at(r1.legs[1][0])
    page.line([(x, ya), (x, yb)], stroke="#888888", stroke_width=3)
    page.rect(x - 9, (ya + yb) / 2 - 44, 18, 88, rx=7, fill="#e8d5b0", stroke=INK)
    page.text(x + 16, (ya + yb) / 2 + 5, "R1", 14, fill=INK)
    for part, half in ((c1, 17), (c2, 10)):
        (x, ya), (_, yb) = _at(part.legs[0][0]), _at(part.legs[1][0])
        page.rect(x - half, ya - 12, 2 * half, yb - ya + 24, rx=half, fill="#8fb3d9", stroke=INK)
        _legs(page, part, "#dddddd")
        page.text(x, ya - 16, part.name, 13, text_anchor="middle", fill=INK)
        if part is c1:
            page.text(x, ya + 5, "+", 14, text_anchor="middle", fill=INK, font_weight="bold")
    _legs(page, r1, "#dddddd")


def _labels(page: Page) -> None:
    right = LEFT + (COLUMNS - 1) * PITCH + 44
    for number, what, colour in loads():
        _, y = _at((STRIPS[1 + number], 1))
        page.text(right, y + 5, f"\N{MINUS SIGN} {what}", 16, fill=colour, font_weight="bold")
        page.text(LEFT - 70, y + 5, what, 14, text_anchor="end", fill=colour, font_weight="bold")
    for strip, net in (("A", "5V"), ("B", "GND")):
        page.text(
            LEFT - 70,
            _at((strip, 1))[1] + 5,
            "5 V" if net == "5V" else net,
            14,
            text_anchor="end",
            fill=NET_COLOURS[net],
            font_weight="bold",
        )
    page.text(right, _at(("A", 1))[1] + 5, "+ of all five", 16, fill=NET_COLOURS["5V"], font_weight="bold")
    for k, text in enumerate(steps()):
        page.text(90, TOP + len(STRIPS) * PITCH + 34 + 25 * k, text, 16, fill=INK)


def steps() -> Iterator[str]:
    """How it is built, one line a step."""
    first, last = CUTS[0], CUTS[-1]
    yield f"1. Cut the copper at {_name(first)} to {_name(last)} (red crosses), with a 3 mm drill turned by hand."
    yield "2. Links: " + ", ".join(f"{w.name} from {_name(w.legs[0][0])} to {_name(w.legs[1][0])}" for w in LINKS) + "."
    yield f"3. Socket for U1 at columns {CHIP_LEFT} and {CHIP_RIGHT}, notch towards strip A; the chip goes in last."
    yield "4. " + "; ".join(f"{p.name} {p.what}: {_name(p.legs[0][0])} to {_name(p.legs[1][0])}" for p in PARTS) + "."
    for header in HEADERS:
        a, b = header.legs[0][0], header.legs[-1][0]
        begin = "5. Pin rows:" if header is TO_PI else "and"
        yield f"{begin} {header.name} {header.what}, {_name(a)} to {_name(b)}."
    yield "6. Before the chip goes in: no contact between strips A and B (ohmmeter), nor between any neighbours."


def _name(hole: Hole) -> str:
    return f"{hole[0]}{hole[1]}"
