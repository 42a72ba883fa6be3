"""The panel at true size, in millimetres: to print at 100 %, lay on the lid and drill through.

Each player has a side of the table, so the buttons stand at the middles of the sides, clockwise from the far one.
"""

from __future__ import annotations

import math

from device.game.players import SEATS
from hardware.svg import Page
from hardware.wires import COLOURS

# A4; the lid's square fits its width with the margin that printers leave white.
PAPER = (210.0, 297.0)
LID = 170.0
CENTRE = (105.0, 116.0)
BUTTON_AT = 62.0  # from the lid's centre
SCREW_AT = 76.0
# Diameters. A button's hole is its nominal size; its rim is what must not touch anything else.
HOLES = {"30 mm": 30.0, "24 mm": 24.0}
RIM = 34.0
# Active areas as the makers of the panels state them, width by height; holes are made a little larger.
DISPLAYS = {"0.96″": (21.74, 10.86), "1.3″": (29.42, 14.7), "2.42″": (55.01, 27.49)}
CUT, THIN = "#c1121f", "#777777"


def button_places() -> tuple[tuple[float, float], ...]:
    """Centres of buttons 1 to 4 on the paper, in mm: far side, right, near side, left."""
    x, y = CENTRE
    return (x, y - BUTTON_AT), (x + BUTTON_AT, y), (x, y + BUTTON_AT), (x - BUTTON_AT, y)


def draw() -> str:
    """The template as SVG."""
    page = Page(*PAPER, "Ubongo box: panel, 1:1", unit="mm")
    x, y = CENTRE
    half = LID / 2
    page.text(20, 16, "Ubongo box: panel, 1:1", 6, font_weight="bold", fill="#222222")
    page.text(
        20,
        23,
        "Print at 100 % (no fitting to the page) and check the scale below with a ruler before you drill.",
        3.4,
        fill=THIN,
    )
    page.rect(x - half, y - half, LID, LID, rx=6, fill="none", stroke="#222222", stroke_width=0.35)
    for sx in (-1, 1):
        for sy in (-1, 1):
            _hole(page, x + sx * SCREW_AT, y + sy * SCREW_AT, 3.2)
    for player, (bx, by) in zip(SEATS, button_places(), strict=True):
        page.circle(bx, by, RIM / 2, fill=COLOURS[player], fill_opacity=0.12, stroke=COLOURS[player], stroke_width=0.3)
        _hole(page, bx, by, HOLES["30 mm"])
        page.circle(bx, by, HOLES["24 mm"] / 2, fill="none", stroke=CUT, stroke_width=0.25, stroke_dasharray="1.6 1")
        page.text(
            bx, by - 3.5, f"{player.button} {player}", 4, text_anchor="middle", fill="#222222", font_weight="bold"
        )
    _display(page)
    _buzzer(page, x + 42, y - 42)
    page.text(x, y + half + 6, "near side: the display is read from here", 3.6, text_anchor="middle", fill=THIN)
    _legend(page, y + half + 16)
    return str(page)


def _hole(page: Page, x: float, y: float, diameter: float) -> None:
    page.circle(x, y, diameter / 2, fill="none", stroke=CUT, stroke_width=0.35)
    arm = max(2.5, diameter / 8)
    page.line([(x - arm, y), (x + arm, y)], stroke=CUT, stroke_width=0.2)
    page.line([(x, y - arm), (x, y + arm)], stroke=CUT, stroke_width=0.2)


def _display(page: Page) -> None:
    x, y = CENTRE
    for (name, (w, h)), dash in zip(DISPLAYS.items(), ("", "2 1", "0.8 0.8"), strict=True):
        style = {"stroke_dasharray": dash} if dash else {}
        page.rect(x - w / 2, y - h / 2, w, h, fill="none", stroke=CUT, stroke_width=0.3, **style)
        # The smallest carries its name within, the others above their line.
        page.text(x - w / 2 + 1, y + (h / 2 - 1 if h < 12 else -h / 2 - 1), name, 2.4, fill=CUT)
    page.line([(x - 4, y), (x + 4, y)], stroke=CUT, stroke_width=0.2)
    page.line([(x, y - 4), (x, y + 4)], stroke=CUT, stroke_width=0.2)


def _buzzer(page: Page, x: float, y: float) -> None:
    for ring, count in ((0.0, 1), (4.0, 6), (8.0, 12)):
        for k in range(count):
            angle = 2 * math.pi * k / count
            page.circle(
                x + ring * math.cos(angle), y + ring * math.sin(angle), 0.75, fill="none", stroke=CUT, stroke_width=0.3
            )
    page.text(x, y + 13.5, "buzzer, holes 1.5 mm", 2.8, text_anchor="middle", fill=THIN)


def _legend(page: Page, top: float) -> None:
    rows = (
        "Red: cut or drill. Buttons: 30 mm (whole circle) or 24 mm (dashed). Screws: 3.2 mm, for M3.",
        "Display: the visible picture of a 0.96″ (whole line), 1.3″ (dashed) and 2.42″ (dotted) panel. Modules",
        "differ in size and screws: lay yours on the lines, mark its own holes, cut 1 mm larger all round.",
        "Depth: measure a button with its lamp and plugs before you choose a case. Keep the SD card reachable.",
    )
    for k, text in enumerate(rows):
        page.text(20, top + 5.2 * k, text, 3.4, fill="#222222")
    y = top + 27
    page.line([(20, y), (120, y)], stroke="#222222", stroke_width=0.4)
    for mm in range(0, 101, 10):
        page.line([(20 + mm, y - (3 if mm % 50 == 0 else 1.8)), (20 + mm, y)], stroke="#222222", stroke_width=0.3)
    for mm in (0, 50, 100):
        page.text(20 + mm, y + 4.5, f"{mm} mm", 3.2, text_anchor="middle", fill="#222222")
