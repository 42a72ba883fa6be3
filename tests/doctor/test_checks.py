"""Each check against a computer made of real files below a folder: what it says of a good one and of each fault."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from device import cli
from device.config import Config, DisplayConfig
from device.doctor import computer, program, wires
from device.doctor.machine import Line, Machine
from device.doctor.report import Finding, Status
from device.parts.factories import Chip
from device.parts.pins import DEFAULT_PINS
from device.store import Store
from device.table.saves import Begin

DEBIAN = 'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nID=debian\nVERSION_ID="12"\n'
GOOD_BOOT = "dtparam=audio=on\n[all]\ndtparam=i2c_arm=on,i2c_arm_baudrate=400000\n"
GOOD_SERVICE = {
    "LoadState": "loaded",
    "ActiveState": "active",
    "SubState": "running",
    "UnitFileState": "enabled",
    "NRestarts": "0",
    "SupplementaryGroups": "gpio i2c",
}
OURS = (*DEFAULT_PINS.buttons, *DEFAULT_PINS.outputs)


@dataclass
class Bench(Machine):
    """A Raspberry Pi on a bench: its files lie below a folder, what only hardware can answer is set by the test."""

    there: list[int] = field(default_factory=lambda: [0x3C])
    held: dict[int, str] = field(default_factory=lambda: dict.fromkeys(OURS, "ubongo-box"))
    state: dict[str, str] | None = field(default_factory=lambda: dict(GOOD_SERVICE))
    measured: float = 380_000.0

    def service(self) -> dict[str, str] | None:
        return self.state

    def lines(self, _chip: Path, pins: tuple[int, ...]) -> dict[int, Line]:
        return {pin: Line(self.held.get(pin)) for pin in pins}

    def answers(self, _bus: Path, addresses: range) -> list[int]:
        return [address for address in self.there if address in addresses]

    def bus_speed(self, _bus: Path, _address: int) -> float:
        return self.measured


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
    # What a Pi has and the computer of a developer need not.
    monkeypatch.setattr(computer, "_there", lambda _: True)
    # Not tmp_path: one check looks with the eyes of a user who may not enter that.
    with TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        yield box_in(Path(folder))


def box_in(tmp_path: Path) -> Bench:
    """A good box."""
    put(tmp_path, "proc/device-tree/model", "Raspberry Pi Zero 2 W Rev 1.0\0")
    put(tmp_path, "etc/os-release", DEBIAN)
    put(tmp_path, "boot/firmware/config.txt", GOOD_BOOT)
    put(tmp_path, "dev/i2c-1", "")
    put(tmp_path, "sys/devices/platform/soc/soc:firmware/get_throttled", "0\n")
    put(tmp_path, "etc/box.toml", "")
    return Bench(
        root=tmp_path,
        config_path=tmp_path / "etc/box.toml",
        store=tmp_path / "store/box.sqlite",
        now=datetime(2026, 11, 27, 19, 30),
    )


def put(root: Path, path: str, text: str) -> Path:
    """A file with its folders."""
    target = root / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text)
    return target


def only(findings: list[Finding], check: str) -> Finding:
    """The finding of this name."""
    (one,) = [finding for finding in findings if finding.check == check]
    return one


def all_of(bench: Bench, config: Config | None = None) -> list[Finding]:
    """Every check but the chip's own, for which there must be a kernel."""
    config = config or Config()
    return [
        *computer.checks(bench),
        wires.overlays(bench, config.pins, config.display),
        *wires.i2c(bench, config.display),
        *program.checks(bench, config),
    ]


def test_a_good_box_has_no_fault_and_says_what_it_saw(bench: Bench) -> None:
    Store(bench.store).close()
    findings = all_of(bench)
    assert [one for one in findings if one.status is not Status.OK] == []
    seen = {one.check: one.seen for one in findings}
    assert seen["board"] == "Raspberry Pi Zero 2 W Rev 1.0"
    assert seen["display"] == "0x3C answers (on the bus: 0x3C)"
    assert seen["bus speed"] == "380 kHz (measured)"
    assert seen["last error"] == "none"
    assert [one.do for one in findings] == [""] * len(findings)


