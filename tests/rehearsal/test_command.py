"""`ubongo-box rehearse` as a process of its own: what it prints, its exit codes, frames, stores, the same seed."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from PIL import Image

from device.store import Store
from tests.rehearsal.scripts import EVENINGS, One, fields, of

ROOT = Path(__file__).parent.parent.parent
ONE_ROUND = """
1 press 1
2 press 2
3 hold 1
7 press 1            # the youngest
8 press 1            # rolls
20 press 2
75 press 1           # the boards are right
77 press 2           # draws
"""


def rehearse(*words: str | Path, stdin: bytes = b"", cwd: Path = ROOT) -> subprocess.CompletedProcess[bytes]:
    """The real command."""
    return subprocess.run(
        [sys.executable, "-m", "device", "rehearse", *words],
        input=stdin,
        capture_output=True,
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        timeout=60,
        check=False,
    )


def said(ran: subprocess.CompletedProcess[bytes]) -> list[One]:
    """Its transcript."""
    assert (ran.returncode, ran.stderr) == (0, b"")
    return [json.loads(line) for line in ran.stdout.decode("utf-8").splitlines()]


def test_a_script_on_standard_input_is_played_and_said_one_object_a_line() -> None:
    transcript = said(rehearse("-", "--seed", "1", stdin=ONE_ROUND.encode()))
    assert transcript[0] == {"t": 0.0, "what": "scene", "scene": "lobby"}
    assert fields(transcript, "stop", "reason") == ["sand"]
    assert not of(transcript, "lamps")


def test_lamps_are_added_on_request_and_nothing_else_changes() -> None:
    plain = said(rehearse("-", "--seed", "1", stdin=ONE_ROUND.encode()))
    lamps = said(rehearse("-", "--seed", "1", "--lamps", stdin=ONE_ROUND.encode()))
    assert [one for one in lamps if one["what"] != "lamps"] == plain
    assert of(lamps, "lamps")[0] == {
        "t": 0.0,
        "what": "lamps",
        "lit": [],
        "blinking": ["red", "blue", "green", "yellow"],
    }


def test_the_same_seed_is_the_same_evening_to_the_byte_and_without_one_it_differs() -> None:
    script = (EVENINGS / "nine-rounds-four-players.script").read_bytes()
    assert rehearse("-", "--seed", "7", stdin=script).stdout == rehearse("-", "--seed", "7", stdin=script).stdout
    # Nine rolls and as many draws by chance: that two evenings are alike has a chance far below one in a billion.
    assert rehearse("-", stdin=script).stdout != rehearse("-", stdin=script).stdout


ERRORS = [
    pytest.param(("-",), b"1 press 1\n2 press 5\n", "-:2: a button is 1, 2, 3 or 4, not '5'", id="a bad line"),
    pytest.param(("-",), b"\xff", "-: is not UTF-8 text: save it as UTF-8", id="no text"),
    pytest.param(("nobody.txt",), b"", "nobody.txt: is no file: a script is", id="no script"),
    pytest.param(("-", "--config", "nobody.toml"), b"", "nobody.toml", id="no config"),
    pytest.param(("-", "--config", "bad.toml"), b"", 'bag: must be "box" or "cloth", not \'sack\'', id="a bad config"),
    pytest.param(("-", "--seed", "x"), b"", "invalid int value: 'x'", id="a bad seed"),
    pytest.param(("-", "--frames", "bad.toml"), b"", "bad.toml: cannot hold the frames", id="frames in a file"),
    pytest.param(("-", "--store", "."), b"", "", id="a store that is a directory"),
    pytest.param((), b"", "the following arguments are required: SCRIPT", id="no script named"),
]


@pytest.mark.parametrize(("words", "stdin", "complaint"), ERRORS)
def test_wrong_use_is_one_line_and_nothing_is_played(
    tmp_path: Path, words: tuple[str, ...], stdin: bytes, complaint: str
) -> None:
    (tmp_path / "bad.toml").write_text('bag = "sack"\n')
    ran = rehearse(*words, stdin=stdin, cwd=tmp_path)
    assert (ran.returncode, ran.stdout) == (2, b"")
    line = ran.stderr.decode("utf-8")
    assert re.fullmatch(r"ubongo-box: [^\n]+\n", line)
    assert complaint in line


def test_a_bad_script_leaves_no_store_and_no_frames_behind(tmp_path: Path) -> None:
    ran = rehearse("-", "--store", "s.sqlite", "--frames", "frames", stdin=b"1 jump\n", cwd=tmp_path)
    assert ran.returncode == 2
    assert list(tmp_path.iterdir()) == []


def test_a_store_that_another_one_uses_is_left_alone(tmp_path: Path) -> None:
    first = Store(tmp_path / "s.sqlite")
    try:
        ran = rehearse("-", "--store", "s.sqlite", stdin=b"1 press 1\n", cwd=tmp_path)
    finally:
        first.close()
    assert (ran.returncode, ran.stdout) == (2, b"")
    assert re.fullmatch(rb"ubongo-box: [^\n]*s\.sqlite[^\n]*\n", ran.stderr)


def test_a_match_goes_on_with_the_next_script_on_the_same_store(tmp_path: Path) -> None:
    begun = said(rehearse("-", "--seed", "1", "--store", "s.sqlite", stdin=ONE_ROUND.encode(), cwd=tmp_path))
    (scored,) = of(begun, "scored")
    resumed = said(rehearse("-", "--store", "s.sqlite", stdin=b"1 press 4\n3 press 2\n", cwd=tmp_path))
    assert [one["what"] for one in resumed][:5] == ["scene", "resumed", "scene", "rolled", "sound"]
    assert fields(resumed, "scene", "scene")[:2] == ["resume", "scores"]
    assert fields(resumed, "resumed", "round", "left") == [(scored["round"], None)]


def test_a_config_is_played_with(tmp_path: Path) -> None:
    (tmp_path / "c.toml").write_text('edition = "lines"\nside = "A"\nglass_seconds = 5\n')
    transcript = said(
        rehearse(
            "-", "--config", "c.toml", stdin=b"1 press 1\n2 press 2\n3 hold 1\n7 press 1\n9 press 1\n", cwd=tmp_path
        )
    )
    assert fields(transcript, "started", "edition") == ["lines"]
    assert fields(transcript, "flip", "seconds") == [5]


def test_frames_are_the_pictures_shown_named_by_number_and_scene(tmp_path: Path) -> None:
    script = b"1 press 1\n2 hold 1\n6 press 3\n8 press 1\n9.2 end\n"
    ran = rehearse("-", "--frames", tmp_path / "frames", stdin=script)
    assert ran.returncode == 0
    names = sorted(path.name for path in (tmp_path / "frames").iterdir())
    assert [name[:5] for name in names] == [f"{n:04d}-" for n in range(len(names))]
    assert [name[5:] for name in names] == [
        "lobby.png",
        "lobby.png",
        *["alone.png"] * (len(names) - 2),
    ]
    # The lobby, with red in it, the goals, waiting for the start, and at least one second of play.
    assert len(names) >= 5
    pictures = [Image.open(tmp_path / "frames" / name) for name in names]
    assert {(picture.size, picture.mode) for picture in pictures} == {((128, 64), "1")}
    assert all(a.tobytes() != b.tobytes() for a, b in pairwise(pictures))


def test_frames_do_not_change_what_happens(tmp_path: Path) -> None:
    plain = said(rehearse("-", "--seed", "1", stdin=ONE_ROUND.encode()))
    frames = said(rehearse("-", "--seed", "1", "--frames", tmp_path, stdin=ONE_ROUND.encode()))
    assert frames == plain
    scenes = {path.stem[5:] for path in tmp_path.iterdir()}
    assert scenes == set(fields(plain, "scene", "scene"))


def test_who_has_seen_enough_is_no_error() -> None:
    ran = subprocess.run(
        f"'{sys.executable}' -m device rehearse '{EVENINGS / 'nine-rounds-four-players.script'}' | head -1",
        shell=True,
        capture_output=True,
        cwd=ROOT,
        timeout=60,
        check=False,
    )
    assert (json.loads(ran.stdout)["scene"], ran.stderr) == ("lobby", b"")
