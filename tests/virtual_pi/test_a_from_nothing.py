"""From a bare Raspberry Pi to a box, with one command; and what its doctor says.

Part a of one story (test_a, test_b, test_c, in this order): each case finds the machine as the one before left it,
since every boot and every install costs the virtual Pi as long as a real one. Run it whole.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest

from tests.virtual_pi.box import SETTINGS
from tests.virtual_pi.machine import BOOT, CONFIG, PROJECT, STOCK_BOOT, VirtualPi


def test_a_dry_run_says_much_and_changes_nothing(pi: VirtualPi) -> None:
    pi.ssh(f"mkdir -p {BOOT.rpartition('/')[0]}")
    pi.write(BOOT, STOCK_BOOT)
    before = pi.snapshot()
    done = pi.deploy("--dry-run", "--wheels", str(pi.wheels))
    assert done.returncode == 0, done.stderr
    assert [line for line in done.stdout.splitlines() if line.startswith("would  release 1.")]
    assert not re.search("^done ", done.stdout, re.M)
    assert pi.snapshot() == before
    assert pi.ssh("ls -d /tmp/ubongo* 2>/dev/null", check=False) == ""


def test_root_is_refused(pi: VirtualPi) -> None:
    pi.ssh("mkdir -p /tmp/refuse")
    pi.write("/tmp/refuse/deploy.sh", (PROJECT / "deploy.sh").read_text())
    done = pi.run("bash /tmp/refuse/deploy.sh --local")
    pi.ssh("rm -r /tmp/refuse")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "deploy.sh: not as root: run it as your own user, who may use sudo\n"


def test_one_command_makes_a_box_of_it(pi: VirtualPi) -> None:
    done = pi.deploy("--wheels", str(pi.wheels))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "its buttons answer" in done.stdout
    assert "a reboot is needed" in done.stdout
    assert pi.active()
    assert pi.service("NRestarts", "UnitFileState") == ("0", "enabled")


def test_the_bus_is_set_once_with_a_copy_of_the_file_beside_it(pi: VirtualPi) -> None:
    text = pi.read(BOOT).decode()
    assert text.startswith(STOCK_BOOT)
    assert text.count("dtparam=i2c_arm=on,i2c_arm_baudrate=400000") == 1
    (copy,) = pi.ssh(f"ls {BOOT}.*").split()
    assert pi.read(copy).decode() == STOCK_BOOT


def test_units_are_sound_and_the_service_is_shut_in(pi: VirtualPi) -> None:
    units = "ubongo-box.service ubongo-box-gamenight.service ubongo-box-gamenight.timer"
    done = pi.run(f"systemd-analyze verify {units}")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    level = re.search(
        r"Overall exposure level for ubongo-box.service: ([\d.]+)", pi.ssh("systemd-analyze security ubongo-box")
    )
    assert level is not None
    assert float(level[1]) <= 1.5
    status = pi.ssh(f"cat /proc/{pi.pid()}/status; id -u ubongo-box; getent group gpio i2c ubongo-box")
    assert re.search(r"^CapEff:\t0+$", status, re.M)
    assert re.search(r"^NoNewPrivs:\t1$", status, re.M)
    groups = re.search(r"^Groups:\t(.*)$", status, re.M)
    assert groups is not None
    named = re.findall(r"^(?:gpio|i2c|ubongo-box):x:(\d+):", status, re.M)
    assert sorted(groups[1].split()) == sorted(named)


def test_a_second_deploy_changes_nothing(pi: VirtualPi) -> None:
    pi.write(CONFIG, SETTINGS)
    pi.ssh("systemctl restart ubongo-box")
    before, pid = pi.snapshot(without=["/var/lib/ubongo-box"]), pi.pid()
    done = pi.deploy()
    assert done.returncode == 0, done.stdout + done.stderr
    assert {line.split()[0] for line in done.stdout.splitlines()} <= {"ok", "note"}
    assert (pi.snapshot(without=["/var/lib/ubongo-box"]), pi.pid()) == (before, pid)


# --- doctor


def doctor(pi: VirtualPi, *options: str) -> tuple[int, dict[str, dict[str, str]]]:
    """The doctor's exit code and its checks, as the user pi sees them."""
    done = pi.run(f"ubongo-box doctor --json {' '.join(options)}", user="pi")
    assert done.stderr == ""
    return done.returncode, {one["check"]: one for one in json.loads(done.stdout)["checks"]}


def test_the_doctor_finds_all_well(pi: VirtualPi) -> None:
    code, found = doctor(pi)
    # A board of software has no supply that could sag.
    assert {name: one["seen"] for name, one in found.items() if one["status"] != "ok"} == {
        "supply": found["supply"]["seen"]
    }
    assert found["pins"]["seen"] == "held by the service"
    assert code == 0


def no_display(pi: VirtualPi) -> None:
    pi.hw("oled-unplug")


def no_group(pi: VirtualPi) -> None:
    pi.ssh("gpasswd -d pi gpio")


def no_bus(pi: VirtualPi) -> None:
    pi.ssh(f"mv /dev/i2c-1 /dev/hidden; sed -i /i2c_arm=on/d {BOOT}")


def wrong_pin(pi: VirtualPi) -> None:
    pi.ssh(f"printf '[pins]\\nbuttons = [3, 6, 13, 19]\\n' >>{CONFIG}")


def no_store(pi: VirtualPi) -> None:
    pi.ssh("chown root /var/lib/ubongo-box")


FAULTS: list[tuple[str, Callable[[VirtualPi], None], str, str, str]] = [
    ("display unplugged", no_display, "pi-hw oled-plug", "display", "nothing answers at 0x3C"),
    ("no gpio group", no_group, "gpasswd -a pi gpio", "gpio chip", "user pi is not in group gpio"),
    ("i2c off", no_bus, f"mv /dev/hidden /dev/i2c-1; cp /tmp/boot {BOOT}", "i2c bus", "I2C is off"),
    ("wrong pin", wrong_pin, f"cp -p /tmp/config {CONFIG}", "config", "GPIO 3 belongs to the display's I2C bus"),
    ("store unwritable", no_store, "chown ubongo-box /var/lib/ubongo-box", "store", "is not the service's to write"),
]


@pytest.mark.parametrize(("spoil", "mend", "check", "seen"), [pytest.param(*row[1:], id=row[0]) for row in FAULTS])
def test_the_doctor_names_the_fault(
    pi: VirtualPi, spoil: Callable[[VirtualPi], None], mend: str, check: str, seen: str
) -> None:
    pi.ssh(f"cp -p {CONFIG} /tmp/config; cp {BOOT} /tmp/boot")
    spoil(pi)
    pi.hang_up("pi")
    try:
        code, found = doctor(pi)
    finally:
        pi.ssh(mend)
        pi.hang_up("pi")
    assert code == 1
    assert found[check]["status"] == "fault"
    assert seen in found[check]["seen"]
    assert found[check]["do"]


def test_parts_are_not_tried_while_the_box_holds_them(pi: VirtualPi) -> None:
    pid = pi.pid()
    done = pi.run("ubongo-box doctor --parts", user="pi")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("ubongo-box: the box is running and holds its parts: sudo systemctl stop ubongo-box")
    assert pi.pid() == pid
