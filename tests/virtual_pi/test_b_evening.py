"""An evening: a whole match on real pins and a real bus, and everything that can go wrong with them.

Part b of one story (test_a, test_b, test_c, in this order): each case finds the machine as the one before left it,
since every boot and every install costs the virtual Pi as long as a real one. Run it whole.
"""

from __future__ import annotations

import re
import time

from device.parts.pins import DEFAULT_PINS
from tests.virtual_pi.box import AMBER, RUBY, Box
from tests.virtual_pi.machine import STORE, VirtualPi, until
from tests.virtual_pi.twin import Twin, on_its_way

OUTPUTS = (*DEFAULT_PINS.lamps, DEFAULT_PINS.buzzer)


def test_the_lobby_is_on_the_display(box: Box) -> None:
    # After minutes without a press it is dimmed and wanders: begin afresh.
    box.pi.ssh("systemctl restart ubongo-box")
    # On first: the memory still holds the lobby of the process before.
    until(box.pi.display_on, "the display is on")
    until(lambda: box.pi.picture() == Twin(box.settings).picture(), "the empty lobby on the display")


ORDER_SCRIPT = """
import time
base = "/sys/devices/platform/gpio-sim.0/gpiochip0/sim_gpio%d/pull"
one, two = (open(base % pin, "wb", buffering=0) for pin in (PINS))
for turn in range(50):
    first, second = (one, two) if ORDER[turn] else (two, one)
    began = time.monotonic()
    first.write(b"pull-down")
    while time.monotonic() < began + 0.001:
        pass
    second.write(b"pull-down")
    time.sleep(0.08)
    first.write(b"pull-up")
    second.write(b"pull-up")
    time.sleep(0.08)
"""


def test_two_presses_a_millisecond_apart_keep_their_order_fifty_times(pi: VirtualPi) -> None:
    order = [turn % 2 == 0 for turn in range(50)]
    script = ORDER_SCRIPT.replace("PINS", f"{DEFAULT_PINS.buttons[2]}, {DEFAULT_PINS.buttons[3]}").replace(
        "ORDER", str(order)
    )
    pi.write("/tmp/order.py", script)
    pi.ssh("python3 /tmp/order.py; rm /tmp/order.py")
    # The flight recorder's script: every edge as the table was given it.
    pi.ssh("systemctl kill --kill-whom=main --signal=SIGUSR1 ubongo-box")
    until(lambda: ".script" in pi.ssh("ls /var/lib/ubongo-box"), "the recorder's script")
    text = pi.ssh("cat $(ls -t /var/lib/ubongo-box/*.script | head -1)")
    # The pins' own edges. What the loop healed by a level, having been starved by a busy host, is none.
    downs = [int(line.split()[2]) for line in text.splitlines() if re.fullmatch(r"[+\d.]+ down [34]", line.strip())]
    assert downs == [button for first in order for button in ((3, 4) if first else (4, 3))]


def test_a_match_is_joined_and_begun(box: Box) -> None:
    # The fifty pairs joined and left green and yellow; nobody is in the lobby.
    until(lambda: box.pi.picture() == Twin(box.settings).picture(), "nobody left in the lobby")
    box.pi.press(1)
    box.pi.press(2)
    box.pi.press(1, 1.9)
    box.press(1, "ready")


def test_the_race_is_on_the_display_as_sand_and_lamps(box: Box) -> None:
    box.pi.press(1)
    box.races(after=1.0)
    shown: list[bytes] = []

    def three_pictures() -> bool:
        shown.append(box.pi.picture())
        return len(set(shown)) >= 3

    until(three_pictures, "the sand falls")
    film = Twin(box.settings, box.pi.store()).racing(31.0)
    assert all(on_its_way(picture, film) for picture in shown)
    assert any(picture in film for picture in shown)


def test_a_power_cut_in_the_race_costs_less_than_a_quarter_second(box: Box) -> None:
    before = box.played()
    box.pi.cut()
    twin = Twin(box.settings, box.pi.store())
    assert twin.table.scene.name == "resume"
    assert twin.kept.mark["played"] >= before
    until(lambda: box.pi.picture() == twin.picture(), "the resume scene, as after a cut")
    box.press(1, "paused")
    box.pi.press(1)
    box.races(after=before)


def test_a_jump_of_the_clock_changes_nothing_in_the_glass(box: Box) -> None:
    uptime = uptime_of(box.pi)
    began = box.played()
    box.pi.ssh("date -s '+2 years' >/dev/null")
    box.races(after=began)
    ran = box.played() - began
    box.pi.ssh("date -s '-2 years' >/dev/null")
    assert 0 < ran <= uptime_of(box.pi) - uptime
    assert box.scene() in ("paused", "scores")


def uptime_of(pi: VirtualPi) -> float:
    """Seconds since the guest's kernel started."""
    return float(pi.read("/proc/uptime").split()[0])


def test_the_glass_runs_out_and_stop_is_one_long_tone_that_ends_at_0(box: Box) -> None:
    box.pi.hw("record")
    # Nobody solves it: second chance, then Stop.
    until(lambda: box.scene() == "scores", "the round is over")
    until(lambda: box.pi.buzzer() == 0, "the buzzer is quiet")
    tones = tones_of(box.pi.written(DEFAULT_PINS.buzzer))
    assert 1.4 <= max(end - start for start, end in tones) <= 1.9
    assert box.pi.written(DEFAULT_PINS.buzzer)[-1][1] == 0
    box.agrees("scores")


