"""A family's own edition: one data file beside the config, no Python, played by the real command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from device.cli import main
from tests.rehearsal.scripts import fields, of

OURS = """
id = "ours"
name = "Ours"
players = [2, 3]
sides = false
rounds = 2
first = "youngest"
passes = "left"
ties = "shared"
goals = []

[chooser]
kind = "die"
symbols = ["sun", "moon", "star"]

[glass]
start = "roll"
seconds = 15
second_chance = false

[reward]
kind = "ladder"
bag = { ruby = 3, sapphire = 3, emerald = 3, amber = 3 }
"""

SCRIPT = """
1 press 1
+0.5 press 3
+0.5 hold 1        # no youngest yet
5 press 3          # green is the youngest
6 press 3          # rolls
8 press 1
9 press 3
12 press 1         # the places stand
13 press 1         # two gems for the first
14 press 1
15 press 3         # one for the second
17 press 1         # the last round; the sand has run 15 s after the die stood
40 press 1
41 press 3
"""


def rehearsed(folder: Path, capsys: pytest.CaptureFixture[str]) -> list[dict[str, object]]:
    """What the command prints for a family whose config and edition lie in this folder."""
    (folder / "box.toml").write_text('edition = "ours"\n[players]\nred = "Anna"\n', "utf-8")
    (folder / "ours.toml").write_text(OURS, "utf-8")
    (folder / "game.script").write_text(SCRIPT, "utf-8")
    arguments = ["rehearse", str(folder / "game.script"), "--config", str(folder / "box.toml"), "--seed", "4"]
    assert main(arguments) == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    return [json.loads(line) for line in printed.out.splitlines()]


def test_a_home_made_edition_is_played(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = rehearsed(tmp_path, capsys)
    assert fields(said, "started", "edition", "players") == [("ours", ["red", "green"])]
    assert set(fields(said, "rolled", "symbol")) <= {"sun", "moon", "star"}
    assert fields(said, "rolled", "player") == ["green", "red"]
    assert fields(said, "flip", "seconds", "chance") == [(15, 1), (15, 1)]
    assert fields(said, "gem", "player") == ["red", "red", "green"]
    # Nobody solved the second round: no second chance, and no gem.
    assert fields(said, "stop", "reason") == ["all", "sand"]
    assert fields(said, "scored", "round", "scores") == [(1, {"red": 2, "green": 1}), (2, {"red": 2, "green": 1})]
    assert fields(said, "final", "ranking") == [[["red"], ["green"]]]
    assert not of(said, "notice")


def test_its_wrong_file_is_refused_with_file_key_and_reason(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "box.toml").write_text('edition = "ours"\n', "utf-8")
    (tmp_path / "ours.toml").write_text(OURS.replace('kind = "ladder"', 'kind = "letter"'), "utf-8")
    (tmp_path / "game.script").write_text(SCRIPT, "utf-8")
    assert main(["rehearse", str(tmp_path / "game.script"), "--config", str(tmp_path / "box.toml")]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    (line,) = printed.err.splitlines()
    assert "ours.toml" in line
    assert "reward.kind" in line
    assert "letter" in line
