"""Item 1: from a picture to bytes on the bus, beside luma's and Adafruit's own ways. CPU time of one thread."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib import import_module
from typing import Any

from PIL import Image

from device.parts.oled import DisplaySettings, Oled, open_oled
from device.screen.draw import draw
from device.simulator.chip import Chip
from device.table.scenes import Show
from tests.bench.evening import race
from tests.bench.results import Row, Run, Sample, plain

FPS = 10.0
DRIVERS = ("ssd1306", "sh1106")
BYTES_GOAL = {"ssd1306": 60.0, "sh1106": 80.0}
CPU_GOAL = 9.0

Work = Callable[[], None]


class Sink:
    """A bus that takes everything and costs next to nothing, for luma's devices and for ours."""

    def command(self, *_cmd: int) -> None:
        """Take a transaction of command bytes."""

    def data(self, _data: Iterable[int]) -> None:
        """Take a transaction of bytes for the memory."""

    def cleanup(self) -> None:
        """Closed."""


class Bus:
    """The same as Adafruit's Blinka has it; counts bytes with the address of each transaction."""

    def __init__(self) -> None:
        self.bytes = 0

    def try_lock(self) -> bool:
        """Always free."""
        return True

    def unlock(self) -> None:
        """Free again."""

    def writeto(self, _address: int, buffer: Sequence[int], **_part: int) -> None:
        """Take a transaction."""
        self.bytes += 1 + len(buffer)


class Glass:
    """One glass of the race: what is shown and the pictures of it."""

    def __init__(self, seconds: float) -> None:
        self.shows: list[Show] = race(seconds, FPS)
        self.pictures: list[Image.Image] = [draw(show) for show in self.shows]


def ours(driver: str, pictures: Sequence[Image.Image]) -> Work:
    """Send the next of these pictures, over and over; nothing is healed, so every one is the bare way."""
    oled = open_oled(DisplaySettings(driver=driver, heal=1e9), line=Sink())
    following = _over_and_over(pictures)
    for picture in pictures[:3]:
        oled.show(picture)
    return lambda: oled.show(next(following))


def drawn(driver: str, shows: Sequence[Show]) -> Work:
    """Draw the next scene and send its picture."""
    oled = open_oled(DisplaySettings(driver=driver, heal=1e9), line=Sink())
    following = _over_and_over(shows)
    return lambda: oled.show(draw(next(following)))


def luma(driver: str, pictures: Sequence[Image.Image]) -> Work:
    """luma.oled's own display()."""
    device = getattr(import_module("luma.oled.device"), driver)(serial_interface=Sink())
    device.cleanup = lambda: None  # luma's hook at exit would switch the display off
    following = _over_and_over(pictures)
    return lambda: device.display(next(following))


def adafruit(pictures: Sequence[Image.Image], bus: Bus) -> Work | None:
    """Adafruit's image() and show(); None where it is not installed."""
    try:
        library: Any = import_module("adafruit_ssd1306")
    except (ImportError, NotImplementedError):  # the second: its Blinka knows this computer not at all
        return None
    device = library.SSD1306_I2C(128, 64, bus)
    following = _over_and_over(pictures)

    def work() -> None:
        device.image(next(following))
        device.show()

    return work


def _over_and_over(items: Sequence[Any]) -> Iterator[Any]:
    while True:
        yield from items


def timed(works: dict[str, tuple[Work, int]], repeats: int) -> dict[str, Sample]:
    """Seconds of this thread's CPU a call: of each work so many calls a repeat, all of them in turn."""
    found: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(repeats):
        for name, (work, calls) in works.items():
            began = time.thread_time_ns()
            for _ in range(calls):
                work()
            found[name].append((time.thread_time_ns() - began) / 1e9 / calls)
    return {name: Sample.of(values) for name, values in found.items()}


