"""The commands: where they look for their files, what they import, and how each ends."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from device import __version__, cli
from device.cli import main
from device.config_keys import KEYS
from device.errors import UserError
from device.store import Store
from device.table.saves import Finish, Setting
from tests.store.games import NOW, outcome

ENVIRONMENT = {**os.environ, "PYTHONPATH": os.getcwd()}


@pytest.fixture
def called(monkeypatch: pytest.MonkeyPatch) -> Callable[..., argparse.Namespace]:
    """Run main with every command replaced by one that only keeps its arguments."""

    def call(*argv: str) -> argparse.Namespace:
        kept: list[argparse.Namespace] = []

        def command(args: argparse.Namespace) -> int:
            kept.append(args)
            return 0

        monkeypatch.setattr(cli, "import_module", lambda _: SimpleNamespace(command=command))
        assert main(argv) == 0
        return kept[0]

    return call


STORES = [
    pytest.param(["run"], {"STATE_DIRECTORY": "/s"}, "/s/ubongo-box.sqlite", id="systemd"),
    pytest.param(["run"], {"STATE_DIRECTORY": "/s:/t"}, "/s/ubongo-box.sqlite", id="two state directories"),
    pytest.param(["run"], {"XDG_STATE_HOME": "/x"}, "/x/ubongo-box/ubongo-box.sqlite", id="XDG"),
    pytest.param(["run"], {"HOME": "/h"}, "/h/.local/state/ubongo-box/ubongo-box.sqlite", id="home"),
    pytest.param(["run"], {"XDG_STATE_HOME": "x", "HOME": "/h"}, "/h/.local/state/ubongo-box/ubongo-box.sqlite",
                 id="a relative XDG path is left aside"),
    pytest.param(["simulate"], {"HOME": "/h"}, "/h/.local/state/ubongo-box/ubongo-box-simulator.sqlite",
                 id="the simulator has its own"),
    pytest.param(["rehearse", "-"], {"HOME": "/h"}, None, id="a rehearsal keeps nothing"),
    pytest.param(["history"], {"HOME": "/h"}, "/h/.local/state/ubongo-box/ubongo-box.sqlite", id="history"),
    pytest.param(["run", "--store", "/b"], {"STATE_DIRECTORY": "/s"}, "/b", id="as told"),
    pytest.param(["run", "--store", "b"], {}, f"{os.getcwd()}/b", id="absolute at once"),
]  # fmt: skip


@pytest.mark.parametrize(("argv", "environ", "store"), STORES)
def test_where_the_store_is(
    called: Callable[..., argparse.Namespace],
    monkeypatch: pytest.MonkeyPatch,
    argv: list[str],
    environ: dict[str, str],
    store: str | None,
) -> None:
    for key in ("STATE_DIRECTORY", "XDG_STATE_HOME"):
        monkeypatch.delenv(key, raising=False)
    for key, value in environ.items():
        monkeypatch.setenv(key, value)
    assert called(*argv).store == (None if store is None else Path(store))


@pytest.mark.parametrize("command", ["history", "config", "doctor"])
def test_who_asks_at_the_boxs_shell_asks_about_the_service(
    called: Callable[..., argparse.Namespace], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, command: str
) -> None:
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)
    monkeypatch.setattr(cli, "SERVICE_STORE", tmp_path / "service.sqlite")
    (tmp_path / "service.sqlite").touch()
    assert called(command).store == tmp_path / "service.sqlite"
    assert called("run").store != tmp_path / "service.sqlite"


def test_the_arguments_of_each_command(called: Callable[..., argparse.Namespace]) -> None:
    run = called("run", "--config", "/c", "--pins", "mock")
    assert (run.config, run.overrides) == (Path("/c"), {"pins.pin_factory": "mock"})
    assert called("run").overrides == {}
    simulate = called("simulate", "--port", "0", "--host", "0.0.0.0", "--open", "--seed", "7")
    assert (simulate.host, simulate.port, simulate.open, simulate.seed) == ("0.0.0.0", 0, True, 7)
    simulate = called("simulate")
    assert (simulate.host, simulate.port, simulate.open, simulate.seed) == ("127.0.0.1", 8765, False, None)
    rehearse = called("rehearse", "a.txt", "--seed", "7", "--frames", "/f", "--lamps")
    assert (rehearse.script, rehearse.seed, rehearse.frames, rehearse.lamps) == ("a.txt", 7, Path("/f"), True)
    doctor = called("doctor", "--parts", "--json")
    assert (doctor.parts, doctor.json) == (True, True)


WRONG = [
    pytest.param([], "the following arguments are required: COMMAND (see ubongo-box --help)", id="nothing"),
    pytest.param(["simulate", "--port", "65536"], "argument --port: a port is a number from 0 (any free one) to 65535,"
                 " not '65536' (see ubongo-box simulate --help)", id="port"),
    pytest.param(["history", "--limit", "-1"], "argument --limit: a number from 0, not '-1'"
                 " (see ubongo-box history --help)", id="limit"),
    pytest.param(["history", "--players", "--records"], "argument --records: not allowed with argument --players"
                 " (see ubongo-box history --help)", id="two kinds"),
    pytest.param(["rehearse"], "the following arguments are required: SCRIPT (see ubongo-box rehearse --help)",
                 id="no script"),
]  # fmt: skip


@pytest.mark.parametrize(("argv", "line"), WRONG)
def test_wrong_use_is_one_line_and_2(capsys: pytest.CaptureFixture[str], argv: list[str], line: str) -> None:
    with pytest.raises(SystemExit) as ended:
        main(argv)
    assert ended.value.code == 2
    assert capsys.readouterr() == ("", f"ubongo-box: {line}\n")


def test_an_unknown_command_names_the_known(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["play"])
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    for command in cli.COMMANDS:
        assert command in err


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert (ended.value.code, capsys.readouterr().out) == (0, f"ubongo-box {__version__}\n")


ENDINGS = [
    pytest.param(UserError("it burns:\n  put it out"), 2, "ubongo-box: it burns: put it out\n", id="wrong use"),
    pytest.param(UserError("found something", 1), 1, "ubongo-box: found something\n", id="a fault found"),
    pytest.param(KeyboardInterrupt(), 130, "", id="Ctrl-C"),
]


@pytest.mark.parametrize(("raised", "code", "err"), ENDINGS)
def test_how_a_command_ends(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, raised: BaseException, code: int, err: str
) -> None:
    def command(_: argparse.Namespace) -> int:
        raise raised

    monkeypatch.setattr(cli, "import_module", lambda _: SimpleNamespace(command=command))
    assert main(["run"]) == code
    assert capsys.readouterr() == ("", err)


def test_a_reader_that_has_seen_enough_ends_it_quietly(tmp_path: Path) -> None:
    kept = Store(tmp_path / "box.sqlite")
    kept.save([Finish(outcome()) for _ in range(3000)], NOW)
    kept.close()
    process = subprocess.Popen(
        [sys.executable, "-m", "device", "history", "--json", "--store", str(tmp_path / "box.sqlite")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=ENVIRONMENT,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait() == 141


OUTPUTS = [
    pytest.param(">/dev/full", 1, "ubongo-box: the output can't be written: No space left on device: make room there\n",
                 id="full"),
    pytest.param(">&-", 0, "", id="closed"),
]  # fmt: skip


@pytest.mark.parametrize("command", ["history", "history --json", "history --csv", "config"])
@pytest.mark.parametrize(("where", "code", "err"), OUTPUTS)
def test_an_output_that_takes_nothing(tmp_path: Path, command: str, where: str, code: int, err: str) -> None:
    kept = Store(tmp_path / "box.sqlite")
    kept.save([Finish(outcome())], NOW)
    kept.close()
    done = subprocess.run(
        ["sh", "-c", f'exec "$0" -m device {command} --store "$1" {where}', sys.executable, tmp_path / "box.sqlite"],
        stderr=subprocess.PIPE,
        text=True,
        env=ENVIRONMENT,
        check=False,
    )
    assert (done.returncode, done.stderr) == (code, err)


def test_a_terminal_without_accents_gets_question_marks(tmp_path: Path) -> None:
    kept = Store(tmp_path / "box.sqlite")
    kept.save([Finish(outcome(names={"red": "Zoé"}))], NOW)
    kept.close()
    done = subprocess.run(
        [sys.executable, "-m", "device", "history", "--store", str(tmp_path / "box.sqlite")],
        capture_output=True,
        text=True,
        env={**ENVIRONMENT, "PYTHONIOENCODING": "ascii"},
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "Zo? 14" in done.stdout


IMPORTS = [
    pytest.param("device.cli", {"sqlite3", "json", "tomllib", "PIL", "gpiozero", "device.config"}, id="cli"),
    pytest.param("device.history", {"tomllib", "PIL", "gpiozero", "luma", "threading", "device.config"}, id="history"),
    pytest.param("device.config", {"sqlite3", "PIL", "gpiozero", "luma"}, id="config"),
    pytest.param("device.store_thread", {"PIL", "gpiozero", "luma", "asyncio"}, id="store"),
]


@pytest.mark.parametrize(("module", "without"), IMPORTS)
def test_nothing_heavy_is_imported_that_is_not_used(module: str, without: set[str]) -> None:
    script = f"import sys; before = set(sys.modules); import {module}; print(*sorted(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, env=ENVIRONMENT)
    assert module in done.stdout.split()
    assert set(done.stdout.split()) & without == set()


def config(capsys: pytest.CaptureFixture[str], *args: object) -> tuple[str, str]:
    assert main(["config", *map(str, args)]) == 0
    return capsys.readouterr()


def test_config_says_what_counts_and_why(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, store = tmp_path / "box.toml", tmp_path / "box.sqlite"
    file.write_text('side = "B"\nbrightness = 90\n[players]\nred = "Zoé"\n', encoding="utf-8")
    kept = Store(store)
    kept.save([Setting("brightness", 40), Setting("edition", "extreme-fun-size"), Setting("bag", "paper")], NOW)
    kept.close()
    out, err = config(capsys, "--config", file, "--store", store)
    rows = {line.split()[0]: line.split(None, 1)[1] for line in out.splitlines() if line}
    assert rows["edition"].split() == ['"extreme-fun-size"', "set", "on", "the", "box"]
    assert rows["side"].split() == ['"B"', str(file)]
    assert rows["brightness"].split() == ["40", "set", "on", "the", "box"]
    assert rows["glass_seconds"].split() == ["30", "edition"]
    assert rows["bag"].split() == ['"box"', "default"]
    assert rows["players.red"].split() == ['"Zoé"', str(file)]
    assert rows["display.address"].split() == ["0x3C", "default"]
    assert [key for key in rows if key in KEYS] == list(KEYS)
    assert err == 'ubongo-box: set on the box, left out: bag: must be "box" or "cloth", not \'paper\'\n'
    data = json.loads(config(capsys, "--config", file, "--store", store, "--json")[0])
    assert data["values"]["brightness"] == {"value": 40, "from": "set on the box"}
    assert data["values"]["glass_seconds"] == {"value": 30, "from": "edition"}
    assert set(data["values"]) == set(KEYS)
    assert (data["config"], data["store"], len(data["warnings"])) == (str(file), str(store), 1)


def test_config_on_a_damaged_store_still_says_the_rest(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "box.sqlite").write_text("no store")
    (tmp_path / "box.toml").write_text("")
    out, err = config(capsys, "--config", tmp_path / "box.toml", "--store", tmp_path / "box.sqlite")
    assert "brightness" in out
    assert err == (f"ubongo-box: settings made on the box are unknown: {tmp_path / 'box.sqlite'} is torn\n")


def test_a_bad_config_is_one_line_and_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "box.toml").write_text("side = 3")
    assert main(["config", "--config", str(tmp_path / "box.toml"), "--store", str(tmp_path / "none")]) == 2
    out, err = capsys.readouterr()
    assert (out, err) == ("", f'ubongo-box: {tmp_path / "box.toml"}:1: side: must be "A" or "B", not 3\n')


def test_the_module_is_the_command() -> None:
    done: Any = subprocess.run(
        [sys.executable, "-m", "device", "--version"], capture_output=True, text=True, check=True, env=ENVIRONMENT
    )
    assert done.stdout == f"ubongo-box {__version__}\n"
