"""`ubongo-box rehearse` as it is called: each bad script its one line; what a good one prints and leaves behind."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from device.cli import main
from device.errors import UserError
from device.script import LARGEST_FILE, read_script
from device.store import Store
from tests.rehearsal.scripts import fields, text_of

ENVIRONMENT = {**os.environ, "PYTHONPATH": os.getcwd()}

TIME = "a line begins with a time, as 12.5 or +0.5, a number of seconds, not "
VERBS = "press, hold, down, up, cut, clock, fault, chance, deaf, game-night or end"

BAD = [
    pytest.param("press 1", 1, TIME + "'press'", id="no time"),
    pytest.param("-1 press 1", 1, TIME + "'-1'", id="before the start"),
    pytest.param("+-1 press 1", 1, TIME + "'+-1'", id="backwards"),
    pytest.param("nan press 1", 1, TIME + "'nan'", id="no number"),
    pytest.param("inf press 1", 1, TIME + "'inf'", id="endless"),
    pytest.param("1_0 press 1", 1, TIME + "'1_0'", id="Python's own"),
    pytest.param("٣ press 1", 1, TIME + "'٣'", id="other digits"),
    pytest.param("1e9 press 1", 1, "lies more than a year after the start", id="in years"),
    pytest.param("1 press 1\n\n# here\n0.5 press 2", 4, "0.5 s is before the line before (1 s)", id="not in order"),
    pytest.param("1", 1, "has a time but no verb", id="no verb"),
    pytest.param("1 pres 1", 1, f"'pres' is no verb: {VERBS}", id="no such verb"),
    pytest.param("1 press 5", 1, "a button is 1, 2, 3 or 4, not '5'", id="no such button"),
    pytest.param("1 press red", 1, "a button is 1, 2, 3 or 4, not 'red'", id="a colour"),
    pytest.param("1 press", 1, "press is followed by 1 to 2 words, not by 0", id="press what"),
    pytest.param("1 press 1 2 3", 1, "press is followed by 1 to 2 words, not by 3", id="press too much"),
    pytest.param("1 press 1 -0.5", 1, "a press lasts a number of seconds, not '-0.5'", id="up before down"),
    pytest.param("1 press 1 soon", 1, "a press lasts a number of seconds, not 'soon'", id="a press of no length"),
    pytest.param("1 hold", 1, "hold is followed by 1 to 4 words, not by 0", id="hold what"),
    pytest.param("1 hold 1 2 1", 1, "names a button twice", id="a button twice"),
    pytest.param("1 down 1 2", 1, "down is followed by one word, not by 2", id="two edges in one"),
    pytest.param("1 up 0", 1, "a button is 1, 2, 3 or 4, not '0'", id="button 0"),
    pytest.param("1 cut off", 1, "cut is followed by nothing, not by 1", id="cut what"),
    pytest.param("1 clock", 1, "clock is followed by one word, not by 0", id="clock where"),
    pytest.param("1 clock 1e12", 1, "the clock jumps by a number of seconds, not '1e12'", id="the clock out of time"),
    pytest.param("1 fault oled", 1, "fault is followed by 2 words, not by 1", id="half a fault"),
    pytest.param("1 fault lamp on", 1, "'lamp' cannot fail: one of oled, store", id="what cannot fail"),
    pytest.param("1 fault oled broken", 1, "a fault is on or off, not 'broken'", id="neither on nor off"),
    pytest.param("0 chance 1.5", 1, "chance gives whole numbers from 0, not '1.5'", id="half a chance"),
    pytest.param("1 deaf -1", 1, "the box is deaf for a number of seconds, not '-1'", id="deaf before"),
    pytest.param("1 end now", 1, "end is followed by nothing, not by 1", id="end when"),
    pytest.param("1 end\n2 press 1", 2, "comes after `end`", id="after the end"),
    pytest.param("1 press 1 # one\n2 hlod 1 # and a long comment", 2, "'hlod' is no verb", id="behind a comment"),
    pytest.param(f"1 {'x' * 5000}", 1, "is no verb", id="a very long word"),
    pytest.param("#!colour red", 1, "#!colour is none of #!config, running, past", id="no such header"),
    pytest.param("#!config side = ", 1, "#!config is not what the box writes there", id="a broken header"),
    pytest.param("#!running {}", 1, "#!running is not what the box writes there", id="an empty match"),
    pytest.param("#!running " + "[" * 100_000, 1, "#!running is not what the box writes there", id="nested too deeply"),
    pytest.param('#!past {"bests": [["a","b","c",1,NaN]], "pages": []}', 1, "#!past is not what the box", id="a best"),
]  # fmt: skip


def called(capsys: pytest.CaptureFixture[str], *argv: object) -> tuple[int, str, str]:
    """Exit code, standard output and standard error of the command."""
    code = main(["rehearse", *map(str, argv)])
    printed = capsys.readouterr()
    return code, printed.out, printed.err


@pytest.mark.parametrize(("text", "line", "what"), BAD)
def test_a_bad_line(tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, line: int, what: str) -> None:
    script = tmp_path / "bad.script"
    script.write_text(f"{text}\n", "utf-8")
    code, out, err = called(capsys, script)
    assert (code, out) == (2, "")
    (said,) = err.splitlines()
    assert said.startswith(f"ubongo-box: {script}:{line}: ")
    assert what in said
    assert len(said) < 300 + len(str(script))


def test_nothing_is_played_before_a_bad_last_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script, store = tmp_path / "bad.script", tmp_path / "s.sqlite"
    script.write_text(text_of("only-one-finisher") + "oops\n", "utf-8")
    code, out, _ = called(capsys, script, "--store", store, "--frames", tmp_path / "frames")
    assert (code, out) == (2, "")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bad.script"]


HOSTILE = [
    pytest.param(b"1 press \xff\n", "is not UTF-8 text: save it as UTF-8", id="not UTF-8"),
    pytest.param(b"#" * (LARGEST_FILE + 1), "is larger than 4 MiB", id="too large"),
    pytest.param(b"\x00\x00", ":1: a line begins with a time", id="zeros"),
    pytest.param("\ufeff1 press 9".encode(), ":1: a button is", id="behind a byte order mark"),
    pytest.param(b"1 press 1\r2 press 9\r\n", ":2: a button is", id="lines of other systems"),
]


@pytest.mark.parametrize(("data", "what"), HOSTILE)
def test_a_hostile_file(tmp_path: Path, capsys: pytest.CaptureFixture[str], data: bytes, what: str) -> None:
    script = tmp_path / "hostile"
    script.write_bytes(data)
    code, out, err = called(capsys, script)
    assert (code, out, len(err.splitlines())) == (2, "", 1)
    assert f"{script}" in err
    assert what in err


@pytest.mark.parametrize(
    ("make", "what"),
    [
        pytest.param(lambda _: None, "is no file: a script is a text file, or - for standard input", id="missing"),
        pytest.param(lambda path: path.mkdir(), "is no file", id="a directory"),
        pytest.param(lambda path: os.mkfifo(path), "is no file", id="a pipe nobody writes to"),
    ],
)
def test_no_script(tmp_path: Path, capsys: pytest.CaptureFixture[str], make: Any, what: str) -> None:
    make(tmp_path / "it")
    code, out, err = called(capsys, tmp_path / "it")
    assert (code, out) == (2, "")
    assert err.startswith(f"ubongo-box: {tmp_path / 'it'}: ")
    assert what in err


TIMES = ("0", "1", "2", "3", "4", "+1", "+0.5", "1.5", "9e9", "nan", "-3")
VERBS_AND_MORE = (*VERBS.replace(",", "").replace("or ", "").split(), "oled", "store", "on", "off", "#")
WORDS = st.sampled_from([*TIMES, *VERBS_AND_MORE])
LINES = st.lists(st.lists(WORDS, max_size=5).map(" ".join), max_size=8).map("\n".join)


@given(st.text(max_size=200) | LINES)
@settings(deadline=None)
def test_any_text_is_a_script_or_refused_in_one_line(text: str) -> None:
    complaint = ""
    try:
        script = read_script(text, "x")
    except UserError as error:
        complaint = str(error)
    if complaint:
        assert complaint.startswith("x:")
        assert len(complaint.splitlines()) == 1
    else:
        assert list(script.steps) == sorted(script.steps, key=lambda step: step.at)


def test_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"1 press 3\n")))
    code, out, err = called(capsys, "-")
    assert (code, err) == (0, "")
    assert fields([json.loads(line) for line in out.splitlines()], "joined", "player") == ["green"]
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"1 press 9\n")))
    code, out, err = called(capsys, "-")
    assert (code, out, err) == (2, "", "ubongo-box: -:1: a button is 1, 2, 3 or 4, not '9'\n")


@pytest.mark.parametrize("extra", [["--lamps"], []])
def test_the_same_seed_prints_the_same_bytes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], extra: list[str]
) -> None:
    script = tmp_path / "it"
    script.write_text(text_of("nine-rounds-four-players"), "utf-8")
    first, again, other = (called(capsys, script, "--seed", seed, *extra) for seed in (7, 7, 8))
    assert first[0] == 0
    assert first == again != other


def test_the_same_bytes_in_another_process(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script = tmp_path / "it"
    script.write_text(text_of("only-one-finisher"), "utf-8")
    command = [sys.executable, "-m", "device", "rehearse", str(script), "--seed", "7"]
    printed = [
        subprocess.run(command, env={**ENVIRONMENT, "PYTHONHASHSEED": seed}, capture_output=True, check=True).stdout
        for seed in ("1", "2")
    ]
    assert printed[0] == printed[1] == called(capsys, script, "--seed", 7)[1].encode()


def test_without_a_seed_chance_is_chance(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script = tmp_path / "it"
    script.write_text(text_of("nine-rounds-four-players"), "utf-8")
    printed = [[json.loads(line) for line in called(capsys, script)[1].splitlines()] for _ in range(3)]
    rolls = {tuple(fields(said, "rolled", "line")) for said in printed}
    # Nine rolls alike three times: once in a hundred million million.
    assert len(rolls) > 1


def test_lamps_only_if_asked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script = tmp_path / "it"
    script.write_text(text_of("only-one-finisher"), "utf-8")
    plain = called(capsys, script, "--seed", 1)[1].splitlines()
    lit = called(capsys, script, "--seed", 1, "--lamps")[1].splitlines()
    lamps = [line for line in lit if json.loads(line)["what"] == "lamps"]
    assert lamps
    assert [line for line in lit if line not in lamps] == plain
    assert json.loads(lamps[0]) == {
        "t": 0.0,
        "what": "lamps",
        "lit": [],
        "blinking": ["red", "blue", "green", "yellow"],
    }


def test_each_picture_is_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script, folder = tmp_path / "it", tmp_path / "deep" / "frames"
    script.write_text("1 press 1\n+0.5 press 2\n+0.5 hold 1\n5 press 1\n6 press 1\n9 end\n", "utf-8")
    assert called(capsys, script, "--seed", 1, "--frames", folder)[0] == 0
    names = sorted(path.name for path in folder.iterdir())
    assert [name[:4] for name in names] == [f"{n:04d}" for n in range(len(names))]
    scenes = list(dict.fromkeys(name[5:] for name in names))
    assert scenes == ["lobby.png", "youngest.png", "ready.png", "race.png"]
    # Empty, red, red and blue; then the die tumbles by tenths of a second and the sand runs by tenths.
    assert names[3] == "0003-youngest.png"
    assert 20 <= sum(name.endswith("race.png") for name in names) <= 32
    for name in names:
        with Image.open(folder / name) as picture:
            assert (picture.size, picture.mode) == ((128, 64), "1")
    pictures = [(folder / name).read_bytes() for name in names]
    assert all(one != other for one, other in pairwise(pictures))


def test_frames_that_cannot_be_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script = tmp_path / "it"
    script.write_text("1 press 1\n", "utf-8")
    code, out, err = called(capsys, script, "--frames", script / "frames")
    assert (code, out) == (2, "")
    assert err == f"ubongo-box: {script / 'frames'}: cannot hold the frames: Not a directory\n"


@pytest.mark.parametrize(
    ("config", "what"),
    [
        pytest.param("side = 3\n", 'box.toml:1: side: must be "A" or "B", not 3', id="a wrong value"),
        pytest.param("[pins\n", "box.toml: is not TOML", id="no TOML"),
        pytest.param('edition = "chess"\n', "box.toml:1: edition: ", id="no such edition"),
    ],
)
def test_a_bad_config(tmp_path: Path, capsys: pytest.CaptureFixture[str], config: str, what: str) -> None:
    (tmp_path / "it").write_text("1 press 1\n", "utf-8")
    (tmp_path / "box.toml").write_text(config, "utf-8")
    code, out, err = called(capsys, tmp_path / "it", "--config", tmp_path / "box.toml")
    assert (code, out, len(err.splitlines())) == (2, "", 1)
    assert what in err


def test_the_scripts_own_config_can_be_wrong_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script = tmp_path / "it"
    script.write_text('#!config edition = "chess"\n1 press 1\n', "utf-8")
    code, out, err = called(capsys, script)
    assert (code, out, len(err.splitlines())) == (2, "", 1)
    assert err.startswith(f"ubongo-box: {script}: edition: ")
    assert "--config" in err


def test_a_match_goes_on_in_the_next_rehearsal_on_the_same_store(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store, first, second = tmp_path / "s.sqlite", tmp_path / "1", tmp_path / "2"
    first.write_text("1 press 1\n+0.5 press 2\n+0.5 hold 1\n5 press 1\n6 press 1\n10 press 2\n20 end\n", "utf-8")
    second.write_text("1 press 4\n2 press 4\n5 press 1\n", "utf-8")
    assert called(capsys, first, "--store", store, "--seed", 1)[0] == 0
    code, out, _ = called(capsys, second, "--store", store)
    said = [json.loads(line) for line in out.splitlines()]
    assert code == 0
    assert fields(said, "scene", "scene") == ["resume", "paused", "race", "check"]
    ((left, round_),) = fields(said, "resumed", "left", "round")
    assert (left, round_) == (pytest.approx(60 - (20 - 6.783), abs=0.25), 1)
    assert fields(said, "claim", "player", "place") == [("red", 2)]


def test_a_second_copy_on_the_same_store_leaves_the_first_unharmed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    script, path = tmp_path / "it", tmp_path / "s.sqlite"
    script.write_text("1 press 1\n", "utf-8")
    store = Store(path)
    try:
        code, out, err = called(capsys, script, "--store", path)
        assert (code, out, len(err.splitlines())) == (2, "", 1)
        assert str(path) in err
    finally:
        store.close()
    assert called(capsys, script, "--store", path)[0] == 0