Break = Callable[[Bench], None]


def boot(text: str) -> Break:
    return set_to("boot/firmware/config.txt", text)


def set_to(path: str, text: str) -> Break:
    def act(bench: Bench) -> None:
        put(bench.root, path, text)

    return act


def without(path: str) -> Break:
    return lambda bench: (bench.root / path).unlink()


def state(**changes: str) -> Break:
    def act(bench: Bench) -> None:
        assert bench.state is not None
        bench.state.update(changes)

    return act


def on_bus(*there: int) -> Break:
    def act(bench: Bench) -> None:
        bench.there = list(there)

    return act


def slow(bench: Bench) -> None:
    bench.measured = 91_000.0


def at_year(bench: Bench) -> None:
    bench.now = datetime(1970, 1, 1)


def i2c_off(bench: Bench) -> None:
    without("dev/i2c-1")(bench)
    boot("dtparam=audio=on\n#dtparam=i2c_arm=on\n")(bench)


def i2c_on_but_not_booted(bench: Bench) -> None:
    without("dev/i2c-1")(bench)
    (bench.root / "sys/module/i2c_dev").mkdir(parents=True)


FAULTS: list[tuple[str, Break, str, str, str]] = [
    (
        "not a pi",
        set_to("proc/device-tree/model", "Acme Board\0"),
        "board",
        "Acme Board that is no Raspberry Pi",
        "simulate",
    ),
    ("old system", set_to("etc/os-release", DEBIAN.replace("12", "11")), "system", "11", "Bookworm or Trixie"),
    ("other family", set_to("etc/os-release", "ID=fedora\nPRETTY_NAME=Fedora"), "system", "Fedora", "Raspberry Pi OS"),
    ("clock never set", at_year, "clock", "1970", "network"),
    (
        "supply sags now",
        set_to("sys/devices/platform/soc/soc:firmware/get_throttled", "50005"),
        "supply",
        "now",
        "supply",
    ),
    (
        "supply sagged",
        set_to("sys/devices/platform/soc/soc:firmware/get_throttled", "10000"),
        "supply",
        "since power-on",
        "supply",
    ),
    ("i2c off", i2c_off, "i2c bus", "I2C is off", "deploy.sh"),
    ("i2c on, not booted since", i2c_on_but_not_booted, "i2c bus", "no /dev/i2c-1, though", "reboot"),
    ("i2c-dev missing", without("dev/i2c-1"), "i2c bus", "i2c-dev is not loaded", "modprobe i2c-dev"),
    ("bus slow", slow, "bus speed", "91 kHz", "i2c_arm_baudrate=400000"),
    ("display unplugged", on_bus(), "display", "nothing answers at 0x3C (on the bus: nobody)", "VCC to pin 1"),
    ("display elsewhere", on_bus(0x3D), "display", "answers at 0x3D, not 0x3C", "address = 0x3D"),
    ("only a clock chip", on_bus(0x68), "display", "on the bus: 0x68", "four wires"),
    (
        "shutdown button on SCL",
        boot(GOOD_BOOT + "dtoverlay=gpio-shutdown\n"),
        "config.txt",
        "dtoverlay=gpio-shutdown takes GPIO 3, which is the display (SCL)",
        "take that line out",
    ),
    ("sound card", boot("dtoverlay=hifiberry-dac\n"), "config.txt", "GPIO 18, which is the buzzer", "[pins]"),
    ("service failed", state(ActiveState="failed", SubState="failed"), "service", "failed", "journalctl"),
    ("service off", state(ActiveState="inactive", SubState="dead"), "service", "inactive", "systemctl start"),
    ("not at power-on", state(UnitFileState="disabled"), "service", "does not start at power-on", "enable"),
    ("service without group", state(SupplementaryGroups="i2c"), "service", "without group gpio", "deploy.sh"),
]


