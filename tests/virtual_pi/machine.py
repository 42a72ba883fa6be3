"""A virtual Raspberry Pi to test on: pi-vm's commands as methods, and what the box shows, lights and keeps there."""

from __future__ import annotations

import contextlib
import io
import os
import re
import shutil
import subprocess
import tarfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import mkdtemp
from typing import NamedTuple

from device.parts.pins import DEFAULT_PINS
from tests.virtual_pi.twin import from_display

HERE = Path(__file__).parent
PROJECT = HERE.parent.parent
STORE = "/var/lib/ubongo-box/ubongo-box.sqlite"
MEMORY = "/sys/kernel/debug/pi_sim/fb"
LINES = "/sys/devices/platform/gpio-sim.0/gpiochip0"
CONFIG = "/etc/ubongo-box.toml"
BOOT = "/boot/firmware/config.txt"
STOCK_BOOT = "# stock\ndtparam=audio=on\n#dtparam=i2c_arm=on\n\n[cm4]\notg_mode=1\n\n[all]\n"
# What deploy.sh ships; tests copy exactly this to spoil a copy.
SHIPPED = ("deploy.sh", "pyproject.toml", "README.md", "LICENSE", "device", "systemd")
TOOLS = ("qemu-system-x86_64", "qemu-img", "mmdebstrap", "gcc-12", "make", "ssh")

PATIENCE = 240.0
"""Seconds to wait for what should take a few: the guest is some 13 times slower than its host, which may be busy."""


def lacking() -> str:
    """Why no virtual Pi can run here, or nothing."""
    if os.geteuid() != 0:
        return "needs root (loop devices, mmdebstrap)"
    missing = [tool for tool in TOOLS if shutil.which(tool) is None]
    return f"needs {', '.join(missing)} (see tests/virtual_pi/README.md)" if missing else ""


class Look(NamedTuple):
    """The box at one moment: its display's rows, its lit lamps by button, its buzzer's line, a copy of its store."""

    picture: bytes
    lit: tuple[int, ...]
    buzzer: int
    store: Path


