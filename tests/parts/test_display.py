"""The display's thread: the newest picture wins, nothing ever waits for it, and a lost display comes back."""

from __future__ import annotations

import errno
import queue
import threading
import time
from collections.abc import Callable, Iterator

import pytest
from luma.core.error import DeviceNotFoundError, DevicePermissionError
from PIL import Image, ImageDraw

from device.parts import display as display_module
from device.parts.display import Display
from device.parts.oled import DisplaySettings, Oled, open_oled
from device.simulator.chip import Chip
from device.table.scenes import Asleep, Lobby, Show

SOON = 20.0


def lobby(number: int, **also: object) -> Show:
    return Show(Lobby("classic", str(number), ()), **also)  # type: ignore[arg-type]  # named fields of Show


ASLEEP = Show(Asleep())


def draw(show: Show) -> Image.Image:
    """A picture that says which Show it is: a bar as long as the lobby's side."""
    assert isinstance(show.scene, Lobby)
    picture = Image.new("1", (128, 64))
    ImageDraw.Draw(picture).rectangle((0, 0, int(show.scene.side), 10), fill=1)
    return picture


class Box:
    """A Display on a modelled chip, with everything it tells, and waits that end as soon as they may."""

    def __init__(self, settings: DisplaySettings | None = None) -> None:
        self.settings = settings or DisplaySettings()
        self.moved = threading.Condition()
        self.chip = Chip(self.settings.driver, changed=self._wake)
        self.told: queue.SimpleQueue[tuple[str, str]] = queue.SimpleQueue()
        self.refuse: Exception | None = None
        self.connects = 0
        self.display: Display

    def _wake(self) -> None:
        with self.moved:
            self.moved.notify_all()

    def connect(self) -> Oled:
        self.connects += 1
        self._wake()
        if self.refuse is not None:
            raise self.refuse
        return open_oled(self.settings, self.chip)

    def start(self, drawing: Callable[[Show], Image.Image] = draw) -> Box:
        self.display = Display(self.connect, drawing, lambda about, text: self.told.put((about, text)))
        return self

    def until(self, true: Callable[[], bool]) -> None:
        with self.moved:
            assert self.moved.wait_for(true, SOON)

    def until_shown(self, show: Show) -> None:
        wanted = draw(show).tobytes()
        self.until(lambda: self.chip.lit and self.chip.picture().tobytes() == wanted)

    def heard(self) -> tuple[str, str]:
        return self.told.get(timeout=SOON)


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(display_module, "PATIENCE", (0.01,))


@pytest.fixture
def box() -> Iterator[Box]:
    made = Box()
    yield made
    made.chip.fail = None
    made.display.close(SOON)


def test_what_is_handed_in_is_shown_and_the_end_is_dark(box: Box) -> None:
    box.start().display.show(lobby(40))
    box.until_shown(lobby(40))
    assert box.display.close(SOON)
    assert (box.chip.on, box.chip.closed, box.told.empty()) == (False, True, True)


def test_the_newest_wins_and_stale_ones_are_never_drawn(box: Box) -> None:
    """With the bus stalled, nine pictures come in; only the last of them is drawn afterwards."""
    stalled, go_on = threading.Event(), threading.Event()
    drawn: list[str] = []

    def noting(show: Show) -> Image.Image:
        assert isinstance(show.scene, Lobby)
        drawn.append(show.scene.side)
        return draw(show)

    box.start(noting).display.show(lobby(1))
    box.until_shown(lobby(1))

    def stall() -> None:
        stalled.set()
        assert go_on.wait(SOON)

    box.chip.stall = stall
    box.display.show(lobby(2))
    assert stalled.wait(SOON)
    for number in range(3, 12):
        box.display.show(lobby(number))
    box.chip.stall = 0.0
    go_on.set()
    box.until_shown(lobby(11))
    assert drawn == ["1", "2", "11"]


