"""Table, drawings and the program's own pins say the same; what is committed is what the table gives."""

from __future__ import annotations

import re
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from gpiozero import pi_info

from device.parts.pins import DEFAULT_PINS, PULLED_DOWN
from hardware import panel, stripboard, wiring
from hardware.generate import HERE, files
from hardware.svg import lanes
from hardware.wires import HEADER, POSITION, loads, wires

SVG = "{http://www.w3.org/2000/svg}"
# A Pi 4's header as gpiozero knows it, which is another source than ours.
J8 = pi_info(0xC03114).headers["J8"].pins


@pytest.mark.parametrize("name", files())
def test_what_is_committed_is_what_the_table_gives(name: str) -> None:
    assert (HERE / name).read_text(encoding="utf-8") == files()[name], "run: python -m hardware.generate"


def test_our_header_is_the_one_gpiozero_knows() -> None:
    theirs = {position: pin.name.replace("GPIO", "GPIO ") for position, pin in J8.items()}
    assert theirs == HEADER


def test_every_pin_of_the_program_has_its_wire() -> None:
    by_bcm = {wire.bcm: wire for wire in wires() if wire.bcm is not None}
    assert set(by_bcm) == {2, 3, *DEFAULT_PINS.buttons, *DEFAULT_PINS.outputs}
    assert [by_bcm[pin].part for pin in DEFAULT_PINS.buttons] == [f"button {n}" for n in range(1, 5)]
    channels = {f"IN{number}": what for number, what, _ in loads()}
    assert channels[by_bcm[DEFAULT_PINS.buzzer].terminal] == "buzzer"
    assert [channels[by_bcm[pin].terminal] for pin in DEFAULT_PINS.lamps] == [f"lamp {n}" for n in range(1, 5)]


def test_no_place_on_the_header_is_used_twice() -> None:
    positions = [wire.position for wire in wires()]
    assert len(set(positions)) == len(positions)


def test_what_sounds_or_lights_is_pulled_down_at_power_on() -> None:
    assert set(DEFAULT_PINS.outputs) <= PULLED_DOWN
    rows = (HERE / "pins.md").read_text(encoding="utf-8").splitlines()
    for pin in DEFAULT_PINS.outputs:
        (row,) = [row for row in rows if f"| GPIO {pin} |" in row]
        assert "0 V through about 50 kΩ: off" in row


class TestWiring:
    """The drawing is read back: lines by what they are said to connect, places by their labels."""

    root = ElementTree.fromstring(wiring.draw())

    def lines(self) -> dict[str, list[tuple[float, float]]]:
        """Each named wire's points."""
        found = {}
        for line in self.root.iter(f"{SVG}polyline"):
            if name := line.get("data-wire"):
                points = (pair.split(",") for pair in line.attrib["points"].split())
                found[name] = [(float(x), float(y)) for x, y in points]
        return found

    def test_every_wire_is_drawn_and_ends_at_its_place_on_the_header(self) -> None:
        lines = self.lines()
        for wire in wires():
            name = f"{wire.part} {wire.terminal}"
            place = (wiring.ODD if wire.position % 2 else wiring.EVEN, wiring.row(wire.position))
            assert place in (lines[name][0], lines[name][-1]), name

    def test_labels_on_the_header_are_right(self) -> None:
        labels = {
            int(text.attrib["data-position"]): text.text
            for text in self.root.iter(f"{SVG}text")
            if "data-position" in text.attrib
        }
        assert {n: str(text).removesuffix(" SDA").removesuffix(" SCL") for n, text in labels.items()} == HEADER

    def test_no_two_wires_cross(self) -> None:
        named = [(name, list(pairwise(points))) for name, points in self.lines().items()]
        crossings = [
            (a, b)
            for i, (a, first) in enumerate(named)
            for b, second in named[i + 1 :]
            if any(crosses(one, two) for one in first for two in second)
        ]
        assert crossings == []


Segment = tuple[tuple[float, float], tuple[float, float]]


def crosses(one: Segment, two: Segment) -> bool:
    """Whether a level and an upright piece of wire meet."""
    (ax, ay), (bx, by) = one
    (cx, cy), (dx, dy) = two
    if ay == by and cx == dx:
        return min(ax, bx) < cx < max(ax, bx) and min(cy, dy) < ay < max(cy, dy)
    if ax == bx and cy == dy:
        return crosses(two, one)
    # Two level or two upright pieces meet if they lie on each other.
    if ay == by == cy == dy:
        return max(min(ax, bx), min(cx, dx)) < min(max(ax, bx), max(cx, dx))
    return ax == bx == cx == dx and max(min(ay, by), min(cy, dy)) < min(max(ay, by), max(cy, dy))