class VirtualPi:
    """One machine in the folder `work` (a short path), its ssh on `port`."""

    def __init__(self, work: Path, port: int) -> None:
        self.work, self.port = work, port
        self.env = {**os.environ, "PI_VM_PORT": str(port), "PI_VM_KHZ": "400", "PI_VM_INCLUDE": "polkitd"}
        self.env["PATH"] = f"{work / 'bin'}:{os.environ['PATH']}"
        self.wheels = work / "wheels"

    def vm(self, *command: str, timeout: float = 600.0) -> None:
        """A command of pi-vm."""
        subprocess.run([str(HERE / "pi-vm"), str(self.work), *command], env=self.env, check=True, timeout=timeout)

    def running(self) -> bool:
        """Whether the machine is on."""
        pid = self.work / "qemu.pid"
        return pid.is_file() and Path(f"/proc/{pid.read_text().strip()}").exists()

    def build(self) -> None:
        """Kernel, disk and wheels; what is there already is kept."""
        self.wheels.mkdir(parents=True, exist_ok=True)
        # What deploy.sh installs in the guest, for Debian 12's Python there.
        pip = ["pip", "download", "-q", "-d", str(self.wheels), "--only-binary=:all:", "--python-version=3.11"]
        pip += [f"--platform=manylinux_2_{minor}_x86_64" for minor in (17, 28, 34)]
        wanted = ["gpiozero>=2.0.1", "luma.oled>=3.14", "pillow<14", "lgpio", "gpiod>=2"]
        if not any(self.wheels.glob("gpiod-*.whl")):
            subprocess.run(["python3", "-m", *pip, *wanted], check=True, timeout=600)
        self.vm("build")

    def fresh(self) -> None:
        """Switched on with the card as it was written: nothing of ours on it."""
        if self.running():
            # Left by somebody who was broken off.
            self.vm("cut")
        self.build()
        self.vm("reset")
        self.vm("start")

    def ssh(self, command: str, user: str = "root", check: bool = True, timeout: float = 300.0) -> str:
        """A command in the guest; gives what it printed."""
        done = self.run(command, user, timeout)
        assert not check or done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
        return done.stdout

    def run(self, command: str, user: str = "root", timeout: float = 300.0) -> subprocess.CompletedProcess[str]:
        """A command in the guest, however it ends."""
        there = ["ssh", "-F", str(self.work / "ssh_config"), "-l", user, "pi", command]
        return subprocess.run(there, env=self.env, capture_output=True, text=True, timeout=timeout, check=False)

    def hang_up(self, user: str) -> None:
        """Log this user out; the next command logs in anew, with the groups that the user has by then."""
        leave = ["ssh", "-F", str(self.work / "ssh_config"), "-l", user, "-O", "exit", "pi"]
        subprocess.run(leave, env=self.env, capture_output=True, timeout=60, check=False)

    def read(self, path: str) -> bytes:
        """A file of the guest."""
        return self._bytes(f"cat {path}")

    def _bytes(self, command: str) -> bytes:
        there = ["ssh", "-F", str(self.work / "ssh_config"), "-l", "root", "pi", command]
        return subprocess.run(there, env=self.env, capture_output=True, timeout=300, check=False).stdout

    def write(self, path: str, text: str) -> None:
        """A small file of the guest."""
        there = ["ssh", "-F", str(self.work / "ssh_config"), "-l", "root", "pi", f"cat >{path}"]
        subprocess.run(there, env=self.env, input=text.encode(), timeout=300, check=True)

    def deploy(self, *options: str, source: Path = PROJECT) -> subprocess.CompletedProcess[str]:
        """deploy.sh from this side, as a person would call it."""
        command = [str(source / "deploy.sh"), "pi@127.0.0.1", "-p", str(self.port), *options]
        return subprocess.run(command, env=self.env, capture_output=True, text=True, timeout=1500, check=False)

    def hw(self, *arguments: str | float) -> str:
        """A command of pi-hw."""
        return self.ssh(f"pi-hw {' '.join(map(str, arguments))}")

    # The box

    def press(self, button: int, seconds: float = 0.1) -> None:
        """Press button 1 to 4."""
        # Ahead of everything else in the guest: a finger does not wait for a processor, and a late release is a hold.
        self.ssh(f"chrt --fifo 20 pi-hw press {DEFAULT_PINS.buttons[button - 1]} {seconds}")

    def menu(self) -> None:
        """Three buttons for more than two seconds."""
        pins = " ".join(map(str, DEFAULT_PINS.buttons[:3]))
        self.ssh(f"for n in {pins}; do pi-hw low $n; done; sleep 2.6; for n in {pins}; do pi-hw high $n; done")

    def look(self) -> Look:
        """Display, lamps and store in one go: each question costs a connection."""
        folder, _, name = STORE.rpartition("/")
        lines = " ".join(f"{LINES}/sim_gpio{pin}/value" for pin in DEFAULT_PINS.outputs)
        told = self._bytes(f"cat {MEMORY} {lines}; cd {folder} && tar -c --ignore-failed-read {name}*")
        levels = told[1024:].split(b"\n", len(DEFAULT_PINS.outputs))
        copy = Path(mkdtemp(prefix="store", dir=self.work))
        with contextlib.suppress(tarfile.ReadError), tarfile.open(fileobj=io.BytesIO(levels.pop())) as archive:
            archive.extractall(copy, filter="data")
        *lamps, buzzer = (int(level) for level in levels)
        lit = tuple(n for n, level in enumerate(lamps, 1) if level)
        return Look(from_display(told[:1024]), lit, buzzer, copy / name)

    def picture(self) -> bytes:
        """What the display's memory holds, as rows."""
        return from_display(self._bytes(f"cat {MEMORY}"))

    def display_on(self) -> bool:
        """Whether the display is switched on."""
        return "on=1" in self.hw("oled-state")

    def buzzer(self) -> int:
        """The buzzer's line now."""
        return int(self.hw("get", DEFAULT_PINS.buzzer))

    def written(self, pin: int) -> list[tuple[float, int]]:
        """What was written to a line since `hw record`: uptime in seconds, level."""
        return [(float(t), int(level)) for t, level in (row.split() for row in self.hw("recorded", pin).splitlines())]

    def store(self) -> Path:
        """A copy of the store on this side."""
        return self.look().store

    def service(self, *properties: str) -> tuple[str, ...]:
        """systemd's word on the service."""
        told = self.ssh(f"systemctl show ubongo-box {' '.join(f'-p {p}' for p in properties)}")
        values = dict(line.split("=", 1) for line in told.splitlines())
        return tuple(values[p] for p in properties)

    def pid(self) -> int:
        """The box's process."""
        return int(self.service("MainPID")[0])

    def active(self) -> bool:
        """Whether the box has said READY."""
        return self.service("ActiveState", "SubState") == ("active", "running")

    def up(self) -> None:
        """Wait until the box has said READY."""
        until(self.active, "the service is up")

    def cut(self) -> None:
        """Power cut, and power again; returns when the box is up."""
        self.vm("cut")
        self.vm("start")
        self.up()

    def snapshot(self, *, without: Sequence[str] = ()) -> dict[str, str]:
        """Every file that an installation could touch: path -> kind, owner, rights, size, time, target."""
        roots = "/etc /opt /usr/local /var/lib /home /root /boot"
        lines = self.ssh(rf"find {roots} -xdev -printf '%p\t%y %u:%g %m %s %T@ %l\n'").splitlines()
        rows = dict(line.split("\t", 1) for line in lines)
        # What the machine itself keeps writing.
        own = r"/var/lib/(systemd|private|dbus|sudo)|/etc/(resolv.conf|machine-id)|/root/\.ssh"
        # A first sudo leaves its mark in the home folder; a look at what root may see needs sudo.
        own += r"|/home/pi/\.(ssh|sudo_as_admin_successful)"
        skip = re.compile("|".join([own, *without]))
        # A folder's own time and size change with what is skipped in it.
        return {
            path: row if row[0] != "d" else " ".join(row.split()[:3])
            for path, row in rows.items()
            if not skip.match(path)
        }


def until(holds: Callable[[], bool], what: str, seconds: float = PATIENCE) -> None:
    """Ask again and again until it holds; fails, saying `what`, after that long."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, f"after {seconds:.0f} s still not: {what}"
        time.sleep(0.2)