def test_a_stalled_bus_holds_neither_show_nor_the_exit(box: Box) -> None:
    stalled, go_on = threading.Event(), threading.Event()
    box.start().display.show(lobby(1))
    box.until_shown(lobby(1))

    def stall() -> None:
        stalled.set()
        assert go_on.wait(SOON)

    box.chip.stall = stall
    box.display.show(lobby(2))
    assert stalled.wait(SOON)
    done = threading.Event()

    def loop() -> None:
        for number in range(1000):
            box.display.show(lobby(number % 128))
        assert not box.display.close(timeout=0.05)
        done.set()

    threading.Thread(target=loop, daemon=True).start()
    assert done.wait(SOON)
    box.chip.stall = 0.0
    go_on.set()
    assert box.display.close(SOON)
    assert not box.chip.on


@pytest.mark.parametrize(
    ("trouble", "text"),
    [
        pytest.param(OSError(errno.EREMOTEIO, "Remote I/O error"), "Errno 121", id="nack"),
        pytest.param(OSError(errno.EIO, "I/O error"), "Errno 5", id="input/output"),
        pytest.param(OSError(errno.ENXIO, "No such device or address"), "Errno 6", id="nobody answers"),
        pytest.param(TimeoutError(errno.ETIMEDOUT, "Connection timed out"), "Errno 110", id="clock held low"),
        pytest.param(DeviceNotFoundError("I2C device not found on address: 0x3C"), "0x3C", id="luma"),
    ],
)
@pytest.mark.usefixtures("impatient")
def test_a_display_lost_in_play_is_told_once_and_back_once(box: Box, trouble: Exception, text: str) -> None:
    box.start().display.show(lobby(10))
    box.until_shown(lobby(10))
    box.chip.fail = trouble
    box.display.show(lobby(20))
    about, said = box.heard()
    assert (about, text in said) == ("oled", True)
    box.until(lambda: box.connects >= 4)
    box.display.show(lobby(30))
    box.chip.glitch()
    box.chip.fail = None
    assert box.heard() == ("oled", "display is back")
    box.until_shown(lobby(30))
    assert box.display.close(SOON)
    assert box.told.empty()


def test_the_number_behind_lumas_own_error_is_told(box: Box) -> None:
    trouble = DeviceNotFoundError("I2C device not found on address: 0x3C")
    trouble.__context__ = OSError(errno.EREMOTEIO, "Remote I/O error")
    box.refuse = trouble
    box.start()
    assert box.heard() == (
        "oled",
        "display does not answer (I2C device not found on address: 0x3C, Errno 121): playing on without it",
    )


@pytest.mark.parametrize(
    "trouble",
    [
        pytest.param(DeviceNotFoundError("I2C device not found: /dev/i2c-1"), id="the bus is not there yet"),
        pytest.param(DevicePermissionError("I2C device permission denied: /dev/i2c-1"), id="udev is late"),
        pytest.param(PermissionError(errno.EACCES, "Permission denied"), id="EACCES"),
        pytest.param(FileNotFoundError(errno.ENOENT, "No such file"), id="ENOENT"),
        pytest.param(ImportError("No module named smbus2"), id="no library"),
    ],
)
@pytest.mark.usefixtures("impatient")
def test_a_display_missing_at_start_is_found_when_it_comes(box: Box, trouble: Exception) -> None:
    box.refuse = trouble
    box.start().display.show(lobby(10))
    assert box.heard()[0] == "oled"
    box.until(lambda: box.connects >= 5)
    box.refuse = None
    assert box.heard() == ("oled", "display is back")
    box.until_shown(lobby(10))
    assert box.told.empty()


def test_one_lost_frame_is_mended_at_once_and_not_told(box: Box) -> None:
    box.start().display.show(lobby(10))
    box.until_shown(lobby(10))
    broken = box.chip.traffic.transactions + 1
    box.chip.fail = lambda count: OSError(121, "NACK") if count == broken else None
    box.chip.taken = 2
    box.display.show(lobby(20))
    box.until_shown(lobby(20))
    assert box.display.close(SOON)
    assert (box.told.empty(), box.connects, box.display.lost) == (True, 1, 1)


