"""Which library is taken, and the one line a person reads when there is none."""

from __future__ import annotations

import errno
import fcntl
import os
import struct
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from device.errors import UserError
from device.parts import factories
from device.parts.factories import Chip, find_chip, open_factory


@pytest.fixture
def dev(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A /dev whose chips answer with the label that is written in them; "EACCES" or "ENOTTY" is the error."""

    def ioctl(descriptor: int, request: int, _argument: bytes) -> bytes:
        assert request == 0x8044B401
        label = Path(f"/proc/self/fd/{descriptor}").resolve().read_text()
        if label in ("EACCES", "ENOTTY"):
            raise OSError(getattr(errno, label), label)
        return struct.pack("32s32sI", b"gpiochip", label.encode(), 54)

    monkeypatch.setattr(fcntl, "ioctl", ioctl)
    return tmp_path


@pytest.mark.parametrize(
    ("chips", "number"),
    [
        pytest.param({"gpiochip0": "pinctrl-bcm2835", "gpiochip1": "raspberrypi-exp-gpio"}, 0, id="Pi Zero 2 W"),
        pytest.param({"gpiochip0": "pinctrl-bcm2711", "gpiochip1": "raspberrypi-exp-gpio"}, 0, id="Pi 4"),
        pytest.param({"gpiochip0": "gpio-brcmstb@107d508500", "gpiochip4": "pinctrl-rp1"}, 4, id="Pi 5, old kernel"),
        pytest.param({"gpiochip0": "pinctrl-rp1", "gpiochip10": "gpio-brcmstb@107d508500"}, 0, id="Pi 5"),
        pytest.param({"gpiochip0": "pinctrl-rp1", "gpiochip4": "pinctrl-rp1"}, 0, id="Pi 5, compatibility link"),
        pytest.param({"gpiochip0": "ENOTTY", "gpiochip1": "pinctrl-bcm2711"}, 1, id="one that is no chip"),
        pytest.param({"gpiochip0": "EACCES", "gpiochip1": "pinctrl-bcm2711"}, 1, id="one that may not be opened"),
    ],
)
def test_the_chip_is_found_by_its_label(dev: Path, chips: dict[str, str], number: int) -> None:
    for name, label in chips.items():
        (dev / name).write_text(label)
    assert find_chip(dev).number == number


@pytest.mark.parametrize(
    ("chips", "message"),
    [
        pytest.param({}, "no Raspberry Pi pins here (no /dev/gpiochip)", id="no chip"),
        pytest.param({"gpiochip0": "INT34C5:00"}, "no Raspberry Pi pins here (only INT34C5:00)", id="a laptop"),
        pytest.param({"gpiochip0": "EACCES"}, "no permission to open", id="not in the group"),
    ],
)
def test_no_chip_is_one_line(dev: Path, chips: dict[str, str], message: str) -> None:
    for name, label in chips.items():
        (dev / name).write_text(label)
    with pytest.raises(UserError) as refused:
        find_chip(dev)
    assert str(refused.value).startswith(message)
    assert refused.value.code == 1


def test_mock_pins_are_there_everywhere() -> None:
    factory = open_factory("mock")
    assert isinstance(factory, MockFactory)
    assert factory.pin_class is MockPWMPin


def test_an_unknown_library_is_wrong_use() -> None:
    with pytest.raises(UserError, match="'pigpio' is none of auto, gpiod, lgpio, mock") as refused:
        open_factory("pigpio")
    assert refused.value.code == 2


def test_lgpio_is_imported_without_a_trace(tmp_path: Path) -> None:
    """A stand-in that does on import what lgpio does: FIFO in $LG_WD, another working directory."""
    (tmp_path / "lgpio.py").write_text(
        "import os\n"
        "where = os.environ.get('LG_WD', '.')\n"
        "os.chdir(where); os.mkfifo('.lgd-nfy0')\n"
        "seen = os.listdir('.')\n"
    )
    (tmp_path / "run").mkdir()
    script = (
        "import os, sys\n"
        "from device.parts.lg import load\n"
        "here = os.getcwd()\n"
        "lgpio = load()\n"
        "assert load() is lgpio\n"
        "print(os.getcwd() == here, lgpio.seen, lgpio.where.startswith(os.environ['RUNTIME_DIRECTORY']),\n"
        "      os.path.exists(lgpio.where), os.listdir(os.environ['RUNTIME_DIRECTORY']), os.environ.get('LG_WD'))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        timeout=60,
        env={
            **{key: value for key, value in os.environ.items() if key != "LG_WD"},
            "PYTHONPATH": f"{tmp_path}:{os.getcwd()}",
            "RUNTIME_DIRECTORY": str(tmp_path / "run"),
        },
    )
    assert (done.stdout, done.stderr) == ("True ['.lgd-nfy0'] True False [] None\n", "")


@pytest.fixture
def pi(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(factories, "find_chip", lambda: Chip(0, "pinctrl-bcm2711"))


class Opened(Exception):
    """Stands for the factory that was opened."""


def library(name: str, outcome: Exception) -> ModuleType:
    module = ModuleType(name)

    def fail(*_: object) -> None:
        raise outcome

    module.__dict__.update(LineFactory=fail, LgpioFactory=fail)
    return module


@pytest.mark.parametrize(
    ("choice", "gpiod", "lgpio", "message"),
    [
        pytest.param(None, None, None, "no library for the pins", id="none at all"),
        pytest.param("auto", OSError(16, "Device or resource busy"), None, "opened by gpiod", id="gpiod refuses"),
        pytest.param(None, None, RuntimeError("can't open gpiochip"), "opened by lgpio", id="falls back to lgpio"),
        pytest.param("lgpio", OSError("never asked"), RuntimeError("x"), "opened by lgpio", id="lgpio by name"),
        pytest.param("gpiod", None, RuntimeError("x"), "no library", id="a named one has no stand-in"),
    ],
)
@pytest.mark.usefixtures("pi")
def test_what_cannot_be_opened_is_one_line_and_no_other_is_taken_silently(
    choice: str | None,
    gpiod: Exception | None,
    lgpio: Exception | None,
    message: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, outcome in (("linefactory", gpiod), ("lgpiofactory", lgpio)):
        # None in sys.modules makes an import fail as if nothing were installed.
        module = library(name, outcome) if outcome is not None else None
        monkeypatch.setitem(sys.modules, f"device.parts.{name}", module)
    monkeypatch.setattr("device.parts.lg.load", lambda: None)
    with pytest.raises(UserError, match=message) as refused:
        open_factory(choice)
    assert refused.value.code == 1
    assert "\n" not in str(refused.value)
