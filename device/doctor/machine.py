"""The computer as the checks see it: files below a root, devices, users, systemd. A test hands in another one."""

from __future__ import annotations

import fcntl
import grp
import os
import pwd
import struct
import subprocess
import time
from contextlib import closing, suppress
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

UNIT = "ubongo-box.service"
SERVICE_USER = "ubongo-box"

# linux/i2c-dev.h: I2C_SLAVE. linux/gpio.h: _IOWR(0xB4, 0x02, struct gpioline_info), flag 1: somebody holds it.
_I2C_SLAVE = 0x0703
_GET_LINEINFO = 0xC048B402
_LINEINFO = struct.Struct("II32s32s")
# A command that SSD1306, SSD1309 and SH1106 all take and ignore.
_NOP = 0xE3


class Line(NamedTuple):
    """A line of the GPIO chip: who holds it (the name they gave), or None."""

    holder: str | None


@dataclass
class Machine:
    """What a check may ask. Paths are absolute and read below `root`."""

    root: Path = Path("/")
    config_path: Path | None = None
    store: Path = Path("/nonexistent")
    now: datetime = field(default_factory=datetime.now)

    def path(self, absolute: str) -> Path:
        """A path below the root."""
        return self.root / absolute.lstrip("/")

    def text(self, absolute: str) -> str | None:
        """A file's text without NULs and blanks around it, None if it can't be read."""
        try:
            return self.path(absolute).read_bytes().decode("utf-8", "replace").replace("\0", "").strip()
        except OSError:
            return None

    def user(self) -> str:
        """Who is running this."""
        try:
            return pwd.getpwuid(os.geteuid()).pw_name
        except KeyError:
            return str(os.geteuid())

    def service_uid(self) -> int | None:
        """The uid of the service's own user, None if there is none."""
        try:
            return pwd.getpwnam(SERVICE_USER).pw_uid
        except KeyError:
            return None

    def group_of(self, path: Path) -> str:
        """The group that a file belongs to."""
        gid = path.stat().st_gid
        try:
            return grp.getgrgid(gid).gr_name
        except KeyError:
            return str(gid)

    def service(self) -> dict[str, str] | None:
        """What systemd knows of the box's service; None without systemd."""
        wanted = "LoadState,ActiveState,SubState,UnitFileState,NRestarts,MainPID,SupplementaryGroups"
        command = ["systemctl", "show", UNIT, f"--property={wanted}"]
        try:
            asked = subprocess.run(command, capture_output=True, text=True, timeout=10, check=True)
        except (OSError, subprocess.SubprocessError):
            return None
        return dict(line.split("=", 1) for line in asked.stdout.splitlines() if "=" in line)

    def lines(self, chip: Path, pins: tuple[int, ...]) -> dict[int, Line]:
        """Who holds these lines of the chip; asks the kernel, takes none. OSError as the chip gives it."""
        found = {}
        handle = os.open(chip, os.O_RDWR | os.O_CLOEXEC)
        try:
            for pin in pins:
                answer = fcntl.ioctl(handle, _GET_LINEINFO, _LINEINFO.pack(pin, 0, b"", b""))
                _, flags, _, consumer = _LINEINFO.unpack(answer)
                name = bytes(consumer).rstrip(b"\0").decode("utf-8", "replace")
                found[pin] = Line((name or "the kernel") if flags & 1 else None)
        finally:
            os.close(handle)
        return found

    def answers(self, bus: Path, addresses: range) -> list[int]:
        """Who acknowledges a one-byte read on this I2C bus. OSError if the bus can't be opened."""
        found = []
        with closing(_Bus(bus)) as handle:
            for address in addresses:
                with suppress(OSError):
                    handle.speak_to(address)
                    os.read(handle.fd, 1)
                    found.append(address)
        return found

    def bus_speed(self, bus: Path, address: int) -> float:
        """The bus's speed in Hz, from how long the display takes to be sent bytes that it ignores. OSError."""
        message = bytes([0x00]) + bytes([_NOP]) * 127
        quickest = float("inf")
        with closing(_Bus(bus)) as handle:
            handle.speak_to(address)
            for _ in range(5):
                began = time.perf_counter()
                os.write(handle.fd, message)
                quickest = min(quickest, time.perf_counter() - began)
        # Nine clocks a byte, the address being one.
        return (len(message) + 1) * 9 / quickest


class _Bus:
    def __init__(self, path: Path) -> None:
        self.fd = os.open(path, os.O_RDWR | os.O_CLOEXEC)

    def speak_to(self, address: int) -> None:
        fcntl.ioctl(self.fd, _I2C_SLAVE, address)

    def close(self) -> None:
        os.close(self.fd)
