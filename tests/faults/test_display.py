"""The display fails while people play: play goes on, it is said once, and it heals by itself."""

from __future__ import annotations

import errno
import itertools
import random
import threading

import pytest
from luma.core.error import DeviceNotFoundError

from device.parts import display
from device.parts.buzzer import Buzzer
from device.parts.oled import DisplaySettings, Oled, open_oled
from device.screen.draw import draw
from device.simulator.chip import Chip
from device.store import Store
from tests.faults.rig import Box

ERRNOS = [
    errno.EIO,
    errno.EREMOTEIO,
    errno.ENXIO,
    errno.ETIMEDOUT,
    errno.EAGAIN,
    errno.ENODEV,
    errno.EBADF,
    errno.EINVAL,
    errno.ENOSPC,
    errno.EBUSY,
]
LOST, BACK = "display does not answer", "display is back"


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Attempts follow each other in tenths of a second."""
    monkeypatch.setattr(display, "PATIENCE", (0.05, 0.1))


def shows_the_truth(box: Box) -> bool:
    show = box.service._show
    return show is not None and box.chip.lit and box.chip.picture().tobytes() == draw(show).tobytes()


def a_round(box: Box) -> None:
    """From a running race to the scores."""
    box.to_draw()
    box.to_scores()


@pytest.mark.parametrize(
    "trouble",
    [
        pytest.param(OSError(errno.EREMOTEIO, "Remote I/O error"), id="a loose wire"),
        pytest.param(DeviceNotFoundError("I2C device not found"), id="luma's own error"),
        pytest.param(TimeoutError("timed out"), id="a time-out"),
        pytest.param(RuntimeError("a defect of the library"), id="a defect"),
    ],
)
def test_lost_in_the_race_and_back_at_the_scores(trouble: Exception) -> None:
    with Box() as box:
        box.to_race()
        box.chip.fail = trouble
        box.until(lambda: bool(box.notices("oled")), "the display is missed")
        a_round(box)
        assert len(box.notices("oled")) == 1
        assert box.notices("oled")[0].startswith(LOST)
        assert box.service._table.notice == "oled"
        box.chip.glitch(1)
        box.chip.fail = None
        box.until(lambda: len(box.notices("oled")) == 2, "it is back")
        assert box.notices("oled")[1] == BACK
        box.until(lambda: shows_the_truth(box), "the picture is whole")
        assert box.service._table.notice == ""
    assert box.dark


def test_every_errno_at_any_call_of_any_frame() -> None:
    rng = random.Random(6)
    seen: set[int] = set()

    def fail(_: int) -> OSError | None:
        if rng.random() < 0.7:
            return None
        number = rng.choice(ERRNOS)
        seen.add(number)
        return OSError(number, "on the bus")

    with Box() as box:
        box.chip.taken = 1
        box.chip.fail = fail
        box.to_race()
        # The glass runs to its end twice, ten pictures a second, before the round is lost.
        box.wait("stop")
        box.chip.fail = None
        box.until(lambda: shows_the_truth(box), "the picture is whole")
        texts = box.notices("oled")
        assert all((text == BACK) == bool(n % 2) for n, text in enumerate(texts)), texts
        assert not box.notices("error")
    assert seen == set(ERRNOS)
    assert box.dark


@pytest.mark.parametrize("number", [errno.ENOENT, errno.EACCES, errno.ENXIO, errno.EREMOTEIO])
def test_absent_at_the_start_and_found_in_play(number: int) -> None:
    chip = Chip()
    there = [False]

    def connect() -> Oled:
        if not there[0]:
            raise OSError(number, "no display")
        return open_oled(DisplaySettings(), line=chip)

    with Box(chip=chip, connect=connect) as box:
        box.to_race()
        box.until(lambda: len(box.notices("oled")) == 1, "it is missed")
        assert f"Errno {number}" in box.notices("oled")[0]
        there[0] = True
        a_round(box)
        box.until(lambda: box.notices("oled")[1:] == [BACK], "it is found")
        box.until(lambda: shows_the_truth(box), "the picture is whole")
    assert box.dark


def test_one_thread_alone_speaks_to_the_bus_from_the_first_picture_to_the_last() -> None:
    speakers, calls, well = set[str](), itertools.count(1), threading.Event()

    def listen(_: int) -> OSError | None:
        speakers.add(threading.current_thread().name)
        # Now and then one fails, so that healing speaks as well.
        return OSError(errno.EIO, "on the bus") if next(calls) % 50 == 0 and not well.is_set() else None

    chip = Chip()
    chip.fail = listen
    with Box(chip=chip) as box:
        box.to_race()
        a_round(box)
        box.hold(1, 2, 3)
        box.wait("scene", scene="menu")
        well.set()
        box.until(lambda: shows_the_truth(box), "the picture is whole")
    assert next(calls) > 100
    assert box.dark
    assert speakers == {"display"}


def test_stop_sounds_though_the_card_and_a_write_of_the_display_hang(monkeypatch: pytest.MonkeyPatch) -> None:
    flush, well = Store.flush, threading.Event()
    waits: set[str] = set()

    def hang() -> None:
        if not well.is_set():
            waits.add(threading.current_thread().name)
            well.wait()

    def slow(self: Store) -> None:
        hang()
        flush(self)

    rang, play = threading.Event(), Buzzer.play

    def heard(self: Buzzer, sound: str, now: float | None = None) -> float | None:
        due = play(self, sound, now)
        if sound == "stop":
            rang.set()
        return due

    with Box() as box:
        box.to_race()
        box.press(2)
        box.wait("claim")
        monkeypatch.setattr(Store, "flush", slow)
        monkeypatch.setattr(Buzzer, "play", heard)
        box.chip.stall = hang
        box.until(lambda: waits == {"display", "store"}, "both hang")
        try:
            # Had the loop waited for either, it would be silent for ever. How late it is the bench measures.
            box.until(rang.is_set, "Stop sounds")
            assert box.buzzes
        finally:
            well.set()
        box.wait("stop", reason="sand")
        box.until(lambda: shows_the_truth(box), "the picture is whole")
    assert box.dark
