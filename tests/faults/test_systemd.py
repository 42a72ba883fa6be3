"""What systemd sees of the box, on a real notify socket; and what its unit must and must not say, with the reason."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory, MockPin, MockPWMPin

from device.errors import UserError
from device.notify import Notify
from device.parts.pins import DEFAULT_PINS
from tests.faults.rig import PATIENCE, Box

UNIT = Path(__file__).parents[2] / "systemd/ubongo-box.service"
BEAT = 0.1
"""Seconds between two signs of life: a third of what the manager is told to wait."""


class Manager:
    """The other end of the socket."""

    def __init__(self, path: Path) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(str(path))
        self.environ = {"NOTIFY_SOCKET": str(path), "WATCHDOG_USEC": str(round(BEAT * 3e6))}

    def hear(self, seconds: float = PATIENCE) -> str:
        """The next thing it is told, within so many seconds; "" if nothing is."""
        self._socket.settimeout(seconds)
        try:
            return self._socket.recv(100).decode()
        except (TimeoutError, BlockingIOError):
            return ""

    def heard(self) -> list[str]:
        """All it was told so far and has not been asked for."""
        return list(iter(lambda: self.hear(0.0), ""))

    def close(self) -> None:
        self._socket.close()


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[Manager]:
    made = Manager(tmp_path / "notify")
    yield made
    made.close()


def test_it_is_ready_once_its_buttons_answer_and_says_when_it_ends(manager: Manager) -> None:
    with Box(notify=Notify(manager.environ)) as box:
        assert manager.hear() == "READY=1"
        box.press(3)
        box.wait("joined", player="green")
        assert manager.hear() == "WATCHDOG=1"
    told = manager.heard()
    assert set(told[:-1]) <= {"WATCHDOG=1"}
    assert told[-1] == "STOPPING=1"


def test_a_box_whose_pins_are_taken_is_never_ready(manager: Manager) -> None:
    class Taken(MockFactory):  # type: ignore[misc]  # gpiozero ships no types
        def pin(self, name: Any, **also: Any) -> MockPin:
            if name == DEFAULT_PINS.buttons[3]:
                raise RuntimeError("'GPIO busy'")
            return super().pin(name, **also)

    box = Box(notify=Notify(manager.environ), factory=Taken(pin_class=MockPWMPin))
    with pytest.raises(UserError, match="in use by another program"):
        box.service.run()
    assert manager.heard() == []


def test_a_loop_that_does_no_work_gives_no_sign_of_life(manager: Manager) -> None:
    stuck, go_on = threading.Event(), threading.Event()

    def say(one: dict[str, Any]) -> None:
        if one["what"] == "joined":
            stuck.set()
            go_on.wait(PATIENCE)

    with Box(notify=Notify(manager.environ), say=say) as box:
        box.press(1)
        assert stuck.wait(PATIENCE)
        manager.heard()
        # The other threads live, and a manager would wait for three beats.
        silent = manager.hear(10 * BEAT)
        go_on.set()
        assert silent == ""
        assert manager.hear() == "WATCHDOG=1"


def test_a_manager_that_has_gone_costs_nothing(manager: Manager) -> None:
    manager.close()
    with Box(notify=Notify(manager.environ)) as box:
        box.press(1)
        box.wait("joined")
        assert not box.notices("error")


def said(key: str) -> list[str]:
    """All values the unit gives this key, in order."""
    lines = [line.partition("=") for line in UNIT.read_text().splitlines() if not line.startswith(("#", "["))]
    return [value for name, _, value in lines if name == key]


@pytest.mark.parametrize(
    ("key", "values"),
    [
        pytest.param("StartLimitIntervalSec", ["0"], id="a bad minute must not leave it failed for good"),
        pytest.param("Restart", ["always"], id="whatever ended it, it comes back"),
        pytest.param("Type", ["notify"], id="an update waits until its buttons answer"),
        pytest.param("User", ["ubongo-box"], id="no card has a user pi any more, and root it needs not be"),
        pytest.param("SupplementaryGroups", ["gpio i2c"], id="the two groups that may touch pins and bus"),
        pytest.param("DeviceAllow", ["char-gpiochip rw", "char-89 rw"], id="i2c by number: its name comes late"),
        pytest.param("PrivateDevices", [], id="it would hide pins and bus"),
        pytest.param("ProcSubset", [], id="it would hide the board's revision"),
        pytest.param("After", [], id="a bus that never comes must not hold the start"),
        pytest.param("Requires", [], id="nor anything else"),
        pytest.param("RuntimeDirectory", ["ubongo-box"], id="a folder for what lgpio leaves behind"),
        pytest.param("WorkingDirectory", ["/run/ubongo-box"], id="lgpio leaves it where it stands"),
        pytest.param("Environment", ["LG_WD=/run/ubongo-box", "LC_ALL=C.UTF-8"], id="or where it is told"),
    ],
)
def test_the_unit_says(key: str, values: list[str]) -> None:
    assert said(key) == values


def test_the_unit_grants_the_end_more_time_than_a_card_and_a_bus_that_hang_may_take() -> None:
    assert float(*said("TimeoutStopSec")) > 2 * 0.7