def test_attempts_become_rarer() -> None:
    assert [display_module.patience(failures) for failures in range(2, 9)] == [0.5, 1.0, 2.0, 4.0, 8.0, 8.0, 8.0]


def test_pictures_do_not_hasten_the_next_attempt_and_the_end_does_not_wait_for_it(
    box: Box, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(display_module, "PATIENCE", (3600.0,))
    box.refuse = OSError(errno.ENXIO, "nobody")
    box.start()
    assert box.heard()[0] == "oled"
    for number in range(100):
        box.display.show(lobby(number))
    assert box.display.close(SOON)
    assert (box.connects, box.display.lost) == (2, 2)


def test_asleep_is_dark_and_waking_shows_the_picture(box: Box) -> None:
    box.start().display.show(lobby(10))
    box.until_shown(lobby(10))
    box.display.show(ASLEEP)
    box.until(lambda: not box.chip.on)
    box.chip.glitch()
    box.display.show(lobby(10))
    box.until_shown(lobby(10))


@pytest.mark.parametrize(
    ("brightness", "dim", "contrast"),
    [
        pytest.param(200, False, 200, id="as set"),
        pytest.param(255, False, 255, id="brightest"),
        pytest.param(200, True, 20, id="dimmed when idle"),
        pytest.param(5, True, 1, id="never off by dimming"),
    ],
)
def test_brightness(box: Box, brightness: int, dim: bool, contrast: int) -> None:
    box.start().display.show(lobby(10, brightness=brightness, dim=dim))
    box.until_shown(lobby(10))
    assert box.chip.contrast == contrast


def test_an_unseen_glitch_heals_by_itself(box: Box) -> None:
    box.settings = DisplaySettings(heal=0.05)
    box.start().display.show(lobby(10))
    box.until_shown(lobby(10))
    box.chip.glitch()
    box.until_shown(lobby(10))


def test_a_picture_that_cannot_be_drawn_costs_only_itself(box: Box) -> None:
    def faulty(show: Show) -> Image.Image:
        if show.dim:
            raise KeyError("no such symbol")
        return draw(show)

    box.start(faulty).display.show(lobby(10, dim=True))
    assert box.heard() == ("screen", "Lobby can't be drawn (KeyError('no such symbol'))")
    box.display.show(lobby(11, dim=True))
    box.display.show(lobby(12))
    box.until_shown(lobby(12))
    assert box.told.empty()


def test_it_sleeps_while_nothing_moves(box: Box) -> None:
    """No wake-up of its own between two pictures but the rare healing one."""
    woken: list[float | None] = []
    box.start().display.show(lobby(10))
    box.until_shown(lobby(10))
    idle = threading.Event()
    condition = box.display._mail
    real_wait = condition.wait

    def wait(timeout: float | None = None) -> bool:
        woken.append(timeout)
        idle.set()
        return real_wait(timeout)

    condition.wait = wait  # type: ignore[method-assign]  # counts the waits of this one condition
    box.display.show(lobby(11))
    box.until_shown(lobby(11))
    assert idle.wait(SOON)
    assert all(timeout is not None and timeout > 29 for timeout in woken)


def test_a_bus_that_goes_in_the_sleep_is_met_when_it_wakes(box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(display_module, "PATIENCE", (0.01,))
    box.start().display.show(lobby(10))
    box.until_shown(lobby(10))
    box.display.show(ASLEEP)
    box.until(lambda: not box.chip.on)
    box.chip.fail = OSError(121, "gone")
    box.display.show(lobby(10))
    assert box.heard()[0] == "oled"
    box.display.show(ASLEEP)
    box.chip.fail = None
    assert box.heard() == ("oled", "display is back")
    deadline = time.monotonic() + SOON
    while box.chip.on and time.monotonic() < deadline:
        time.sleep(0.001)
    assert not box.chip.on