@pytest.mark.parametrize(("spoil", "check", "seen", "do"), [pytest.param(*row[1:], id=row[0]) for row in FAULTS])
def test_each_fault_is_named_with_what_mends_it(bench: Bench, spoil: Break, check: str, seen: str, do: str) -> None:
    Store(bench.store).close()
    spoil(bench)
    findings = all_of(bench)
    found = only(findings, check)
    assert found.status is Status.FAULT
    assert seen in found.seen
    assert do in found.do
    # One fault is one line: nothing else is blamed for it.
    assert [one.check for one in findings if one.status is Status.FAULT] == [check]


NO_CLASH = [
    pytest.param("dtoverlay=gpio-shutdown,gpio_pin=21\n", id="shutdown button on a free pin"),
    pytest.param("[pi3]\ndtoverlay=gpio-shutdown\n", id="only on another board"),
    pytest.param("#dtoverlay=gpio-shutdown\n", id="a comment"),
    pytest.param("dtoverlay=w1-gpio\n", id="thermometer on GPIO 4"),
]


@pytest.mark.parametrize("text", NO_CLASH)
def test_lines_of_config_txt_that_do_no_harm(bench: Bench, text: str) -> None:
    boot(text)(bench)
    assert wires.overlays(bench, DEFAULT_PINS, DisplayConfig()).status is Status.OK


def test_a_speed_the_kernel_was_told_is_believed(bench: Bench) -> None:
    path = bench.root / "sys/class/i2c-adapter/i2c-1/of_node/clock-frequency"
    path.parent.mkdir(parents=True)
    path.write_bytes((100_000).to_bytes(4, "big"))
    found = only(all_of(bench), "bus speed")
    assert (found.status, found.seen) == (Status.FAULT, "100 kHz (set): pictures lag")


PIN_CASES = [
    pytest.param(dict.fromkeys(OURS, "ubongo-box"), "active", Status.OK, "held by the service", id="service runs"),
    pytest.param({}, "inactive", Status.OK, "free", id="service stopped"),
    pytest.param({18: "player"}, "inactive", Status.FAULT, "GPIO 18 by player", id="somebody else's"),
    pytest.param(dict.fromkeys(OURS[1:], "x"), "active", Status.FAULT, f"hold GPIO {OURS[0]}", id="service lost one"),
]


@pytest.mark.parametrize(("held", "active", "status", "seen"), PIN_CASES)
def test_who_holds_the_pins(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, held: dict[int, str], active: str, status: Status, seen: str
) -> None:
    monkeypatch.setattr("device.doctor.wires.find_chip", lambda _dev: Chip(0, "pinctrl-bcm2711"))
    bench.held = held
    state(ActiveState=active)(bench)
    found = wires.pins(bench, DEFAULT_PINS)
    assert found.status is status
    assert seen in found.seen


CONFIGS = [
    pytest.param(
        "[pins]\nbuttons = [2, 6, 13, 19]\n", "GPIO 2 belongs to the display", id="a button on the display's bus"
    ),
    pytest.param("[pins]\nbuzzer = 5\n", "GPIO 5", id="the buzzer where a button is"),
    pytest.param("glass_seconds = 'long'\n", "glass_seconds", id="no number"),
    pytest.param("= =\n", "is not TOML", id="no TOML"),
]


@pytest.mark.parametrize(("text", "seen"), CONFIGS)
def test_a_wrong_config_is_a_fault_and_the_rest_goes_by_the_defaults(bench: Bench, text: str, seen: str) -> None:
    put(bench.root, "etc/box.toml", text)
    found, config = program.config_check(bench)
    assert found.status is Status.FAULT
    assert str(bench.config_path) in found.seen
    assert seen in found.seen
    assert config == Config()


def test_a_good_config_names_its_file(bench: Bench) -> None:
    put(bench.root, "etc/box.toml", 'language = "fr"\n')
    found, config = program.config_check(bench)
    assert (found.status, found.seen, config.language) == (Status.OK, str(bench.config_path), "fr")


def test_a_store_that_is_damaged_says_so(bench: Bench) -> None:
    put(bench.root, "store/box.sqlite", "not a database at all, but long enough to look like one " * 20)
    found = program.store(bench)
    assert found.status is Status.FAULT
    assert found.do == "the box sets its own one aside at its next start; any other file: choose another --store"


