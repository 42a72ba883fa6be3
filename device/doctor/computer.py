"""Is this computer fit to be a box: board, system, Python, packages, clock, supply."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import metadata, util

from device.doctor.machine import Machine
from device.doctor.report import Finding, fault, ok, untested

OLDEST_PYTHON = (3, 11)
# A clock that says less has not been set: this program is younger.
OLDEST_YEAR = 2026
# /sys/.../get_throttled, as the firmware documents it.
_LOW_NOW, _LOW_SINCE_BOOT = 1 << 0, 1 << 16

# Distribution, and the module that must be there; PyPI's lgpio and apt's python3-lgpio carry the same module.
PACKAGES = (("gpiozero", "gpiozero"), ("luma.oled", "luma.oled"), ("pillow", "PIL"), ("lgpio", "lgpio"))
TOO_NEW = {"pillow": 14}


def checks(machine: Machine) -> Iterator[Finding]:
    """All of this room."""
    yield board(machine)
    yield system(machine)
    yield python()
    yield packages()
    yield clock(machine)
    yield supply(machine)


def board(machine: Machine) -> Finding:
    """The board's own name."""
    model = machine.text("/proc/device-tree/model")
    if model and "Raspberry Pi" in model:
        return ok("board", model)
    return fault(
        "board", f"{model or 'a computer'} that is no Raspberry Pi", "without one play with ubongo-box simulate"
    )


def system(machine: Machine) -> Finding:
    """Debian 12 or newer, or what is made from it."""
    values = {}
    for text in (machine.text("/etc/os-release") or "").splitlines():
        key, _, value = text.partition("=")
        values[key] = value.strip('"')
    name = values.get("PRETTY_NAME", "an unknown system")
    family = f"{values.get('ID', '')} {values.get('ID_LIKE', '')}".split()
    if not {"debian", "raspbian"} & set(family):
        return fault("system", name, "write a card with Raspberry Pi OS Lite (Bookworm or Trixie)")
    version = values.get("VERSION_ID", "").split(".")[0]
    if values.get("ID") in ("debian", "raspbian") and version.isdigit() and int(version) < 12:
        return fault("system", name, "is too old: write a card with Raspberry Pi OS Lite (Bookworm or Trixie)")
    return ok("system", name)


def python(version: tuple[int, int, int] = sys.version_info[:3]) -> Finding:
    """The Python that runs this."""
    text = ".".join(map(str, version))
    if version < OLDEST_PYTHON:
        return fault("python", text, "3.11 or newer is needed: write a card with a newer Raspberry Pi OS")
    return ok("python", text)


def packages() -> Finding:
    """The libraries, present and not too new. Looked for, not imported: lgpio leaves a FIFO where it is imported."""
    seen, missing = [], []
    for distribution, module in PACKAGES:
        if not _there(module):
            missing.append(distribution)
            continue
        try:
            version = metadata.version(distribution)
        except metadata.PackageNotFoundError:
            version = "of the system"
        major = version.split(".")[0]
        if major.isdigit() and int(major) >= TOO_NEW.get(distribution, 1000):
            missing.append(f"{distribution} older than {TOO_NEW[distribution]} (here is {version})")
        seen.append(f"{distribution} {version}")
    if missing:
        return fault("packages", f"missing: {', '.join(missing)}", "run deploy.sh again")
    seen.append("gpiod 2" if _there("gpiod.line") else "no gpiod 2 (works, but wakes more often)")
    return ok("packages", ", ".join(seen))


def _there(module: str) -> bool:
    try:
        return util.find_spec(module) is not None
    except ImportError:
        return False


def clock(machine: Machine) -> Finding:
    """The wall clock, that labels results and nothing else."""
    text = f"{machine.now:%Y-%m-%d %H:%M}"
    if machine.now.year < OLDEST_YEAR:
        return fault("clock", f"{text}, so it was never set", "connect the network once; only dates of results suffer")
    synchronised = machine.path("/run/systemd/timesync/synchronized").exists()
    return ok(
        "clock", f"{text}, {'set by the network' if synchronised else 'as it was at the last shutdown or set by hand'}"
    )


def supply(machine: Machine) -> Finding:
    """Whether the firmware has seen the 5 V sag."""
    text = machine.text("/sys/devices/platform/soc/soc:firmware/get_throttled")
    try:
        bits = int(text or "", 16)
    except ValueError:
        return untested("supply", "this board does not say whether its 5 V sagged")
    if bits & (_LOW_NOW | _LOW_SINCE_BOOT):
        when = "now" if bits & _LOW_NOW else "since power-on"
        return fault("supply", f"the 5 V sagged {when}", "use the supply made for this board and a short cable")
    return ok("supply", "the 5 V has not sagged since power-on")
