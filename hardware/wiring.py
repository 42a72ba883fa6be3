"""The wiring drawing: header in the middle, display and buttons at its left, driver with lamps and buzzer at its right.

Every wire comes from wires.wires(); only places on the paper are decided here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from device.game.players import SEATS
from hardware.svg import Page, Point, lanes
from hardware.wires import BUZZER_COLOUR, COLOURS, HEADER, NET_COLOURS, Wire, loads, wires

WIDTH, HEIGHT = 1500, 1130
TOP, PITCH = 200.0, 38.0  # the header's first row, and from row to row
ODD, EVEN = 672.0, 712.0  # x of its two columns
LEFT_EDGE, RIGHT_EDGE = 556.0, 828.0  # where wires leave the header's labels
CHIP_LEFT, CHIP_RIGHT, CHIP_TOP, CHIP_PITCH = 980.0, 1116.0, 312.0, 42.0
LOAD_X, LOAD_TOP, LOAD_PITCH, RAIL = 1290.0, 270.0, 122.0, 1452.0
BUTTON_X, BUTTON_TOP, BUTTON_PITCH, GROUND_RAIL = 300.0, 478.0, 130.0, 168.0
INK, SOFT, BOARD = "#222222", "#777777", "#e9f3ea"
GROUND, FIVE = NET_COLOURS["GND"], NET_COLOURS["5V"]
WIRE = 4.0


def row(position: int) -> float:
    """The height of a header position on the paper."""
    return TOP + (position - 1) // 2 * PITCH


def draw() -> str:
    """The drawing as SVG."""
    page = Page(WIDTH, HEIGHT, "Ubongo box: wiring")
    page.text(60, 62, "Ubongo box: wiring", 34, font_weight="bold", fill=INK)
    page.text(
        60,
        94,
        "Seen from above. Numbers in circles: place on the header. GPIO: the number in the config. "
        "Switch the Pi off before you touch a wire.",
        17,
        fill=SOFT,
    )
    all_wires = wires()
    page.rect(
        LEFT_EDGE - 16, TOP - 62, RIGHT_EDGE - LEFT_EDGE + 32, 20 * PITCH + 90, rx=14, fill=BOARD, stroke="#7fa886"
    )
    page.text((ODD + EVEN) / 2, TOP - 34, "Raspberry Pi, 40-pin header", 17, text_anchor="middle", fill=INK)
    _display(page, [w for w in all_wires if w.part == "display"])
    _buttons(page, [w for w in all_wires if w.part.startswith("button")])
    _driver(page, {w.terminal: w for w in all_wires if w.part == "driver"})
    _header(page, {w.position: w for w in all_wires})
    _transistor(page, 892, 880)
    _notes(page)
    return str(page)


def _wire(page: Page, points: list[Point], colour: str, name: str = "") -> None:
    style: dict[str, str | float] = {"data_wire": name} if name else {}
    page.line(points, stroke=colour, stroke_width=WIRE, **style)


def _joint(page: Page, x: float, y: float, colour: str) -> None:
    page.circle(x, y, 6, fill=colour)


def _header(page: Page, used: Mapping[int, Wire]) -> None:
    for position, name in HEADER.items():
        left = position % 2 == 1
        x, y = (ODD if left else EVEN), row(position)
        wire = used.get(position)
        # Pin 1 is square on every board: that is how it is found.
        fill = wire.colour if wire else "#ffffff"
        ink = "#ffffff" if wire else SOFT
        if position == 1:
            page.rect(x - 11, y - 11, 22, 22, fill=fill, stroke=INK)
        else:
            page.circle(x, y, 11, fill=fill, stroke=INK if wire else "#aaaaaa")
        page.text(
            x, y + 4.5, str(position), 13, text_anchor="middle", fill=ink, font_weight="bold" if wire else "normal"
        )
        label_x = LEFT_EDGE if left else RIGHT_EDGE - 94
        if wire:
            page.rect(label_x, y - 12, 94, 24, rx=12, fill=wire.colour)
        text = f"{name} {'SDA' if wire.bcm == 2 else 'SCL'}" if wire and wire.bcm in (2, 3) else name
        page.text(
            label_x + 47, y + 5, text, 13, text_anchor="middle", fill="#ffffff" if wire else "#999999",
            font_weight="bold" if wire else "normal", data_position=position,
        )  # fmt: skip # a text is one thought


def _terminal(page: Page, x: float, y: float, name: str, anchor: str = "start") -> None:
    page.circle(x, y, 6, fill="#f2d16b", stroke=INK)
    page.text(x + (12 if anchor == "start" else -12), y + 5, name, 14, text_anchor=anchor, fill=INK)


def _display(page: Page, display: list[Wire]) -> None:
    right = 400.0
    page.rect(90, TOP - 50, right - 90, 240, rx=8, fill="#dfe8f5", stroke="#5b7aa8")
    page.rect(112, TOP - 30, 176, 88, fill="#10131a")
    page.text(200, TOP + 24, "128 x 64", 22, text_anchor="middle", fill="#9fd3ff")
    page.text(112, TOP + 92, "OLED display, I2C", 18, font_weight="bold", fill=INK)
    page.text(112, TOP + 114, "SSD1306, SSD1309 or SH1106", 14, fill=INK)
    page.text(112, TOP + 140, "The order of the pins differs:", 14, fill=SOFT)
    page.text(112, TOP + 160, "go by what is printed on yours.", 14, fill=SOFT)
    for wire in display:
        y = row(wire.position)
        _wire(page, [(right, y), (LEFT_EDGE, y), (ODD, y)], wire.colour, f"{wire.part} {wire.terminal}")
        _terminal(page, right, y, wire.terminal, "end")


def _buttons(page: Page, all_wires: list[Wire]) -> None:
    switches = all_wires[: len(SEATS)]
    ground = all_wires[-1]
    ordered = sorted(switches, key=lambda w: w.position)
    places = {w.part: BUTTON_TOP + i * BUTTON_PITCH for i, w in enumerate(ordered)}
    sources = [places[w.part] for w in ordered]
    targets = [row(w.position) for w in ordered]
    left, right = BUTTON_X - 58, BUTTON_X + 58
    bottom = sources[-1] + 88
    for y in sources:
        _wire(page, [(left, y), (GROUND_RAIL, y)], GROUND)
    for y in sources[1:]:
        _joint(page, GROUND_RAIL, y, GROUND)
    _wire(
        page,
        [(GROUND_RAIL, sources[0]), (GROUND_RAIL, bottom), (530, bottom), (530, row(ground.position)),
         (ODD, row(ground.position))],
        GROUND, f"{ground.part} {ground.terminal}",
    )  # fmt: skip # as the wire runs
    for wire, y, to, x in zip(ordered, sources, targets, lanes(sources, targets, 440, 30), strict=True):
        _wire(page, [(right, y), (x, y), (x, to), (ODD, to)], wire.colour, f"{wire.part} {wire.terminal}")
        page.circle(BUTTON_X, y, 48, fill="#f4f4f4", stroke=INK)
        page.circle(BUTTON_X, y, 34, fill=wire.colour, stroke=INK)
        number = int(wire.part.split()[1])
        page.text(BUTTON_X, y + 9, str(number), 28, text_anchor="middle", fill="#ffffff", font_weight="bold")
        page.text(BUTTON_X, y - 56, f"button {number}, {SEATS[number - 1]}", 15, text_anchor="middle", fill=INK)
        page.circle(left, y, 6, fill="#f2d16b", stroke=INK)
        page.circle(right, y, 6, fill="#f2d16b", stroke=INK)


def _driver(page: Page, driver: Mapping[str, Wire]) -> None:
    def pin_y(pin: int) -> float:
        return CHIP_TOP + (pin - 1 if pin <= 9 else 18 - pin) * CHIP_PITCH

    inputs = sorted((w for name, w in driver.items() if name.startswith("IN")), key=lambda w: w.terminal)
    # Wires from the odd column run to the right between two rows.
    starts = {w.position: row(w.position) for w in inputs}
    for wire in (w for w in inputs if w.position % 2):
        between = PITCH * {11: 0.5, 13: 0.39, 15: -0.39}.get(wire.position, 0.5)
        starts[wire.position] += between
    # The heights of the chip's inputs follow the wires, so the drawing has no crossing as long as the order agrees.
    sources = [starts[w.position] for w in inputs]
    targets = [pin_y(int(w.terminal[2:])) for w in inputs]
    for wire, y, to, x in zip(inputs, sources, targets, lanes(sources, targets, RIGHT_EDGE + 40, 22), strict=True):
        begin = [(ODD, row(wire.position)), (ODD, y)] if wire.position % 2 else [(EVEN, y)]
        _wire(page, [*begin, (x, y), (x, to), (CHIP_LEFT, to)], wire.colour, f"{wire.part} {wire.terminal}")
    ground = driver["GND"]
    y, to = row(ground.position), pin_y(9)
    _wire(page, [(EVEN, y), (RIGHT_EDGE + 40, y), (RIGHT_EDGE + 40, to), (CHIP_LEFT, to)], GROUND, "driver GND")
    five = row(driver["5V"].position)
    bottom = LOAD_TOP + 4 * LOAD_PITCH + 66
    rail: list[Point] = [(EVEN, five), (RAIL, five), (RAIL, bottom), (CHIP_RIGHT + 20, bottom),
                         (CHIP_RIGHT + 20, pin_y(10)), (CHIP_RIGHT, pin_y(10))]  # fmt: skip # as the wire runs
    _wire(page, rail, FIVE, "driver 5V")
    page.text(RAIL - 8, five - 12, "5 V", 16, text_anchor="end", fill=FIVE, font_weight="bold")

    page.rect(CHIP_LEFT + 12, CHIP_TOP - 34, CHIP_RIGHT - CHIP_LEFT - 24, 8 * CHIP_PITCH + 68, rx=6, fill="#3a3a3a")
    middle = (CHIP_LEFT + CHIP_RIGHT) / 2
    page.path(f"M {middle - 14} {CHIP_TOP - 34} a 14 14 0 0 0 28 0", fill="#ffffff")
    for k, word in enumerate(("ULN", "2803A")):
        page.text(
            middle,
            CHIP_TOP + 4 * CHIP_PITCH + 20 * k - 5,
            word,
            15,
            text_anchor="middle",
            fill="#ffffff",
            font_weight="bold",
        )
    for pin in range(1, 19):
        x = CHIP_LEFT if pin <= 9 else CHIP_RIGHT
        page.rect(x - 12 if pin <= 9 else x, pin_y(pin) - 6, 12, 12, fill="#c9c9c9", stroke=INK)
        inner = CHIP_LEFT + 20 if pin <= 9 else CHIP_RIGHT - 20
        page.text(inner, pin_y(pin) + 5, str(pin), 12, text_anchor="start" if pin <= 9 else "end", fill="#dddddd")
    page.text(middle, CHIP_TOP - 46, "driver, seen from above", 15, text_anchor="middle", fill=INK)
    _loads(page, pin_y)


def _loads(page: Page, pin_y: Callable[[int], float]) -> None:
    channels = loads()
    sources = [pin_y(19 - number) for number, _, _ in channels]
    targets = [LOAD_TOP + i * LOAD_PITCH for i in range(len(channels))]
    xs = lanes(sources, targets, CHIP_RIGHT + 46, 20)
    for (number, what, colour), y, to, x in zip(channels, sources, targets, xs, strict=True):
        _wire(page, [(CHIP_RIGHT + 12, y), (x, y), (x, to), (LOAD_X - 40, to)], colour, f"OUT{number} {what}")
        _wire(page, [(LOAD_X + 40, to), (RAIL, to)], FIVE)
        _joint(page, RAIL, to, FIVE)
        if what == "buzzer":
            page.line(
                [(LOAD_X - 40, to), (LOAD_X - 40, to - 46), (LOAD_X + 40, to - 46), (LOAD_X + 40, to)],
                stroke=INK,
                stroke_width=2,
            )
            page.rect(LOAD_X - 24, to - 54, 48, 16, fill="#e8d5b0", stroke=INK)
            page.text(LOAD_X, to - 41.5, "1 kΩ", 12, text_anchor="middle", fill=INK)
            page.circle(LOAD_X, to, 32, fill="#4a4a4a", stroke=INK)
            page.circle(LOAD_X, to, 7, fill="#ffffff")
            page.text(LOAD_X, to + 52, "passive buzzer", 15, text_anchor="middle", fill=INK)
        else:
            page.circle(LOAD_X, to, 26, fill=colour, stroke=INK, fill_opacity=0.35)
            page.path(
                f"M {LOAD_X + 14} {to - 14} L {LOAD_X + 14} {to + 14} L {LOAD_X - 10} {to} Z", fill=colour, stroke=INK
            )
            page.line([(LOAD_X - 12, to - 15), (LOAD_X - 12, to + 15)], stroke=INK, stroke_width=3)
            label = f"{what}, in button {what[-1]}"
            page.text(LOAD_X, to + 46, label, 15, text_anchor="middle", fill=INK)
        for side, sign in ((-40, "\N{MINUS SIGN}"), (40, "+")):
            page.circle(LOAD_X + side, to, 6, fill="#f2d16b", stroke=INK)
            page.text(LOAD_X + side, to - 12 if what != "buzzer" else to + 24, sign, 18, text_anchor="middle", fill=INK)


def _transistor(page: Page, x: float, y: float) -> None:
    page.rect(x, y, 560, 196, rx=10, fill="#fafafa", stroke="#bbbbbb")
    page.text(x + 18, y + 28, "No ULN2803A? One of these for each channel", 16, font_weight="bold", fill=INK)
    base, mid = x + 268, y + 112
    _wire(page, [(x + 70, mid), (base, mid)], BUZZER_COLOUR)
    page.text(x + 18, mid + 5, "GPIO", 14, fill=INK)
    page.rect(x + 116, mid - 9, 64, 18, fill="#e8d5b0", stroke=INK)
    page.text(x + 148, mid - 16, "1 kΩ", 14, text_anchor="middle", fill=INK)
    _wire(page, [(x + 222, mid), (x + 222, y + 172), (x + 420, y + 172)], GROUND)
    page.rect(x + 213, mid + 14, 18, 34, fill="#e8d5b0", stroke=INK)
    page.text(x + 206, mid + 38, "10 kΩ", 14, text_anchor="end", fill=INK)
    _wire(page, [(base + 14, mid - 14), (base + 40, mid - 36), (base + 40, y + 56), (x + 420, y + 56)], COLOURS["blue"])
    _wire(page, [(base + 14, mid + 14), (base + 40, mid + 36), (base + 40, y + 172)], GROUND)
    page.circle(base + 18, mid, 34, fill="none", stroke=INK)
    page.line([(base, mid - 20), (base, mid + 20)], stroke=INK, stroke_width=5)
    page.path(f"M {base + 36} {mid + 33} l -14 -2 l 7 -10 z", fill=INK)
    page.text(x + 430, y + 61, "\N{MINUS SIGN} of the lamp", 14, fill=INK)
    page.text(x + 430, y + 177, "GND", 14, fill=INK)
    page.text(base + 66, mid - 12, "BC337-40 or 2N2222: mind its legs.", 13, fill=INK)
    page.text(base + 66, mid + 5, "Across a buzzer with a coil belongs", 13, fill=INK)
    page.text(base + 66, mid + 22, "a diode, 1N4148, ring to 5 V.", 13, fill=INK)


def _notes(page: Page) -> None:
    lines = (
        "Switches go either way round: one contact to ground, the other to its pin.",
        "VCC of the display to 3V3, never to 5 V: its pull-ups would put 5 V on SDA and SCL.",
        "Lamps with a built-in resistor (5 V). A bare LED needs 150 Ω in series with it.",
        "The 1 kΩ lies across a piezo buzzer, which has to be discharged; one with a coil does without.",
    )
    for k, text in enumerate(lines):
        page.circle(70, HEIGHT - 112 + 26 * k, 4, fill=FIVE)
        page.text(84, HEIGHT - 107 + 26 * k, text, 16, fill=INK)