def test_a_store_that_cannot_be_written_says_so(bench: Bench) -> None:
    Store(bench.store).close()
    bench.store.parent.chmod(0o555)
    said = as_nobody(lambda: program.store(bench).seen)
    assert said.startswith(f"{bench.store.parent} can't be written by user ")


def as_nobody(look: Callable[[], str]) -> str:
    """What a process without root's rights sees (root may write everywhere)."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        if os.geteuid() == 0:
            os.setgroups([])
            os.setresuid(65534, 65534, 65534)
        os.write(writer, look().encode())
        os._exit(0)
    os.close(writer)
    os.waitpid(child, 0)
    with os.fdopen(reader) as said:
        return said.read()


def test_a_store_before_the_first_match(bench: Bench) -> None:
    assert program.store(bench).status is Status.UNTESTED
    bench.store.parent.mkdir()
    assert program.store(bench).seen.endswith("empty until the first match")


def test_a_match_that_waits_and_the_last_error_are_told(bench: Bench) -> None:
    store = Store(bench.store)
    store.save([Begin({"kind": "match"})], "2026-11-20 21:00:00")
    store.keep_error("Traceback\n  somewhere\nZeroDivisionError: division by zero\n", "2026-11-20 21:05:00")
    store.close()
    assert program.store(bench).seen.endswith("a match waits to be resumed")
    found = program.last_error(bench)
    assert found.status is Status.OK
    assert found.seen.startswith("2026-11-20 21:05:00: ZeroDivisionError: division by zero")


def test_space_is_judged_where_the_store_will_be(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    assert program.space(bench).status is Status.OK
    monkeypatch.setattr(program, "LEAST_FREE", 1 << 62)
    found = program.space(bench)
    assert found.status is Status.FAULT
    assert str(bench.root) in found.seen


def test_too_old_a_python_is_a_fault() -> None:
    assert computer.python((3, 9, 2)).status is Status.FAULT
    assert computer.python((3, 11, 0)).status is Status.OK


def test_missing_and_too_new_packages_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(computer, "PACKAGES", (("pillow", "PIL"), ("no-such-thing", "no_such_thing")))
    monkeypatch.setattr(computer, "TOO_NEW", {"pillow": 1})
    found = computer.packages()
    assert found.status is Status.FAULT
    assert "pillow older than 1" in found.seen
    assert "no-such-thing" in found.seen


class TestCommand:
    """The command on this computer, which is no box: it says so and ends with 1."""

    def test_lines_and_exit_code(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        code = cli.main(["doctor", "--store", str(tmp_path / "s.sqlite"), "--config", str(put(tmp_path, "c.toml", ""))])
        lines = capsys.readouterr().out.splitlines()
        assert code == 1
        assert all(line.startswith(("ok ", "fault ", "not tested ")) for line in lines[:-1])
        assert any(line.startswith("fault       gpio chip") for line in lines)
        assert lines[-1].startswith(f"{len(lines) - 1} checks: ")

    def test_json_says_the_same(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        code = cli.main(["doctor", "--json", "--store", str(tmp_path / "s.sqlite")])
        report = json.loads(capsys.readouterr().out)
        assert code == 1
        assert report["faults"] == sum(one["status"] == "fault" for one in report["checks"]) > 0
        assert set(report["checks"][0]) == {"check", "status", "seen", "do"}

    @pytest.mark.parametrize("store", ["x" * 300, "x" * 300 + "/s.sqlite", "file/s.sqlite"])
    def test_a_store_that_can_be_none_is_a_line_too(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str], store: str
    ) -> None:
        put(tmp_path, "file", "")
        assert cli.main(["doctor", "--json", "--store", str(tmp_path / store)]) == 1
        checks = {one["check"]: one["status"] for one in json.loads(capsys.readouterr().out)["checks"]}
        assert checks["store"] in ("fault", "not tested")

    def test_parts_and_json_do_not_go_together(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert cli.main(["doctor", "--json", "--parts"]) == 2
        assert capsys.readouterr().err.startswith("ubongo-box: --parts asks")