def tones_of(written: list[tuple[float, int]]) -> list[tuple[float, float]]:
    """Stretches in which a line keeps changing: (from, to) in seconds."""
    found: list[list[float]] = []
    for at, _ in written:
        if found and at - found[-1][1] < 0.1:
            found[-1][1] = at
        else:
            found.append([at, at])
    return [(start, end) for start, end in found]


def test_a_whole_match_is_played_to_its_ranking(box: Box) -> None:
    for number in range(2, 10):
        if number == 5:
            meanwhile(box)
        else:
            box.round(roller=1 if number % 2 else 2)
            box.agrees("scores")
    box.pi.press(1)

    def ranked() -> bool:
        return '"red"' in box.pi.run("ubongo-box history --json", user="pi").stdout

    until(ranked, "the match in the history")


def meanwhile(box: Box) -> None:
    """What a bad evening does to a box before round 5, and in it; each time the match is where it was."""
    for trouble in (unplugged, killed_in_mid_tone, stopped, held_through_a_start, a_second_copy, cut_in_a_draw):
        trouble(box)


def unplugged(box: Box) -> None:
    """The display's plug comes loose and goes in again: play goes on, then the picture is back, whole."""
    box.pi.hw("oled-unplug")
    pid = box.pi.pid()
    box.pi.press(3)
    time.sleep(3)
    box.pi.hw("oled-plug")
    until(box.pi.display_on, "the display is on again")
    box.agrees("scores")
    assert box.pi.pid() == pid


def resumed(box: Box) -> None:
    """After a restart: the resume scene, then where it was."""
    box.pi.up()
    until(lambda: box.pi.picture() == Twin(box.settings, box.pi.store()).picture(), "the resume scene")
    box.press(1, "scores")


def killed_in_mid_tone(box: Box) -> None:
    """SIGKILL while it sounds: the first thing the next process writes is 0, on every line."""
    box.pi.hw("record")
    pid = box.pi.pid()
    killed = float(box.pi.ssh(f"kill -USR2 {pid}; sleep 0.5; kill -KILL {pid}; cut -d' ' -f1 /proc/uptime"))
    until(lambda: box.pi.pid() not in (0, pid), "another process")
    box.pi.up()
    assert len([at for at, _ in box.pi.written(DEFAULT_PINS.buzzer) if at < killed]) > 20
    assert box.pi.buzzer() == 0
    assert [next(level for at, level in box.pi.written(pin) if at > killed) for pin in OUTPUTS] == [0] * len(OUTPUTS)
    resumed(box)


def stopped(box: Box) -> None:
    """SIGSTOP: the watchdog finds out, and the match is taken up again."""
    pid, before = box.pi.pid(), int(box.pi.service("NRestarts")[0])
    box.pi.ssh(f"kill -STOP {pid}")
    until(lambda: int(box.pi.service("NRestarts")[0]) > before, "the watchdog has acted")
    resumed(box)


def held_through_a_start(box: Box) -> None:
    """A button that is down while the box starts does nothing until it was let go."""
    events = box.events()
    box.pi.hw("low", DEFAULT_PINS.buttons[0])
    box.pi.ssh("systemctl restart ubongo-box")
    twin = Twin(box.settings, box.pi.store(), held=frozenset({1}))
    until(lambda: box.pi.picture() == twin.picture(), "the resume scene")
    time.sleep(2)
    assert box.pi.picture() == twin.picture()
    box.pi.hw("high", DEFAULT_PINS.buttons[0])
    assert box.events() == events
    resumed(box)


def a_second_copy(box: Box) -> None:
    """It is told who holds store or pins, in one line, and the first plays on."""
    pid = box.pi.pid()
    same_store = box.pi.run("cd /run/ubongo-box && sudo -u ubongo-box ubongo-box run --store " + STORE)
    assert same_store.returncode == 2
    assert re.fullmatch(r"ubongo-box: \S+ is in use by another ubongo-box \(pid \d+\): .*\n", same_store.stderr)
    other = box.pi.run(
        "cd /run/ubongo-box && LG_WD=/run/ubongo-box setpriv --reuid=ubongo-box --regid=ubongo-box --groups=gpio,i2c"
        " ubongo-box run --store /run/ubongo-box/second.sqlite; code=$?; rm -f /run/ubongo-box/second*; exit $code"
    )
    assert other.returncode == 1
    assert re.fullmatch(r"ubongo-box: the GPIO pins are in use by another program.*\n", other.stderr)
    assert box.pi.pid() == pid
    box.agrees("scores")


def cut_in_a_draw(box: Box) -> None:
    """The power goes between two draws: the gem that was shown is there, the next one is still to be drawn."""
    box.pi.press(1)
    box.races()
    box.pi.press(1)
    box.pi.press(2)
    box.agrees("check", ready=3.0)
    box.press(1, "draw")
    box.press(RUBY, "draw")
    events = box.events()
    box.pi.cut()
    assert box.events() == events
    box.press(1, "draw")
    box.press(AMBER, "scores")
    box.pi.cut()
    box.press(1, "scores")