def traffic(driver: str, pictures: Sequence[Image.Image]) -> tuple[float, float]:
    """Mean bytes and transactions a picture of a glass at FPS, the regular full pictures counted in."""
    chip = Chip(driver)
    oled: Oled = open_oled(DisplaySettings(driver=driver), line=chip)
    oled.heal(0.0)
    before = (chip.traffic.bytes, chip.traffic.transactions)
    for number, picture in enumerate(pictures):
        oled.show(picture, number / FPS)
    after = (chip.traffic.bytes, chip.traffic.transactions)
    if chip.picture().tobytes() != pictures[-1].tobytes():
        raise AssertionError(f"the model of the {driver} shows another picture than was sent")
    return (after[0] - before[0]) / len(pictures), (after[1] - before[1]) / len(pictures)


def luma_traffic(driver: str, picture: Image.Image) -> float:
    """Bytes that luma sends for one picture."""
    chip = Chip(driver)
    device = getattr(import_module("luma.oled.device"), driver)(serial_interface=chip)
    device.cleanup = lambda: None
    before = chip.traffic.bytes
    device.display(picture)
    return float(chip.traffic.bytes - before)


def measure(run: Run) -> list[Row]:
    """Item 1."""
    glass = Glass(run(60, 5))
    pictures, some = glass.pictures, glass.pictures[::10]
    changing = [pictures[0], *_others(pictures[0])]
    bus = Bus()
    works = {"draw": (drawn("ssd1306", glass.shows), run(200, 5))}
    for driver in DRIVERS:
        works[f"luma {driver}"] = (luma(driver, some), run(60, 2))
        works[f"ours {driver}"] = (ours(driver, pictures), run(600, 20))
        works[f"all {driver}"] = (ours(driver, changing), run(100, 4))
    other = adafruit(some, bus)
    if other is not None:
        works["adafruit"] = (other, run(20, 1))
    cost = timed(works, run(7, 2))
    rows = []
    for driver in DRIVERS:
        stock, mine = cost[f"luma {driver}"], cost[f"ours {driver}"]
        rows.append(
            _against(f"{driver}: picture → bus, CPU a frame", mine, f"luma {stock.text('µs')}", stock, CPU_GOAL)
        )
        rows.append(_against(f"{driver}: the same, every byte changed", cost[f"all {driver}"], "luma, as above", stock))
        if driver == "ssd1306" and other is not None:
            peer = cost["adafruit"]
            rows.append(_against(f"{driver}: picture → bus, CPU a frame", mine, f"Adafruit {peer.text('µs')}", peer))
    stock = cost["luma ssd1306"]
    rows.append(
        _against("draw a race frame and send it", cost["draw"], f"luma's display() {stock.text('µs')}", stock, 2.0)
    )
    for driver in DRIVERS:
        mean, transactions = traffic(driver, pictures)
        full = luma_traffic(driver, pictures[0])
        limit = BYTES_GOAL[driver]
        rows.append(
            Row(
                1,
                f"{driver}: bytes a frame, {len(pictures) / FPS:.0f} s glass",
                f"{mean:.1f} in {transactions:.2f} transactions",
                f"luma {full:,.0f}",
                f"{full / mean:.1f} ×",
                f"≤ {limit:.0f}" + (", ≥ 17 ×" if driver == "ssd1306" else ""),
                mean <= limit and (driver != "ssd1306" or full / mean >= 17),
            )
        )
    if other is not None:
        before = bus.bytes
        other()
        rows.append(Row(1, "ssd1306: bytes a frame", "as above", f"Adafruit {bus.bytes - before:,}"))
    return rows


def _others(picture: Image.Image) -> list[Image.Image]:
    """The picture's negative: sent in turn with it, no byte stays as it is."""
    return [picture.point(lambda value: 255 - value)]


def _against(what: str, mine: Sample, said: str, peer: Sample, goal: float | None = None) -> Row:
    ratio = peer.median / mine.median
    wanted = "" if goal is None else f"≥ {plain(goal, 1)} ×"
    return Row(1, what, mine.text("µs"), said, f"{ratio:.1f} ×", wanted, None if goal is None else ratio >= goal)
