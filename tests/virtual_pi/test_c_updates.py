"""Updates, good and broken, the hour of game night, off and away.

Part c of one story (test_a, test_b, test_c, in this order): each case finds the machine as the one before left it,
since every boot and every install costs the virtual Pi as long as a real one. Run it whole.
"""

from __future__ import annotations

import shutil
import time
from pathlib import Path

import pytest

from device.parts.pins import DEFAULT_PINS
from tests.virtual_pi.box import SETTINGS, Box
from tests.virtual_pi.machine import BOOT, CONFIG, PROJECT, SHIPPED, STOCK_BOOT, STORE, VirtualPi, until
from tests.virtual_pi.twin import Twin


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the project to change."""
    for name in SHIPPED:
        source = PROJECT / name
        if source.is_dir():
            shutil.copytree(source, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy2(source, tmp_path / name)
    return tmp_path


def test_a_broken_release_is_rolled_back_and_the_box_plays_on(box: Box, copy: Path) -> None:
    begin_another_match(box)
    good = box.pi.ssh("readlink /opt/ubongo-box/current")
    service = copy / "device/service.py"
    service.write_text(service.read_text().replace("self._notify.ready()", "raise SystemExit('not today')", 1))
    done = box.pi.deploy(source=copy)
    assert done.returncode == 1
    assert "is back and runs" in done.stderr
    assert "not today" in done.stderr
    assert box.pi.ssh("readlink /opt/ubongo-box/current") == good
    assert box.pi.read(CONFIG).decode() == SETTINGS
    box.press(1, "ready")


def begin_another_match(box: Box) -> None:
    """From the ranking, or wherever the last one ended, to the first round of a new match."""
    until(lambda: Twin(box.settings, box.pi.store()).kept.head is None, "no match is kept")
    box.pi.ssh("systemctl restart ubongo-box")
    until(lambda: box.pi.picture() == Twin(box.settings).picture(), "the lobby")
    box.pi.press(1)
    box.pi.press(2)
    box.pi.press(1, 1.9)
    box.press(1, "ready")


def test_an_update_keeps_match_config_and_store_and_stands_a_cut_one_second_later(box: Box, copy: Path) -> None:
    (copy / "README.md").write_text((copy / "README.md").read_text() + "\nAnother release.\n")
    events = box.events()
    done = box.pi.deploy(source=copy)
    assert done.returncode == 0, done.stdout + done.stderr
    time.sleep(1)
    box.pi.cut()
    assert box.pi.read("/opt/ubongo-box/current/README.md").decode().endswith("Another release.\n")
    assert box.events() == events
    assert box.pi.read(CONFIG).decode() == SETTINGS
    box.press(1, "ready")


def test_a_cut_while_the_card_is_busy_with_a_race_and_again_at_the_start(box: Box) -> None:
    box.pi.press(1)
    box.races(after=1.0)
    box.pi.cut()
    assert Twin(box.settings, box.pi.store()).table.scene.name == "resume"
    box.press(1, "paused")


# --- off


def test_the_menu_switches_the_machine_off_and_the_box_may_do_nothing_else_to_it(box: Box) -> None:
    refused = box.pi.run(
        "setpriv --reuid=ubongo-box --regid=ubongo-box --clear-groups busctl call org.freedesktop.login1"
        " /org/freedesktop/login1 org.freedesktop.login1.Manager Reboot b false"
    )
    assert "nteractive authentication required" in refused.stderr or "Access denied" in refused.stderr
    twin = box.twin()
    twin.menu()
    box.pi.menu()
    for _ in range(twin.ups_to("power")):
        box.pi.press(1)
    until(lambda: box.pi.picture() == twin.picture(), "the cursor on power off")
    box.pi.ssh(f"pi-hw press {DEFAULT_PINS.buttons[2]}", check=False)
    until(lambda: "Power down" in (box.pi.work / "serial.log").read_text(errors="replace"), "the machine is off")
    until(lambda: not box.pi.running(), "the emulator has ended")
    box.pi.hang_up("root")
    box.pi.vm("start")
    box.pi.up()
    until(lambda: box.pi.picture() == Twin(box.settings, box.pi.store()).picture(), "the match that was switched off")


def test_the_hour_of_game_night_wakes_the_box_and_sounds(box: Box) -> None:
    box.pi.write(CONFIG, SETTINGS + '[game_night]\nday = "fri"\ntime = "19:30"\n')
    done = box.pi.deploy()
    assert "done   game night: Fri 19:30" in done.stdout, done.stdout + done.stderr
    box.pi.hw("record")
    box.pi.ssh("date -s '2027-01-15 19:29:55' >/dev/null")
    until(lambda: len(box.pi.written(DEFAULT_PINS.buzzer)) > 20, "the tune at the hour")
    box.pi.write(CONFIG, SETTINGS)


def test_uninstall_leaves_the_store_and_nothing_else(pi: VirtualPi) -> None:
    done = pi.deploy("--uninstall")
    assert done.returncode == 0, done.stdout + done.stderr
    left = pi.ssh(r"find / -xdev \( -path /proc -o -path /sys -o -path /var/log \) -prune -o -name '*ubongo*' -print")
    kept = {"/var/lib/ubongo-box"}
    assert {line for line in left.split() if not line.startswith("/var/lib/ubongo-box/")} == kept
    assert pi.ssh(f"ls {STORE}").strip() == STORE
    assert pi.ssh("getent passwd ubongo-box", check=False) == ""
    assert pi.read(BOOT).decode() == STOCK_BOOT
    assert pi.ssh(f"ls {BOOT.rpartition('/')[0]}").split() == ["config.txt"]
    assert pi.deploy("--uninstall").stdout.count("done") == 0
