"""--store by the real commands: what they refuse, what they set aside, and that each says so on the terminal."""

from __future__ import annotations

import os
import pwd
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from device.cli import main
from device.store import Store
from tests.store.test_damage import filled
from tests.store.test_given import whole

ENVIRONMENT = {**os.environ, "PYTHONPATH": os.getcwd()}
COMMANDS = {
    "run": ("run", "--pins", "mock"),
    "simulate": ("simulate", "--port", "0"),
    "rehearse": ("rehearse", "-"),
}


def start(command: str, *arguments: object, **environ: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "device", *COMMANDS[command], *map(str, arguments)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**ENVIRONMENT, **environ},
    )


@pytest.mark.parametrize("command", COMMANDS)
def test_a_file_of_somebody_else_is_refused_in_one_line(tmp_path: Path, command: str) -> None:
    path = tmp_path / "accounts"
    path.write_text("root:x:0:0:root:/root:/bin/bash\n" * 20)
    path.chmod(0o640)
    before = whole(tmp_path)
    process = start(command, "--store", path)
    assert process.communicate(timeout=60) == (
        "",
        f"ubongo-box: {path} is not a store of this program:"
        " choose another --store, or move that file away if it may go\n",
    )
    assert process.returncode == 2
    assert whole(tmp_path) == before


def test_a_link_by_the_boxs_name_is_judged_by_what_it_leads_to(tmp_path: Path) -> None:
    accounts = tmp_path / "accounts"
    accounts.write_text("root:x:0:0:root:/root:/bin/bash\n" * 20)
    link = tmp_path / "ubongo-box.sqlite"
    link.symlink_to(accounts)
    before = whole(tmp_path)
    process = start("run", "--store", link)
    out, errors = process.communicate(timeout=60)
    assert (process.returncode, out) == (2, "")
    assert errors.startswith(f"ubongo-box: {link} is not a store of this program: ")
    assert whole(tmp_path) == before


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("name", ["evening.sqlite", "ubongo-box.sqlite"])
def test_a_mistyped_folder_is_not_made(tmp_path: Path, command: str, name: str) -> None:
    folder = tmp_path / "ganes"
    process = start(command, "--store", folder / name)
    assert process.communicate(timeout=60) == (
        "",
        f"ubongo-box: {folder} is not there: mkdir -p {folder} if it is meant, or choose another --store\n",
    )
    assert process.returncode == 2
    assert list(tmp_path.iterdir()) == []


def until_set_aside(process: subprocess.Popen[str]) -> str:
    """The line that says it; the box is ended then."""
    assert process.stderr is not None
    line = process.stderr.readline()
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=60)
    assert process.returncode == 0
    return line


@pytest.mark.parametrize("command", ["run", "simulate"])
@pytest.mark.parametrize("given", [False, True], ids=["default path", "given, by the box's own name"])
def test_the_boxs_own_path_never_keeps_it_from_starting(tmp_path: Path, command: str, given: bool) -> None:
    """As under systemd: whatever lies there is set aside, play begins, and the terminal says so."""
    name = "ubongo-box-simulator.sqlite" if command == "simulate" else "ubongo-box.sqlite"
    path = tmp_path / name
    path.write_text("my shopping list\n" * 20)
    line = until_set_aside(start(command, *(["--store", path] if given else []), STATE_DIRECTORY=str(tmp_path)))
    (aside,) = tmp_path.glob("*.damaged")
    assert line == (
        f"ubongo-box: store: {name} is not a store of this program: set aside as {aside.name}, starting afresh\n"
    )
    assert aside.read_text() == "my shopping list\n" * 20
    store = Store(path)
    assert store.trouble is None
    store.close()


def test_the_boxs_own_folder_is_made(tmp_path: Path) -> None:
    process = start("simulate", XDG_STATE_HOME=str(tmp_path / "state"))
    assert process.stdout is not None
    assert process.stdout.readline().startswith("The box is at ")
    process.send_signal(signal.SIGTERM)
    assert process.communicate(timeout=60) == ("", "")
    assert (tmp_path / "state" / "ubongo-box" / "ubongo-box-simulator.sqlite").is_file()


def test_a_store_that_was_ours_is_set_aside_where_it_was_given(tmp_path: Path) -> None:
    path = tmp_path / "evening.db"
    Store(path).close()
    path.write_bytes(b"\xff" * 8192)
    process = start("rehearse", "--store", path)
    out, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (0, "")
    assert "evening.db is not a store of this program: set aside as evening.db." in out.splitlines()[0]
    (aside,) = tmp_path.glob("*.damaged")
    assert aside.read_bytes() == b"\xff" * 8192


def test_who_has_no_home_is_told_to_name_a_store(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for key in ("HOME", "XDG_STATE_HOME", "STATE_DIRECTORY"):
        monkeypatch.delenv(key, raising=False)

    def nobody(uid: int) -> None:
        raise KeyError(uid)

    monkeypatch.setattr(pwd, "getpwuid", nobody)
    assert main(["run"]) == 2
    assert capsys.readouterr() == (
        "",
        "ubongo-box: this user has no home directory to keep matches in: give --store FILE\n",
    )


@pytest.fixture
def out_of_reach(tmp_path: Path) -> Iterator[Path]:
    """A store in a folder of another user."""
    path = tmp_path / "box.sqlite"
    Store(path).close()
    tmp_path.chmod(0)
    root = os.geteuid() == 0
    if root:
        os.seteuid(65534)
    yield path
    if root:
        os.seteuid(0)
    tmp_path.chmod(0o700)


def test_a_store_of_another_user_is_one_line(out_of_reach: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["history", "--store", str(out_of_reach)]) == 1
    assert capsys.readouterr() == ("", f"ubongo-box: {out_of_reach}: can't be read: Permission denied\n")
    assert main(["config", "--store", str(out_of_reach)]) == 0
    out, errors = capsys.readouterr()
    assert f"store:       {out_of_reach}\n" in out
    assert errors == (
        f"ubongo-box: settings made on the box are unknown: {out_of_reach}: can't be read: Permission denied\n"
    )


def left_open(path: Path) -> None:
    """As after a kill: the -wal was never folded in."""
    filled(path, cut=True)


@pytest.mark.parametrize(
    "make",
    [
        pytest.param(filled, id="closed"),
        pytest.param(left_open, id="killed"),
        pytest.param(lambda p: p.write_text("my shopping list\n" * 20), id="text"),
        pytest.param(lambda p: p.touch(), id="empty"),
        pytest.param(lambda _: None, id="not there"),
    ],
)
@pytest.mark.parametrize(
    "command",
    [("history",), ("history", "--players"), ("history", "--records", "--json"), ("config",), ("doctor",)],
    ids=" ".join,
)
def test_who_only_asks_leaves_nothing_behind(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], make: Callable[[Path], object], command: tuple[str, ...]
) -> None:
    folder = tmp_path / "state"
    folder.mkdir()
    make(folder / "box.sqlite")
    before = whole(folder)
    main([*command, "--store", str(folder / "box.sqlite")])
    assert capsys.readouterr().err.count("\n") <= 1
    # SQLite writes nothing into the index of the -wal but which state of it is being read.
    assert {**whole(folder), "box.sqlite-shm": ()} == {**before, "box.sqlite-shm": ()}
    assert set(whole(folder)) == set(before)