def test_a_crossing_would_be_seen() -> None:
    assert crosses(((0, 5), (10, 5)), ((5, 0), (5, 10)))
    assert crosses(((5, 0), (5, 10)), ((0, 5), (10, 5)))
    assert crosses(((0, 5), (10, 5)), ((5, 5), (15, 5)))
    assert not crosses(((0, 5), (10, 5)), ((0, 6), (10, 6)))


def test_lanes_keep_wires_that_go_up_and_down_apart() -> None:
    sources, targets = [10.0, 20.0, 30.0, 40.0], [5.0, 15.0, 50.0, 60.0]
    xs = lanes(sources, targets, 100.0, 10.0)
    routes = [
        [((0.0, s), (x, s)), ((x, s), (x, t)), ((x, t), (200.0, t))]
        for s, t, x in zip(sources, targets, xs, strict=True)
    ]
    assert not any(crosses(one, two) for i, a in enumerate(routes) for b in routes[i + 1 :] for one in a for two in b)


class TestStripboard:
    """The plan, followed along strips, cuts and links, connects what the table of wires says, and nothing else."""

    def net_of(self, leg: str) -> frozenset[str]:
        """Everything connected with "part.leg"."""
        (net,) = {net for net in stripboard.nets() if any(name.split("@")[0] == leg for name in net)}
        return net

    def legs(self, leg: str) -> set[str]:
        """The same without places and links."""
        names = {name.split("@")[0] for name in self.net_of(leg)}
        return {name for name in names if not name.startswith("W")}

    @pytest.mark.parametrize(("number", "what"), [(number, what) for number, what, _ in loads()])
    def test_each_channel_goes_from_the_pi_through_the_chip_to_its_load(self, number: int, what: str) -> None:
        assert self.legs(f"J1.IN{number}") == {f"J1.IN{number}", f"U1.{number}"}
        beside = {"R1.a"} if what == "buzzer" else set()
        assert self.legs(f"J2.OUT{number}") == {f"J2.OUT{number}", f"U1.{19 - number}"} | beside

    def test_power_and_ground(self) -> None:
        assert self.legs("J1.5V") == {"J1.5V", "U1.10", "J3.5V", "C1.+", "C2.a", "R1.b"}
        assert self.legs("J1.GND") == {"J1.GND", "U1.9", "J4.GND", "C1.\N{MINUS SIGN}", "C2.b"}

    def test_no_hole_is_used_twice_and_no_cut_has_a_leg(self) -> None:
        holes = [hole for part in stripboard.EVERYTHING for hole, _ in part.legs]
        assert len(set(holes)) == len(holes)
        assert not set(holes) & set(stripboard.CUTS)
        assert all(1 <= column <= stripboard.COLUMNS and strip in stripboard.STRIPS for strip, column in holes)


class TestPanel:
    """The template prints at true size and everything fits on it."""

    def test_it_is_a4_in_millimetres(self) -> None:
        root = ElementTree.fromstring(panel.draw())
        assert (root.get("width"), root.get("height"), root.get("viewBox")) == ("210mm", "297mm", "0 0 210 297")

    def test_rims_of_buttons_clear_the_edge_the_screws_and_the_largest_display(self) -> None:
        x, y = panel.CENTRE
        half = panel.LID / 2
        wide, high = max(panel.DISPLAYS.values())
        for bx, by in panel.button_places():
            assert max(abs(bx - x), abs(by - y)) + panel.RIM / 2 < half
            assert max(abs(bx - x) - wide / 2, abs(by - y) - high / 2) > panel.RIM / 2
            assert all(
                ((bx - x - sx * panel.SCREW_AT) ** 2 + (by - y - sy * panel.SCREW_AT) ** 2) ** 0.5 > panel.RIM
                for sx in (-1, 1)
                for sy in (-1, 1)
            )

    def test_buttons_stand_clockwise(self) -> None:
        (ax, ay), (bx, by), (cx, cy), (dx, dy) = panel.button_places()
        assert ay < by < cy
        assert dx < ax < bx
        assert (ax, by) == (cx, dy)

    def test_the_scale_is_as_long_as_it_says(self) -> None:
        marks = re.findall(r'x="([\d.]+)"[^>]*>(0|50|100) mm<', panel.draw())
        places = {int(label): float(x) for x, label in marks}
        assert (places[50] - places[0], places[100] - places[0]) == (50, 100)


def test_positions_and_names_agree() -> None:
    assert all(HEADER[position] == f"GPIO {bcm}" for bcm, position in POSITION.items())
